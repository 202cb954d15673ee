import type { Stats } from "node:fs";
import { entryAt, statsAt } from "./resolve-path.ts";

/** Calls `stat` once for each path until the function returns, so that one state of the disk decides a call. */
export function withStatCache<T>(act: () => T): T {
  cache = [];
  try {
    return act();
  } finally {
    cache = undefined;
  }
}

/** The first result of `stat` within `withStatCache`; outside of it, the current one. A missing file is looked up again. */
export function cachedStat(path: string): Stats | undefined {
  const known = cache?.find((entry) => entry.path === path);
  if (known !== undefined) return known.stats;
  const stats = statsAt(path);
  if (stats !== undefined) cache?.push({ path, stats });
  return stats;
}

/** The attributes of a file that differ whenever it changes, appears or disappears. */
export type FileStamp = Pick<Stats, "dev" | "ino" | "mode" | "uid" | "size" | "mtimeMs" | "ctimeMs"> | undefined;

/** Whether a file has not changed between two stamps. */
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

/** Whether a further change would alter the stamp. File times are coarse: a file that has just changed may keep its stamp. */
export function isSettled(stamp: FileStamp, withinMs = SETTLED_MS): boolean {
  return stamp === undefined || Math.abs(Date.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs)) > withinMs;
}

/** The stamp that no file has. */
export const NEVER_SEEN: FileStamp = { dev: -1, ino: -1, mode: -1, uid: -1, size: -1, mtimeMs: -1, ctimeMs: -1 };

/** Caches what was computed from a file's content until its stamp changes. A recently changed file or a symlink is read each time. */
export class FileCache<Read> {
  readonly #known = new Map<string, { readonly stamp: FileStamp; readonly read: Read }>();

  /** The same for a file that is mostly missing: then undefined, because an `open` that fails costs ten times as much as `lstat`. */
  readPresent(path: string, read: () => Read): Read | undefined {
    const stats = entryAt(path);
    return stats === undefined ? undefined : this.read(path, read, stats);
  }

  /** `stats` is the result of `lstat`, if the caller has it already. */
  read(path: string, read: () => Read, stats = entryAt(path)): Read {
    const isCacheable = stats?.isFile() && Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) >= COARSE_MS;
    const known = isCacheable ? this.#known.get(path) : undefined;
    if (known !== undefined && isUnchanged(known.stamp, stats)) return known.read;
    const fresh = read();
    this.#known.delete(path);
    if (this.#known.size >= MAX_FILES) this.#known.clear();
    // The file must not have changed while it was read.
    if (isCacheable && isUnchanged(stats, entryAt(path))) this.#known.set(path, { stamp: stats, read: fresh });
    return fresh;
  }
}

/** The entries of the call that is being decided; there are only a few. */
let cache: { readonly path: string; readonly stats: Stats }[] | undefined;

/** Some file systems store times in steps of two seconds. */
const SETTLED_MS = 2000;
const COARSE_MS = 100;
const MAX_FILES = 200;
