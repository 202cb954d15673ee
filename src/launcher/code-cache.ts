import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeDir } from "../fs/make-dir.ts";

/** The environment of a process. */
type Env = Readonly<Record<string, string | undefined>>;

/**
 * The file with what V8 has compiled of a bundle, for this user, this build, this Node and these flags; undefined if the
 * user does not have a folder for caches. V8 checks version, flags and length once more when it reads the file.
 */
export function codeCachePath(bundle: string, build: string, env: Env = process.env): string | undefined {
  const folder = codeCacheDir(env);
  return folder === undefined ? undefined : join(folder, codeCacheName(bundle, build, env));
}

/** The same file beside the bundles, where an installer may put it. */
export function installedCodeCachePath(dist: string, bundle: string, build: string): string {
  return join(dist, FOLDER, codeCacheName(bundle, build, process.env));
}

/** The user's folder of compiled code: it contains code that runs, so self-protection covers it and only its owner may write it. */
function codeCacheDir({ XDG_CACHE_HOME, HOME, USERPROFILE }: Env): string | undefined {
  const home = HOME || USERPROFILE;
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, "sluice", FOLDER);
  return home !== undefined && isAbsolute(home) ? join(home, ".cache", "sluice", FOLDER) : undefined;
}

function codeCacheName(bundle: string, build: string, { NODE_OPTIONS = "" }: Env): string {
  const flags = [...process.execArgv, NODE_OPTIONS].join(" ").trim();
  return `${bundle}-${build}-${process.version}-${process.arch}${flags === "" ? "" : `-${shortHash(flags)}`}${SUFFIX}`;
}

/** Distinguishes the flags that Node was started with; V8 itself refuses code of other flags. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/** The compiled code in a file that only its owner can have written; read into `memory` where it fits. */
export function readCodeCache(path: string, owner = process.getuid?.(), memory?: Buffer): Buffer | undefined {
  let file: number | undefined;
  try {
    if (!isPrivate(lstatSync(dirname(path)), owner)) return undefined;
    file = openSync(path, "r");
    const stats = fstatSync(file);
    if (!stats.isFile() || !isPrivate(stats, owner)) return undefined;
    if (memory === undefined || memory.length < stats.size) return readFileSync(file);
    // A file that is cut off meanwhile fails the checksum.
    return memory.subarray(0, readSync(file, memory, 0, stats.size, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The owner of files beside the bundles: the same as of the bundles themselves. */
export function ownerOf(path: string): number | undefined {
  return process.getuid === undefined ? undefined : statSync(path).uid;
}

/** Why compiled code cannot be kept in this folder; undefined if it can. A missing folder is created. */
export function whyNoCodeCache(path: string): string | undefined {
  const folder = dirname(path);
  try {
    makeDir(folder, 0o700);
    if (!isPrivate(lstatSync(folder), process.getuid?.())) return `${folder} can be written by others`;
    const probe = `${path}.${process.pid}.probe`;
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
    rmSync(probe);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Replaces the compiled code all at once, and removes what was not written for long where there are many. */
export function writeCodeCache(path: string, compiled: Uint8Array): void {
  const draft = `${path}.${process.pid}.draft`;
  try {
    writeFileSync(draft, compiled, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const folder = dirname(path);
  const written = readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => ({ name, at: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const { name } of written.slice(MAX_FILES)) rmSync(join(folder, name), { force: true });
}

/** Takes the turn to write compiled code: of many calls at once one does it, and after a failure none for a while. */
export function takeTurn(path: string): boolean {
  const lock = `${path}.lock`;
  try {
    makeDir(dirname(path), 0o700);
    if (!isPrivate(lstatSync(dirname(path)), process.getuid?.())) return false;
    const before = lstatSync(lock, { throwIfNoEntry: false });
    if (before !== undefined && Date.now() - before.mtimeMs > RETRY_MS) rmSync(lock, { force: true });
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

/** Gives the turn back. */
export function endTurn(path: string): void {
  rmSync(`${path}.lock`, { force: true });
}

function isPrivate({ uid, mode }: Stats, owner: number | undefined): boolean {
  return owner === undefined || (uid === owner && (mode & 0o022) === 0);
}

const FOLDER = "compiled";
const SUFFIX = ".cache";
/** Each is about a megabyte: some versions of Node, some sets of flags, four programs. */
const MAX_FILES = 32;
const RETRY_MS = 10 * 60 * 1000;
