import * as v from "valibot";
import { problems } from "../problem/problem.ts";

const hash = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const MAX_HASHES = 200;

/** What a bundle says about itself; its signature is one over exactly these bytes. */
const manifestSchema = v.strictObject({
  format: v.literal("sluice-bundle/1"),
  /** Rises with every bundle: one that is not newer is never taken. */
  version: v.pipe(count, v.minValue(1)),
  expires: v.pipe(v.string(), v.isoTimestamp()),
  /** The bundles that this one may take the place of even where it holds less than they do. */
  replaces: v.pipe(v.array(hash), v.maxLength(MAX_HASHES)),
  /** The bundles before this one, the latest first. */
  previous: v.pipe(v.array(hash), v.maxLength(MAX_HASHES)),
  /** The share of machines that it is for, in percent. */
  ring: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  /** The bundle for machines outside of the ring. */
  fallback: v.optional(
    v.strictObject({ version: count, hash, file: v.pipe(v.string(), v.regex(/^[\w][\w.-]{0,100}$/)) }),
  ),
  files: v.pipe(
    v.array(v.strictObject({ path: v.string(), hash, size: count, executable: v.boolean() })),
    v.minLength(1),
    v.maxLength(2000),
  ),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** A manifest as bytes; the same manifest gives the same bytes. */
export function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
}

/** Reads the bytes of a manifest whose signature was verified. */
export function decodeManifest(bytes: Buffer): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw PROBLEMS.badManifest({ why: "it is no JSON" }, { cause: error });
  }
  const { success, output, issues } = v.safeParse(manifestSchema, read);
  if (success) return output;
  const [{ path, message }] = issues;
  throw PROBLEMS.badManifest({ why: `${(path ?? []).map(({ key }) => String(key)).join(".") || "it"}: ${message}` });
}

/** What a signature is made of: a manifest, with words before it that no other signed thing begins with. */
export function signedBytes(manifest: Buffer): Buffer {
  return Buffer.concat([Buffer.from("sluice bundle manifest 1\n"), manifest]);
}

/** The newest hashes, each once, as many as a manifest may hold. */
export function withoutOldHashes(hashes: readonly string[]): string[] {
  return [...new Set(hashes)].slice(0, MAX_HASHES);
}

const PROBLEMS = problems("bundle", {
  badManifest: ({ why }: { why: string }) => ({
    what: `The bundle's manifest cannot be used: ${why}.`,
    fix: "Build it again with this version of Sluice, or update Sluice.",
  }),
});
