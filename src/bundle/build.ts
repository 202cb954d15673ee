import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveFile } from "../archive/read-archive.ts";
import { writeArchive } from "../archive/write-archive.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { contentOf, layersIn } from "./content.ts";
import type { SigningKey } from "./keys.ts";
import { encodeManifest, type Manifest, signedBytes, withoutOldHashes } from "./manifest.ts";
import { CONTENT_FOLDER, hashOf, MANIFEST_FILE, type OpenBundle, SIGNATURE_FILE } from "./open-bundle.ts";

/** What a bundle is built from. */
export interface BuildOptions {
  readonly folder: string;
  /** Each of them signs. */
  readonly keys: readonly SigningKey[];
  /** One more than the bundle before when left out, or the time in milliseconds. */
  readonly version?: number | undefined;
  /** When the bundle ends, in milliseconds. */
  readonly expires: number;
  /** The bundle before this one. */
  readonly previous?: Pick<OpenBundle, "manifest" | "hash"> | undefined;
  /** Whether it may hold less than the bundle before; or the hashes of others that it may hold less than. */
  readonly replaces?: "previous" | readonly string[] | undefined;
  readonly ring?: number | undefined;
  /** The bundle for machines outside of the ring. */
  readonly fallback?: Pick<OpenBundle, "manifest" | "hash"> | undefined;
  readonly now?: number;
}

/** A bundle that was built. */
export interface BuiltBundle {
  readonly packed: Buffer;
  readonly manifest: Manifest;
  readonly hash: string;
  readonly hooks: readonly string[];
}

/** Packs and signs the files of a folder. The same folder, version, expiry and keys give the same bytes. */
export function buildBundle(options: BuildOptions): BuiltBundle {
  const { folder, keys, previous, now = Date.now() } = options;
  const content = contentOf(folder);
  const [problem] = [...content.problems, ...guardProblems(folder)];
  if (problem !== undefined) throw problem;
  const before = previous?.manifest;
  const isReplacing = options.replaces === "previous" && previous !== undefined;
  if (content.hooks.length === 0 && content.settings.length === 0 && !isReplacing && options.replaces === undefined)
    throw PROBLEMS.empty({ folder });
  const files = filesIn(folder);
  const version = options.version ?? (before === undefined ? now : before.version + 1);
  if (before !== undefined && version <= before.version) throw PROBLEMS.notNewer({ version, before: before.version });
  const ring = options.ring ?? 100;
  if (ring < 100 && options.fallback === undefined) throw PROBLEMS.noFallback({ ring });
  const named = Array.isArray(options.replaces) ? options.replaces : [];
  const chain = previous === undefined ? [] : [previous.hash, ...previous.manifest.previous];
  const manifest: Manifest = {
    format: "sluice-bundle/1",
    version,
    expires: new Date(options.expires).toISOString(),
    // What an earlier bundle was allowed to leave out stays left out for machines that skip it.
    replaces: withoutOldHashes([...named, ...(isReplacing ? chain : []), ...(before?.replaces ?? [])]),
    previous: withoutOldHashes(chain),
    ring,
    ...(ring < 100 && options.fallback && { fallback: fallbackOf(options.fallback) }),
    files: files.map(({ path, content: bytes, isExecutable }) => ({
      path,
      hash: hashOf(bytes),
      size: bytes.length,
      executable: isExecutable,
    })),
  };
  const bytes = encodeManifest(manifest);
  const signatures = keys.map((key) => `${key.publicKey} ${key.sign(signedBytes(bytes))}\n`).join("");
  const packed = writeArchive([
    { path: MANIFEST_FILE, content: bytes, isExecutable: false },
    { path: SIGNATURE_FILE, content: Buffer.from(signatures), isExecutable: false },
    ...files.map((file) => ({ ...file, path: CONTENT_FOLDER + file.path })),
  ]);
  return { packed, manifest, hash: hashOf(packed), hooks: content.hooks };
}

/** What the guards say about a bundle. Machines with another version of Sluice may know other rules: they are not this strict. */
function guardProblems(folder: string): readonly Problem[] {
  return layersIn(folder).errors;
}

/** How the file of a version is called where bundles are published. */
export function publishedName(version: number): string {
  return `bundle-${version}.tar.gz`;
}

function fallbackOf({ manifest: { version }, hash }: Pick<OpenBundle, "manifest" | "hash">) {
  return { version, hash, file: publishedName(version) };
}

/** Every file below a folder, sorted; names that begin with a dot and `node_modules` stay out, and a link is refused. */
function filesIn(folder: string, above = ""): ArchiveFile[] {
  const names = readdirSync(join(folder, above)).sort();
  return names.flatMap((name): ArchiveFile[] => {
    const path = above === "" ? name : `${above}/${name}`;
    const full = join(folder, path);
    if (name.startsWith(".") || name === "node_modules") return [];
    const found = lstatSync(full);
    if (found.isDirectory()) return filesIn(folder, path);
    if (!found.isFile())
      throw PROBLEMS.noFile({ is: found.isSymbolicLink() ? "a link" : "no file" }, { place: { file: full } });
    return [{ path, content: readRegularFile(full), isExecutable: (found.mode & 0o111) !== 0 }];
  });
}

const PROBLEMS = problems("bundle", {
  empty: ({ folder }: { folder: string }) => ({
    what: `${folder} holds no hook and no setting: such a bundle would take every protection away.`,
    fix: "Add hooks, or say that it is meant: --replaces with the bundle that it replaces.",
  }),
  notNewer: ({ version, before }: { version: number; before: number }) => ({
    what: `The version would be ${version}, and the bundle before it has ${before}: no machine would accept it.`,
    fix: `Write --version ${before + 1}, or leave --version out.`,
  }),
  noFallback: ({ ring }: { ring: number }) => ({
    what: `A bundle for ${ring} % of the machines needs another one for the rest.`,
    fix: "Write --fallback with the bundle that they have now.",
  }),
  noFile: ({ is }: { is: string }) => ({
    what: `This is ${is}; a bundle contains only files and folders.`,
    fix: "Put a copy in its place, or remove it.",
  }),
});
