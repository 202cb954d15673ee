import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeDir } from "./make-dir.ts";
import { resolvePath } from "./resolve-path.ts";

/**
 * Replaces the content of a user's file all at once: a reader sees the old text or the new one, never half of it. A symlink
 * stays one, and the file it leads to is replaced, also when that is not there yet; mode and owner stay. With `replace` a
 * symlink itself is replaced: a project could lead it anywhere. A device or a pipe (`/dev/stdout`) is written to, never replaced.
 */
export function writeAtomic(path: string, text: string | Uint8Array, symlinks: "follow" | "replace" = "follow"): void {
  const target = symlinks === "follow" ? resolvePath(path).path : path;
  const folder = dirname(target);
  const before = symlinks === "follow" ? statSync(target, { throwIfNoEntry: false }) : undefined;
  if (before !== undefined && !before.isFile()) {
    named(target, () => writeFileSync(target, text));
    return;
  }
  makeDir(folder);
  replace(target, (draft) => writeLike(before, draft, text));
  syncFolder(folder);
}

/** Writes a file of Sluice's own state all at once, for its owner alone. A symlink at this path is replaced, not followed. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  replace(path, (draft) => writeFileSync(draft, content, { flag: "wx", mode: 0o600 }));
}

/** Makes a file that is not there yet, in one step; `false` when there is one already. */
export function createFile(path: string, content: string, mode = 0o666): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Gives a finished file its name, after its content is on the disk: no half of it is ever found under the name. */
export function moveIntoPlace(draft: string, path: string): void {
  syncPath(draft);
  renameSync(draft, path);
}

/** How the name of a file ends while it is being written. */
export const DRAFT = ".draft";

/** A name for this writer alone, hidden and in the same folder, so that the rename is one step. */
export function draftOf(target: string): string {
  const unique = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  return join(dirname(target), `.${basename(target)}.${unique}${DRAFT}`);
}

/** A draft that cannot be finished is removed. */
function replace(target: string, write: (draft: string) => void): void {
  const draft = draftOf(target);
  try {
    named(target, () => write(draft));
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A write that fails, on a full disk for example, does not say to which file; its error gets the name here. */
function named(target: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path: target });
    throw error;
  }
}

function writeLike(before: Stats | undefined, draft: string, text: string | Uint8Array): void {
  const file = openSync(draft, "wx", before === undefined ? 0o666 : 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (before === undefined) return;
  const own = statSync(draft);
  if (own.uid !== before.uid || own.gid !== before.gid) chownSync(draft, before.uid, before.gid);
  chmodSync(draft, before.mode & 0o7777);
}

/** Makes the new name last through a power cut, where the system can do that for folders. */
function syncFolder(folder: string): void {
  try {
    syncPath(folder);
  } catch {
    // The content is safe already.
  }
}

function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
