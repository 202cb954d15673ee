import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Replaces a file's content all at once: whoever reads it sees the old text or the new one, never half of it. */
export function writeAtomic(path: string, text: string): void {
  const target = followLinks(path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  const before = statSync(target, { throwIfNoEntry: false });
  const draft = join(folder, `.${basename(target)}.${process.pid}.${Date.now().toString(36)}.draft`);
  try {
    writeThrough(draft, text, before);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** A link stays a link: the file it leads to is replaced, also when that is not there yet. */
function followLinks(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  const link = lstatSync(path, { throwIfNoEntry: false });
  return link?.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
}

function writeThrough(draft: string, text: string, before: Stats | undefined): void {
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
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // The content is safe already.
  }
}
