import { join } from "node:path";
import { isObject } from "../event/json.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { problems } from "../problem/problem.ts";

/** Where a pack comes from, as far as its registry proves it. */
export interface PackProvenance {
  /** `verified`: the signatures hold. `unverified`: an attestation is there and was not verified. `none`: there is none. */
  readonly state: "verified" | "unverified" | "none";
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly workflow?: string | undefined;
}

/** One installed pack, exactly: its version, its bytes, its origin. */
export interface LockedPack {
  readonly version: string;
  /** The hash of the archive that it was unpacked from, or of the files of a folder: `sha512-…`. */
  readonly integrity: string;
  /** The address or the path that it came from, without credentials. */
  readonly resolved: string;
  /** Every file of the pack by its path, with its hash: `sha256-…`. */
  readonly files: Readonly<Record<string, string>>;
  /** The events that its hooks guard: they are asked about while the pack cannot be used. */
  readonly gates: readonly string[];
  /** The range that the user asked for; updates stay in it. */
  readonly wanted?: string | undefined;
  /** The repository that its package.json names. */
  readonly repository?: string | undefined;
  /** When its registry published it. */
  readonly published?: string | undefined;
  readonly provenance?: PackProvenance | undefined;
}

/** All installed packs of a folder of hooks, by their names. */
export interface PackLock {
  readonly packs: Readonly<Record<string, LockedPack>>;
}

/** The lock file beside the hooks of a folder. */
export function lockFile(folder: string): string {
  return join(folder, "lock.json");
}

/** Where the packs of a folder of hooks are unpacked. */
export function packsFolder(folder: string): string {
  return join(folder, "packs");
}

/** The folder of one version of a pack: a scope is joined with `+`, which no name of a package has. */
export function packFolder(folder: string, name: string, version: string): string {
  return join(packsFolder(folder), `${name.replace("/", "+")}@${version}`);
}

/** Reads the lock beside the hooks of a folder: empty where there is none, a thrown problem where it cannot be read. */
export function readPackLock(folder: string): PackLock {
  const file = lockFile(folder);
  const text = textOf(file);
  if (text === undefined) return { packs: {} };
  const read = parsed(text);
  if (read === undefined) throw PROBLEMS.lockUnreadable(undefined, { place: { file } });
  for (const [name, entry] of Object.entries(read))
    if (!isPackName(name) || !isLockedPack(entry)) throw PROBLEMS.lockEntry({ name }, { place: { file } });
  return { packs: Object.fromEntries(Object.entries(read)) as PackLock["packs"] };
}

/** The text of a lock: sorted, so that two branches that add packs merge. */
export function packLockText({ packs }: PackLock): string {
  const sorted = Object.entries(packs).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify({ lockfileVersion: LOCK_VERSION, packs: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** Whether a text is the name of an npm package, and safe as the name of a folder. */
export function isPackName(name: string): boolean {
  return name.length <= 214 && NAME.test(name) && !RESERVED.has(name);
}

function textOf(file: string): string | undefined {
  try {
    return readRegularFile(file).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw PROBLEMS.lockUnreadable(undefined, { place: { file }, cause: error });
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { lockfileVersion, packs } = Object(JSON.parse(text)) as Record<string, unknown>;
    return lockfileVersion === LOCK_VERSION && isObject(packs) ? packs : undefined;
  } catch {
    return undefined;
  }
}

function isLockedPack(value: unknown): value is LockedPack {
  const { version, integrity, resolved, files, gates } = Object(value) as Record<string, unknown>;
  return (
    typeof version === "string" &&
    VERSION.test(version) &&
    typeof integrity === "string" &&
    INTEGRITY.test(integrity) &&
    typeof resolved === "string" &&
    Object.values(Object(files)).every((hash) => typeof hash === "string") &&
    Object.keys(Object(files)).includes(PACK_FILE) &&
    Array.isArray(gates) &&
    gates.every((gate) => typeof gate === "string")
  );
}

/** The file of a pack that has its hooks. */
export const PACK_FILE = "sluice.yaml";
const LOCK_VERSION = 1;
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const RESERVED: ReadonlySet<string> = new Set(["node_modules", "favicon.ico", "constructor", "prototype"]);
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

const PROBLEMS = problems("pack", {
  lockUnreadable: () => ({
    what: "The lock of packs cannot be read. No pack is used, and calls that packs may guard are asked about.",
    fix: "Put it back from version control. Where there is none, delete it: then `sluice add <pack>` writes a new one.",
  }),
  lockEntry: ({ name }: { name: string }) => ({
    what: `The lock of packs has an entry ${JSON.stringify(name)} that is not complete. No pack is used.`,
    fix: "Put the file back from version control, or remove the entry and run `sluice add` for that pack.",
  }),
});
