import { type Dirent, readdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { readOnce, type ReadFile } from "../fs/read-once.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { type FileStamp, isSettled, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";

/** One look at the disk: every file is read once and every folder listed once. */
export interface ObservedDisk {
  readonly read: ReadFile;
  readonly list: (folder: string) => readonly Dirent[];
  readonly isFolder: (path: string) => boolean;
  readonly isFile: (path: string) => boolean;
  /** Whether a second look would see the same, files included that were looked for and are not there. */
  isSame(): boolean;
}

/** Begins to look at the disk. */
export function observedDisk(): ObservedDisk {
  const there = new Map<string, FileStamp>();
  const missing = new Map<string, MissingFiles>();
  const seen = new Map<string, Stats | undefined>();
  const folders = new Map<string, readonly Dirent[]>();
  const read = readOnce();
  let isReliable = true;
  const watch = (path: string, stamp: FileStamp) => {
    there.set(path, stamp);
    isReliable &&= isSettled(stamp);
  };
  const look = (path: string): Stats | undefined => {
    if (seen.has(path)) return seen.get(path);
    const stats = statsAt(path);
    seen.set(path, stats);
    if (stats === undefined) {
      const folder = nearestFolder(path, look);
      const group = missing.get(folder) ?? { folder, stamp: NEVER_SEEN, paths: [] };
      group.paths.push(path);
      missing.set(folder, group);
    } else if (stats.isFile()) watch(path, stats);
    return stats;
  };
  return {
    read: (path) => (look(path)?.isFile() ? read(path) : undefined),
    list: (folder) => {
      const known = folders.get(folder);
      if (known !== undefined) return known;
      watch(folder, look(folder));
      const entries = entriesOf(folder);
      folders.set(folder, entries);
      return entries;
    },
    isFolder: (path) => look(path)?.isDirectory() ?? false,
    isFile: (path) => look(path)?.isFile() ?? false,
    isSame: () =>
      isReliable &&
      [...there].every(([path, stamp]) => isUnchanged(stamp, statsAt(path))) &&
      [...missing.values()].every(isStillMissing),
  };
}

/** Files that are not there, by the nearest folder that is: none can appear without changing that folder. */
interface MissingFiles {
  readonly folder: string;
  stamp: FileStamp;
  readonly paths: string[];
}

function isStillMissing(group: MissingFiles): boolean {
  const now = statsAt(group.folder);
  if (isUnchanged(group.stamp, now)) return true;
  if (!group.paths.every((path) => statsAt(path) === undefined)) return false;
  // Another file came or went; from now on this state of the folder is relied on.
  group.stamp = isSettled(now) ? now : NEVER_SEEN;
  return true;
}

/** The nearest folder that is there; the path itself where a link leads to nothing, which may change without any folder. */
function nearestFolder(path: string, look: (path: string) => Stats | undefined): string {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (entryAt(at) !== undefined) return path;
    if (look(dirname(at)) !== undefined) return dirname(at);
  }
  return path;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
