import { type Dirent, readdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../event/attempt.ts";
import { type ReadFile, readOnce } from "../fs/read-once.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { type FileStamp, isSettled, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";

/** One view of the disk: every file is read once and every folder is listed once. */
export interface ObservedDisk {
  readonly read: ReadFile;
  readonly list: (folder: string) => readonly Dirent[];
  readonly isFolder: (path: string) => boolean;
  readonly isFile: (path: string) => boolean;
  /** Whether a second view would be the same, including the files that are missing. */
  isSame(): boolean;
}

/** Starts a view of the disk. */
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

/** Missing files by the nearest existing folder: none can appear without changing that folder. */
interface MissingFiles {
  readonly folder: string;
  stamp: FileStamp;
  readonly paths: string[];
}

function isStillMissing(group: MissingFiles): boolean {
  const now = statsAt(group.folder);
  if (isUnchanged(group.stamp, now)) return true;
  if (!group.paths.every((path) => statsAt(path) === undefined)) return false;
  // Another file appeared or disappeared; rely on this state of the folder from now on.
  group.stamp = isSettled(now) ? now : NEVER_SEEN;
  return true;
}

/** The nearest existing folder; the path itself if it is a dangling link, whose target may appear without changing a folder. */
function nearestFolder(path: string, look: (path: string) => Stats | undefined): string {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (entryAt(at) !== undefined) return path;
    if (look(dirname(at)) !== undefined) return dirname(at);
  }
  return path;
}

function entriesOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
