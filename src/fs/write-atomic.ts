import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
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
 * Replaces the content of a user's file atomically. A symlink stays, and its target is replaced or created; mode and owner
 * stay. With `replace` the symlink itself is replaced, because a project could point it anywhere. A device or a pipe
 * (`/dev/stdout`) is written to, never replaced.
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

/** Writes a file of Sluice's state atomically, for its owner alone. A symlink at this path is replaced, not followed. */
export function writePrivate(path: string, content: string | Uint8Array): void {
  replace(path, (draft) => writeFileSync(draft, content, { flag: "wx", mode: 0o600 }));
}

/** Creates a file in one step; false if it exists. */
export function createFile(path: string, content: string, mode = 0o666): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Gives a finished file its name, after its content is on the disk. */
export function moveIntoPlace(draft: string, path: string): void {
  syncPath(draft);
  renameSync(draft, path);
}

/** Puts a finished folder in the place of another one, which is removed. A rename leaves no moment without a whole folder in either place. */
export function moveFolderIntoPlace(draft: string, folder: string): void {
  const old = `${draft}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(draft, folder);
  rmSync(old, { recursive: true, force: true });
}

/** The suffix of a file that is being written. */
export const DRAFT = ".draft";

/** A unique hidden name in the same folder, so that the rename is one step. */
export function draftOf(target: string): string {
  const unique = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  return join(dirname(target), `.${basename(target)}.${unique}${DRAFT}`);
}

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

/** Adds the path to the error of a failed write, for example on a full disk, which does not name the file. */
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

/** Makes the new name survive a power cut, if the system can sync folders. The content is safe already. */
function syncFolder(folder: string): void {
  try {
    syncPath(folder);
  } catch {}
}

function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
