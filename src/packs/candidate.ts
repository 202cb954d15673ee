import { createHash } from "node:crypto";
import { resolve } from "node:path";
import semver from "semver";
import type { ArchiveFile } from "../archive/read-archive.ts";
import { hashOf } from "../config/installed-pack.ts";
import { type PackContent, packContent } from "../config/pack-content.ts";
import { isPackName, type LockedPack, PACK_FILE, type PackProvenance } from "../config/pack-lock.ts";
import { homeDir } from "../fs/home-dir.ts";
import type { Layer } from "../hook/hook.ts";
import { Problem, problems } from "../problem/problem.ts";

/** A pack that could be installed: its bytes, and what is known about where they come from. */
export interface PackCandidate {
  readonly name: string;
  readonly version: string;
  readonly files: readonly ArchiveFile[];
  readonly integrity: string;
  readonly resolved: string;
  /** The range that the user asked for; updates stay in it. */
  readonly wanted?: string | undefined;
  readonly repository?: string | undefined;
  readonly published?: string | undefined;
  readonly provenance: PackProvenance;
  /** What the user should know before it is installed. */
  readonly notes: readonly string[];
}

/** Where the files of a candidate come from. */
export type PackOrigin = Pick<PackCandidate, "integrity" | "resolved"> &
  Partial<Pick<PackCandidate, "wanted" | "published" | "provenance" | "notes">> & {
    /** What the registry says they are; another name or version in the files is an attack. */
    readonly expected?: { readonly name: string; readonly version: string };
  };

/** Makes a candidate of the files of a package: no script of it is run, and none of its dependencies is looked at. */
export function candidateOf(files: readonly ArchiveFile[], origin: PackOrigin): PackCandidate {
  const { expected, resolved } = origin;
  const manifest = manifestOf(files, resolved);
  const { name } = manifest;
  if (typeof name !== "string" || !isPackName(name)) throw PROBLEMS.badName({ name: String(name), resolved });
  const version = typeof manifest.version === "string" ? semver.valid(manifest.version) : null;
  if (version === null) throw PROBLEMS.badVersion({ name, version: String(manifest.version) });
  if (expected !== undefined && (expected.name !== name || expected.version !== version))
    throw PROBLEMS.otherPackage({ expected: `${expected.name}@${expected.version}`, found: `${name}@${version}` });
  if (!files.some(({ path }) => path === PACK_FILE)) throw PROBLEMS.noPack({ name, resolved });
  return {
    name,
    version,
    files,
    integrity: origin.integrity,
    resolved,
    wanted: origin.wanted,
    repository: repositoryOf(manifest.repository),
    published: origin.published,
    provenance: origin.provenance ?? { state: "none" },
    notes: origin.notes ?? [],
  };
}

/** Whether a pack came from the disk: from a folder, an archive, or with Sluice itself. */
export function isLocal({ resolved }: Pick<LockedPack, "resolved">): boolean {
  return resolved.startsWith("file:") || resolved.startsWith(SHIPPED);
}

/** How the origin of a pack begins that comes with Sluice itself. */
export const SHIPPED = "sluice:";

/** What a candidate says when it is used in a layer with these values; throws what keeps it from being used. */
export function contentOfCandidate(
  { name, version, files }: PackCandidate,
  { folder, layer, given }: { readonly folder: string; readonly layer: Layer; readonly given: unknown },
): PackContent {
  const text = files.find(({ path }) => path === PACK_FILE)?.content.toString("utf8") ?? "";
  const paths = new Set(files.map(({ path }) => path));
  const content = packContent({ name, version, folder, text, files: paths, layer, given });
  const problem = content instanceof Problem ? content : content.problems[0];
  if (problem !== undefined) throw problem;
  return content as PackContent;
}

/** What the lock keeps of a candidate. */
export function lockedFrom(candidate: PackCandidate, gates: readonly string[]): LockedPack {
  const { version, integrity, resolved, wanted, repository, published, provenance } = candidate;
  const files = candidate.files.map(({ path, content }): [string, string] => [path, hashOf(content)]).sort();
  return {
    version,
    integrity,
    resolved,
    ...(wanted !== undefined && { wanted }),
    ...(repository !== undefined && { repository }),
    ...(published !== undefined && { published }),
    provenance,
    gates,
    files: Object.fromEntries(files),
  };
}

/** The hash of bytes as registries write it. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** The hash of files that came from no archive: of their names and hashes. */
export function integrityOfFiles(files: readonly ArchiveFile[]): string {
  const lines = files.map(({ path, content }) => `${hashOf(content)} ${path}\n`).sort();
  return integrityOf(Buffer.from(lines.join("")));
}

function manifestOf(files: readonly ArchiveFile[], resolved: string): Readonly<Record<string, unknown>> {
  const file = files.find(({ path }) => path === "package.json");
  if (file === undefined) throw PROBLEMS.noManifest({ resolved });
  try {
    return Object(JSON.parse(file.content.toString("utf8"))) as Record<string, unknown>;
  } catch (cause) {
    throw PROBLEMS.manifestUnreadable({ resolved }, { cause });
  }
}

/** The address of a repository in one form, whichever of its many a package.json uses. */
export function repositoryOf(stated: unknown): string | undefined {
  const url: unknown = typeof stated === "string" ? stated : Object(stated).url;
  if (typeof url !== "string" || url === "") return undefined;
  const [, host, path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(url) ?? [];
  const whole =
    path === undefined ? url : `https://${host === "bitbucket" ? "bitbucket.org" : `${host ?? "github"}.com`}/${path}`;
  return whole
    .replace(/^git\+/, "")
    .replace(/^[a-z]+:\/\/(?:[^@/]*@)?/, "https://")
    .replace(/^git@([^:]+):/, "https://$1/")
    .replace(/\.git(?:#.*)?$|\/$/, "");
}

/** Where a user says that a pack comes from. */
type PackReference =
  | { readonly kind: "local"; readonly path: string }
  /** `wanted` is a version, a range or a tag; nothing means the newest. */
  | { readonly kind: "registry"; readonly name: string; readonly wanted: string | undefined };

/** Where packs are looked for, and with what. */
export interface PackSearch {
  /** The folder that relative paths of the lock are seen from. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isOffline: boolean;
  /** The folder with the packs that come with Sluice itself. */
  readonly shipped?: string | undefined;
  /** The time from which the age of a version is measured; the present when left out. */
  readonly now?: number | undefined;
}

/** Reads the argument of `sluice add`: `name`, `name@range`, `./folder`, `./file.tgz`. */
export function readReference(word: string, cwd: string): PackReference {
  if (/^file:/.test(word)) return { kind: "local", path: resolve(cwd, word.slice("file:".length)) };
  if (/^(?:\.{1,2}(?:[\\/]|$)|\/|[A-Za-z]:[\\/])/.test(word)) return { kind: "local", path: resolve(cwd, word) };
  if (/^~[\\/]/.test(word)) return { kind: "local", path: resolve(homeDir(), word.slice(2)) };
  if (/^[a-z+]+:|^git@|\.git(?:#|$)/i.test(word)) throw PROBLEMS.remoteSource({ word });
  const at = word.indexOf("@", 1);
  const name = at === -1 ? word : word.slice(0, at);
  const wanted = at === -1 ? undefined : word.slice(at + 1);
  if (!isPackName(name)) throw PROBLEMS.noPackName({ word });
  if (wanted !== undefined && semver.validRange(wanted) === null && !TAG.test(wanted))
    throw PROBLEMS.noRange({ word, wanted });
  return { kind: "registry", name, wanted };
}

/** What a distribution tag may be called. */
const TAG = /^[A-Za-z][\w.-]{0,63}$/;

const PROBLEMS = problems("pack", {
  noManifest: ({ resolved }: { resolved: string }) => ({
    what: `${resolved} holds no package.json at its top: it is not a package.`,
    fix: "Name the folder or the archive of a pack; `sluice pack init` makes one.",
  }),
  manifestUnreadable: ({ resolved }: { resolved: string }) => ({
    what: `The package.json of ${resolved} is not JSON.`,
    fix: "Correct it, or tell the authors of the pack.",
  }),
  badName: ({ name, resolved }: { name: string; resolved: string }) => ({
    what: `The package.json of ${resolved} names the package ${JSON.stringify(name.slice(0, 80))}, which is not the name of a package.`,
    fix: "A pack is called like `git-safety` or `@acme/git-safety`: small letters, digits, and - _ . between them.",
  }),
  badVersion: ({ name, version }: { name: string; version: string }) => ({
    what: `The pack ${name} has the version ${JSON.stringify(version.slice(0, 40))}, which is not a version.`,
    fix: "Write one like 1.0.0 into its package.json.",
  }),
  otherPackage: ({ expected, found }: { expected: string; found: string }) => ({
    what: `The archive of ${expected} holds ${found}. Nothing was installed.`,
    fix: "Do not use this version; tell the authors of the pack and the operators of the registry.",
  }),
  noPack: ({ name, resolved }: { name: string; resolved: string }) => ({
    what: `${name} (${resolved}) is a package without a ${PACK_FILE}: it brings no hooks.`,
    fix: `Check the name. Authors: put ${PACK_FILE} beside package.json, and into its \`files\`.`,
  }),
  noPackName: ({ word }: { word: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))} is neither the name of a package nor a path.`,
    fix: "A pack is called like `git-safety` or `@acme/git-safety@^1`; a folder or archive begins with ./",
  }),
  remoteSource: ({ word }: { word: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))} is an address. Packs come from a registry, a folder or a .tgz.`,
    fix: "Clone or download it, look at it, and run `sluice add ./folder`.",
  }),
  noRange: ({ word, wanted }: { word: string; wanted: string }) => ({
    what: `${JSON.stringify(word.slice(0, 80))}: ${JSON.stringify(wanted.slice(0, 40))} is not a version, a range or a tag.`,
    fix: "Write name@1.2.3, name@^1.2, name@~1.2, name@1.x, name@'>=1 <2', or name@latest.",
  }),
});
