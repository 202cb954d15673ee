import { type ArchiveFile, readArchive } from "../archive/read-archive.ts";
import { sha256 } from "../fs/read-once.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { isSignedBy, shortKey } from "./keys.ts";
import { decodeManifest, type Manifest, signedBytes } from "./manifest.ts";

/** A bundle whose signature and content were verified. */
export interface OpenBundle {
  readonly manifest: Manifest;
  /** `sha256:…` of the packed bytes. */
  readonly hash: string;
  /** The key whose signature it bears. */
  readonly key: string;
  readonly files: readonly ArchiveFile[];
  readonly packed: Buffer;
}

/** The member that says what the others are. */
export const MANIFEST_FILE = "manifest.json";
/** The member with the signatures of the manifest. */
export const SIGNATURE_FILE = "manifest.sig";
/** The folder of all other members. */
export const CONTENT_FOLDER = "files/";

/** Unpacks a bundle in memory and verifies it with one of the keys; throws the problem of one that cannot be believed. */
export function openBundle(packed: Buffer, keys: readonly string[]): OpenBundle {
  const members = readArchive(packed);
  const named = (name: string) => members.find(({ path }) => path === name)?.content;
  const [manifestBytes, signatures] = [named(MANIFEST_FILE), named(SIGNATURE_FILE)];
  if (manifestBytes === undefined || signatures === undefined) throw PROBLEMS.noBundle(undefined);
  const key = verifiedKey(manifestBytes, signatures.toString("utf8"), keys);
  const manifest = decodeManifest(manifestBytes);
  const files = members
    .filter(({ path }) => path.startsWith(CONTENT_FOLDER))
    .map((file) => ({ ...file, path: file.path.slice(CONTENT_FOLDER.length) }));
  const problem = whyOther(manifest, files, members.length);
  if (problem !== undefined) throw problem;
  return { manifest, hash: hashOf(packed), key, files, packed };
}

/** The hash under which bundles and files are known. */
export function hashOf(content: Uint8Array): string {
  return `sha256:${sha256(content)}`;
}

/** The signature file has one line for each key: the key and the signature. */
function verifiedKey(manifest: Buffer, signatures: string, keys: readonly string[]): string {
  const signed = signatures
    .split("\n")
    .slice(0, MAX_SIGNATURES)
    .map((line) => line.split(" "));
  const content = signedBytes(manifest);
  const found = keys.find((key) =>
    signed.some(([name, signature = ""]) => name === key && isSignedBy(key, content, signature)),
  );
  if (found !== undefined) return found;
  const names = signed.flatMap(([name = ""]) => (name === "" ? [] : [shortKey(name)]));
  const isKnown = signed.some(([name = ""]) => keys.includes(name));
  throw isKnown ? PROBLEMS.badSignature(undefined) : PROBLEMS.otherKey({ names, keys: keys.map(shortKey) });
}

/** What the archive holds has to be what was signed: every file, no other, byte for byte. */
function whyOther({ files: listed }: Manifest, files: readonly ArchiveFile[], members: number): Problem | undefined {
  if (files.length !== listed.length || members !== listed.length + 2) return PROBLEMS.otherFiles(undefined);
  for (const { path, hash, size, executable } of listed) {
    const file = files.find((one) => one.path === path);
    if (file === undefined) return PROBLEMS.otherFiles(undefined);
    if (file.content.length !== size || file.isExecutable !== executable || hashOf(file.content) !== hash)
      return PROBLEMS.changedFile({ path });
  }
  return undefined;
}

const MAX_SIGNATURES = 8;

const PROBLEMS = problems("bundle", {
  noBundle: () => ({
    what: "This archive is not a bundle: it has no manifest, or no signature.",
    fix: "`sluice bundle build` makes bundles.",
  }),
  badSignature: () => ({
    what: "The bundle's signature does not verify: its manifest was changed after it was signed.",
    fix: "Do not use it. Build and publish it again, and find out what changed it.",
  }),
  otherKey: ({ names, keys }: { names: readonly string[]; keys: readonly string[] }) => ({
    what: `The bundle is signed with ${names.join(", ") || "no key"}; wanted is ${keys.join(" or ")}.`,
    fix: "Sign it with a configured key, or add its public key to `managed.keys` if it is yours.",
  }),
  otherFiles: () => ({
    what: "The files of the bundle are not those that its signed manifest lists.",
    fix: "Do not use it. Build and publish it again, and find out what changed it.",
  }),
  changedFile: ({ path }: { path: string }) => ({
    what: `The bundle's file ${JSON.stringify(path)} differs from the one that was signed.`,
    fix: "Do not use it. Build and publish it again, and find out what changed it.",
  }),
});
