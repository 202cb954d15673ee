import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { realPathBytes } from "../fs/resolve-path.ts";
import { type BytePath, bytePath, bytesOf, parentOf, pathText } from "../policies/undo/byte-path.ts";
import { entryOf, type LayerChange } from "./read-changes.ts";

/**
 * Does on the disk what a program did in its box. Each file takes its place in one step, whole. Interrupted, it can be run again:
 * what is done already is not in the box any more.
 */
export function commitChanges(changes: readonly LayerChange[]): void {
  const deletions = changes.filter(({ change }) => change === "deleted");
  // What is deepest goes first.
  for (const { path } of [...deletions].reverse()) remove(path);
  const folders: LayerChange[] = [];
  for (const change of changes) {
    if (change.upper === undefined) continue;
    checkParents(change.path);
    if (change.kind === "folder") {
      makeFolder(change);
      folders.push(change);
    } else place(change, change.upper);
  }
  // A folder that may not be written to gets its mode when everything is in it.
  for (const change of folders.reverse()) finishFolder(change);
}

/** Nothing is written through a symlink that was put in the place of a folder in the meantime. */
function checkParents(path: BytePath): void {
  const parent = parentOf(path);
  const found = entryOf(parent);
  if (found === undefined) {
    checkParents(parent);
    mkdirSync(bytesOf(parent));
  } else if (bytePath(realPathBytes(bytesOf(parent))) !== parent)
    throw new Error(`${pathText(parent)} leads through a symlink now`);
}

function remove(path: BytePath): void {
  rmSync(bytesOf(path), { recursive: true, force: true });
}

function makeFolder({ path }: LayerChange): void {
  const found = entryOf(path);
  if (found !== undefined && !found.isDirectory()) remove(path);
  if (found === undefined || !found.isDirectory()) mkdirSync(bytesOf(path), { mode: 0o700 });
  else if ((found.mode & 0o700) !== 0o700) chmodSync(bytesOf(path), (found.mode & 0o7777) | 0o700);
}

function finishFolder({ path, now }: LayerChange): void {
  if (now === undefined) return;
  const found = lstatSync(bytesOf(path));
  if (found.uid !== now.uid || found.gid !== now.gid) lchownSync(bytesOf(path), now.uid, now.gid);
  chmodSync(bytesOf(path), now.mode & 0o7777);
  utimesSync(bytesOf(path), now.atimeMs / 1000, now.mtimeMs / 1000);
}

/**
 * A file that the program has made is moved. The overlay has left marks of its own at one that was there before, which a copy
 * does not have.
 */
function place({ path, kind, before, now, change }: LayerChange, upper: BytePath): void {
  if (now === undefined) return;
  const target = entryOf(path);
  if (change === "mode" && target?.isFile()) {
    if (target.uid !== now.uid || target.gid !== now.gid) lchownSync(bytesOf(path), now.uid, now.gid);
    chmodSync(bytesOf(path), now.mode & 0o7777);
    return;
  }
  if (target?.isDirectory()) remove(path);
  if (before === undefined && isMoved(upper, path)) return;
  const draft = `${path}.${process.pid}.sluice-draft`;
  try {
    if (kind === "symlink") symlinkSync(readlinkSync(bytesOf(upper), "buffer"), bytesOf(draft));
    else if (kind === "file")
      copyFileSync(bytesOf(upper), bytesOf(draft), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else throw new Error(`${pathText(path)} is neither a file nor a folder nor a symlink`);
    const made = lstatSync(bytesOf(draft));
    if (made.uid !== now.uid || made.gid !== now.gid) lchownSync(bytesOf(draft), now.uid, now.gid);
    if (kind === "file") chmodSync(bytesOf(draft), now.mode & 0o7777);
    lutimesSync(bytesOf(draft), now.atimeMs / 1000, now.mtimeMs / 1000);
    renameSync(bytesOf(draft), bytesOf(path));
  } catch (error) {
    rmSync(bytesOf(draft), { force: true });
    throw error;
  }
  rmSync(bytesOf(upper), { force: true });
}

function isMoved(upper: BytePath, path: BytePath): boolean {
  try {
    renameSync(bytesOf(upper), bytesOf(path));
    return true;
  } catch (error) {
    // The box is on another disk.
    if ((error as NodeJS.ErrnoException).code === "EXDEV") return false;
    throw error;
  }
}
