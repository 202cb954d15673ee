import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

/** The target of a path, and its kind. */
export interface ResolvedPath {
  /** Every symlink followed, also a dangling one; `..` is relative to the link's target. */
  readonly path: string;
  /**
   * `hidden`: a folder on the way may not be searched. `loop`: there are more links than the system follows. In both cases
   * the rest of the path is added unresolved.
   */
  readonly is: "folder" | "file" | "nothing" | "hidden" | "loop";
}

/** How a path is resolved. */
export interface ResolveOptions {
  /** A folder and its canonical path, from which paths below it are resolved. */
  readonly known?: { readonly path: string; readonly real: string } | undefined;
  /** The entries that were read already; new ones are added. */
  readonly cache?: EntryCache | undefined;
  /** `keep` leaves paths below `/proc` unresolved: they depend on the process that reads them. */
  readonly procfs?: "follow" | "keep" | undefined;
}

/** The entry at a path, without following a link. */
export type DiskEntry =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" | "file" | "nothing" | "hidden" };

/** Entries by path, for as long as one state of the disk applies. */
export type EntryCache = Map<string, DiskEntry>;

/** Follows a path part by part, as the system does. Missing parts are appended to the existing ones. */
export function resolvePath(path: string, { known, cache, procfs = "follow" }: ResolveOptions = {}): ResolvedPath {
  // No system opens such a path, and following it would take quadratic time.
  if (path.length > MAX_PATH) return { path: resolve(path), is: "nothing" };
  const start = startOf(path, known);
  const pending = partsOf(start.rest);
  let here = start.folder;
  let is: ResolvedPath["is"] = "folder";
  let followed = 0;
  const missing: string[] = [];
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === "..") {
      if (missing.pop() === undefined) here = dirname(here);
      is = missing.length > 0 ? "nothing" : "folder";
      continue;
    }
    // A missing folder contains nothing.
    if (missing.length > 0) {
      missing.push(part);
      continue;
    }
    const next = here.endsWith(sep) ? here + part : here + sep + part;
    if (procfs === "keep" && (next === PROCFS || next.startsWith(`${PROCFS}/`)))
      return { path: [next, ...pending].join("/"), is: kindAt([next, ...pending].join("/")) };
    const entry = diskEntry(next, cache);
    if (entry.kind === "link") {
      if (++followed > MAX_LINKS) return { path: join(next, ...pending), is: "loop" };
      if (isAbsolute(entry.target)) here = parse(entry.target).root;
      is = "folder";
      pending.unshift(...partsOf(entry.target));
      continue;
    }
    if (entry.kind === "hidden") return { path: join(next, ...pending), is: "hidden" };
    if (entry.kind === "nothing") missing.push(part);
    else here = next;
    is = entry.kind;
  }
  if (missing.length === 0) return { path: here, is };
  return { path: (here.endsWith(sep) ? here : here + sep) + missing.join(sep), is };
}

/** Longer than any path of Windows, and eight times as long as one of Linux. */
const MAX_PATH = 32_768;

/** A path as it is written, and resolved if that differs. */
export function lexicalAndResolved(path: string, cache?: EntryCache): string[] {
  const lexical = resolve(path);
  const resolved = process.platform === "win32" ? lexical : resolvePath(path, { cache }).path;
  return resolved === lexical ? [lexical] : [lexical, resolved];
}

/** The entry at a path, without following a link, from the cache or the disk. */
export function diskEntry(path: string, cache?: EntryCache): DiskEntry {
  const cached = cache?.get(path);
  if (cached !== undefined) return cached;
  const entry = readEntry(path);
  cache?.set(path, entry);
  return entry;
}

/** The canonical path; the path itself if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The folders that hold a path, the nearest first. */
export function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
}

/** The canonical path of a path that need not be valid UTF-8. */
export function realPathBytes(path: Buffer): Buffer {
  try {
    return realpathSync.native(path, { encoding: "buffer" });
  } catch {
    return path;
  }
}

/** A resolved path in the case that is on the disk, as far as it exists; Linux file systems are case-sensitive. */
export function inDiskCase(path: string): string {
  if (process.platform === "linux") return path;
  if (entryAt(path) !== undefined || dirname(path) === path) return realPath(path);
  return join(inDiskCase(dirname(path)), basename(path));
}

/** Whether a path is that folder or is in it. */
export function isWithin(folder: string, path: string): boolean {
  if (path === folder) return true;
  const separator = OF_WINDOWS.test(folder) ? "\\" : "/";
  return path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** On other systems a backslash is part of a name. */
const OF_WINDOWS = /^(?:[A-Za-z]:)?\\/;

/** The `lstat` of a path; undefined if it does not exist or its folder may not be searched. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The `stat` of a path; undefined if it does not exist or its folder may not be searched. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function startOf(path: string, known: ResolveOptions["known"]): { readonly folder: string; readonly rest: string } {
  if (path === known?.path) return { folder: known.real, rest: "" };
  if (known !== undefined && path.startsWith(`${known.path}/`))
    return { folder: known.real, rest: path.slice(known.path.length + 1) };
  const absolute = isAbsolute(path) ? path : process.cwd() + sep + path;
  const { root } = parse(absolute);
  return { folder: root, rest: absolute.slice(root.length) };
}

function partsOf(path: string): string[] {
  const rest = path.slice(parse(path).root.length);
  return rest.split(sep === "\\" ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
}

/** Does not throw for a missing file, because exceptions are slow. */
function readEntry(path: string): DiskEntry {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return NOTHING;
    if (found.isSymbolicLink()) return { kind: "link", target: readlinkSync(path) };
    return found.isDirectory() ? FOLDER : FILE;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return ABSENT.has(code) ? NOTHING : HIDDEN;
  }
}

function kindAt(path: string): ResolvedPath["is"] {
  const found = statsAt(path);
  return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
}

const FOLDER: DiskEntry = { kind: "folder" };
const FILE: DiskEntry = { kind: "file" };
const NOTHING: DiskEntry = { kind: "nothing" };
const HIDDEN: DiskEntry = { kind: "hidden" };
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
/** The limit of Linux. */
const MAX_LINKS = 40;
const PROCFS = "/proc";
