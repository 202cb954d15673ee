import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

/** Where a path leads in the end, and what lies there. */
export interface ResolvedPath {
  /** Every symlink followed, also one to what is not there yet; `..` is taken from where a link leads. */
  readonly path: string;
  /**
   * `hidden` is a folder on the way that may not be searched, `loop` are more links than the system follows: the rest of
   * the path is then added as it is written.
   */
  readonly is: "folder" | "file" | "nothing" | "hidden" | "loop";
}

/** How a path is resolved. */
export interface ResolveOptions {
  /** A folder and its canonical path: what lies below it is looked at from there. */
  readonly known?: { readonly path: string; readonly real: string } | undefined;
  /** What was seen on the disk already; filled with what is looked at. */
  readonly cache?: EntryCache | undefined;
  /** `keep` leaves paths below `/proc` as they are: what lies there depends on the process that looks. */
  readonly procfs?: "follow" | "keep" | undefined;
}

/** What lies right at a path, no link followed. */
export type DiskEntry =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" | "file" | "nothing" | "hidden" };

/** Entries by path, for as long as one state of the disk is to count. */
export type EntryCache = Map<string, DiskEntry>;

/** Follows a path part by part, as the system does. What is not there yet keeps its name behind what is. */
export function resolvePath(path: string, { known, cache, procfs = "follow" }: ResolveOptions = {}): ResolvedPath {
  // No system opens such a path; following it part by part would take longer than the square of its length.
  if (path.length > LONGEST_PATH) return { path: resolve(path), is: "nothing" };
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
    // Below what is not there, there is nothing.
    if (missing.length > 0) {
      missing.push(part);
      continue;
    }
    const next = here.endsWith(sep) ? here + part : here + sep + part;
    if (procfs === "keep" && (next === PROCFS || next.startsWith(`${PROCFS}/`)))
      return { path: [next, ...pending].join("/"), is: kindBehind([next, ...pending].join("/")) };
    const entry = diskEntry(next, cache);
    if (entry.kind === "link") {
      if (++followed > MOST_LINKS) return { path: join(next, ...pending), is: "loop" };
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

/** More letters than Windows takes in a path, and eight times as many as Linux. */
const LONGEST_PATH = 32_768;

/** A path as it is written and as it leads, once where both are the same. */
export function lexicalAndResolved(path: string, cache?: EntryCache): string[] {
  const lexical = resolve(path);
  const resolved = process.platform === "win32" ? lexical : resolvePath(path, { cache }).path;
  return resolved === lexical ? [lexical] : [lexical, resolved];
}

/** What lies right at a path, no link followed, as the cache has it or the disk. */
export function diskEntry(path: string, cache?: EntryCache): DiskEntry {
  const cached = cache?.get(path);
  if (cached !== undefined) return cached;
  const entry = readEntry(path);
  cache?.set(path, entry);
  return entry;
}

/** The canonical path, in the case that the disk knows; the path itself where nothing lies there yet. */
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

/** The same for a path whose names need not be text. */
export function realPathBytes(path: Buffer): Buffer {
  try {
    return realpathSync.native(path, { encoding: "buffer" });
  } catch {
    return path;
  }
}

/** A path without links in the case that the disk knows, as far as it is there; file systems of Linux tell cases apart. */
export function inDiskCase(path: string): string {
  if (process.platform === "linux") return path;
  if (entryAt(path) !== undefined || dirname(path) === path) return realPath(path);
  return join(inDiskCase(dirname(path)), basename(path));
}

/** Whether a path is that folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  if (path === folder) return true;
  const separator = OF_WINDOWS.test(folder) ? "\\" : "/";
  return path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** Elsewhere, a backslash is a letter of a name. */
const OF_WINDOWS = /^(?:[A-Za-z]:)?\\/;

/** What `lstat` says of a path; nothing when there is nothing, or its folder may not be searched. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What `stat` says of a path, links followed; nothing when there is nothing, or its folder may not be searched. */
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

/** Without an exception for what is not there: that is slow. */
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

function kindBehind(path: string): ResolvedPath["is"] {
  const found = statsAt(path);
  return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
}

const FOLDER: DiskEntry = { kind: "folder" };
const FILE: DiskEntry = { kind: "file" };
const NOTHING: DiskEntry = { kind: "nothing" };
const HIDDEN: DiskEntry = { kind: "hidden" };
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
/** As many as Linux follows. */
const MOST_LINKS = 40;
const PROCFS = "/proc";
