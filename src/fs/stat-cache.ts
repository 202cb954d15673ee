import type { Stats } from "node:fs";
import { entryAt, statsAt } from "./resolve-path.ts";

/** Until the function returns, each path is asked about once: a call is decided by one state of the disk, and no `stat` is free. */
export function withStatCache<T>(act: () => T): T {
  cache = [];
  try {
    return act();
  } finally {
    cache = undefined;
  }
}

/** What `stat` said of a path when it was first asked within `withStatCache`, and what it says now outside of it. What is not there is asked about again. */
export function cachedStat(path: string): Stats | undefined {
  const known = cache?.find((entry) => entry.path === path);
  if (known !== undefined) return known.stats;
  const stats = statsAt(path);
  if (stats !== undefined) cache?.push({ path, stats });
  return stats;
}

/**
 * What of a file differs whenever it changes, appears or goes away. Below a file there is nothing, and a folder that may
 * not be searched stays that way until the folder above it changes.
 */
export type FileStamp = Pick<Stats, "dev" | "ino" | "mode" | "uid" | "size" | "mtimeMs" | "ctimeMs"> | undefined;

/** Whether nothing happened to a file between two stamps. */
export function isUnchanged(before: FileStamp, after: FileStamp): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs &&
    before.size === after.size &&
    before.ino === after.ino &&
    before.dev === after.dev &&
    before.mode === after.mode &&
    before.uid === after.uid
  );
}

/** Whether the next change will show: the clocks of disks are coarse, and a file that changed just now may change again under the same stamp. */
export function isSettled(stamp: FileStamp, withinMs = SETTLED_MS): boolean {
  return stamp === undefined || Math.abs(Date.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs)) > withinMs;
}

/** The stamp that no file has. */
export const NEVER_SEEN: FileStamp = { dev: -1, ino: -1, mode: -1, uid: -1, size: -1, mtimeMs: -1, ctimeMs: -1 };

/**
 * What was made of a file's content, for as long as the file has the same stamp. A file that changed just now is read each
 * time; so is a symlink, and a path at which there is nothing.
 */
export class FileCache<Read> {
  readonly #known = new Map<string, { readonly stamp: FileStamp; readonly read: Read }>();

  /** `stats` is what `lstat` says of the file, where the caller has asked already. */
  read(path: string, read: () => Read, stats = entryAt(path)): Read {
    const isCacheable = stats?.isFile() && Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) >= COARSE_MS;
    const known = isCacheable ? this.#known.get(path) : undefined;
    if (known !== undefined && isUnchanged(known.stamp, stats)) return known.read;
    const fresh = read();
    this.#known.delete(path);
    if (this.#known.size >= MOST_FILES) this.#known.clear();
    // The stamp from before the file was read must still hold after it.
    if (isCacheable && isUnchanged(stats, entryAt(path))) this.#known.set(path, { stamp: stats, read: fresh });
    return fresh;
  }
}

/** The entries of the call that is being decided; it asks about a handful of paths. */
let cache: { readonly path: string; readonly stats: Stats }[] | undefined;

/** Some file systems keep times in steps of two seconds. */
const SETTLED_MS = 2000;
const COARSE_MS = 100;
const MOST_FILES = 200;
