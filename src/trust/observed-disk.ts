import { type Dirent, readdirSync } from "node:fs";
import { readOnce, type ReadFile } from "../fs/read-once.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { type FileStamp, isSettled, isUnchanged } from "../fs/stat-cache.ts";

/** One look at the disk: every file is read once and every folder listed once. */
export interface ObservedDisk {
  readonly read: ReadFile;
  readonly list: (folder: string) => readonly Dirent[];
  /** Whether a second look would see the same, files included that were looked for and are not there. */
  isSame(): boolean;
}

/** Begins to look at the disk. */
export function observedDisk(): ObservedDisk {
  const stamps = new Map<string, FileStamp>();
  const folders = new Map<string, readonly Dirent[]>();
  const read = readOnce();
  let isReliable = true;
  const note = (path: string) => {
    if (stamps.has(path)) return;
    const stamp = statsAt(path);
    stamps.set(path, stamp);
    isReliable &&= isSettled(stamp);
  };
  return {
    read: (path) => {
      note(path);
      return read(path);
    },
    list: (folder) => {
      const known = folders.get(folder);
      if (known !== undefined) return known;
      note(folder);
      const entries = entriesOf(folder);
      folders.set(folder, entries);
      return entries;
    },
    isSame: () => isReliable && [...stamps].every(([path, stamp]) => isUnchanged(stamp, statsAt(path))),
  };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
