import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { readRegularFile } from "../../fs/regular-file.ts";
import { gitText } from "../../fs/run-git.ts";
import { blobId } from "../../fs/work-tree.ts";
import { type BytePath, bytePath, bytesOf, readPath } from "./byte-path.ts";
import { headNow, isHeadUnchanged } from "./git-head.ts";
import { type KeptCall, type KeptFile, type KeptRef, writeKept } from "./kept-call.ts";
import { hashOf } from "./object-store.ts";
import { entryAt } from "./snapshot.ts";

/** Notes what is at the paths when their call has ended: what differs from that at an undo was written later. */
export function noteAfter(folder: string, call: KeptCall): KeptCall {
  const after: Record<number, string> = {};
  for (const [at, file] of call.files.entries()) {
    const state = stateAt(file, readPath(file.path));
    if (state !== undefined) after[at] = state;
  }
  const noted = { ...call, refs: call.refs.map(refAfter), after };
  writeKept(folder, noted);
  return noted;
}

function refAfter(ref: KeptRef): KeptRef {
  const { folder, name, id, checkedOut, isOpen } = ref;
  if (checkedOut !== undefined) return { ...ref, left: headNow(folder) };
  const now = isOpen ? gitText(folder, ["rev-parse", "--verify", "--quiet", name]) : undefined;
  return now === undefined || now === id ? ref : { ...ref, movedTo: now };
}

/** Of a call that might have destroyed any of the files, branches and stashes, those that it has changed. */
export function changedOf(call: KeptCall): KeptCall {
  const began = Date.parse(call.at) - CLOCK_MS;
  const files = call.files.filter((file) => {
    const now = entryAt(readPath(file.path));
    // The system notes the time of every change by itself; nothing can set it back.
    if (now !== undefined && now.ctimeMs < began && hasSize(file, now)) return false;
    return !isAsItWas(file) || (file.kind === "file" && now?.mtimeMs !== file.mtime);
  });
  return { ...call, files, refs: movedOf(call.refs) };
}

/** What is checked out, and the branches, tags and stashes that are no longer what they were. */
function movedOf(refs: readonly KeptRef[]): readonly KeptRef[] {
  const present = new Map<string, ReadonlySet<string>>();
  return refs.filter(({ folder, name, id, checkedOut, index }) => {
    const now = present.get(folder) ?? refsNow(folder);
    present.set(folder, now);
    return checkedOut !== undefined || index !== undefined || !now.has(`${id} ${name}`);
  });
}

function refsNow(folder: string): ReadonlySet<string> {
  const refs = gitText(folder, ["for-each-ref", "--format=%(objectname) %(refname)"]) ?? "";
  const stashed = gitText(folder, ["reflog", "--format=%H refs/stash", "refs/stash"]) ?? "";
  return new Set([...refs.split("\n"), ...stashed.split("\n")]);
}

function hasSize({ kind, size, mtime }: KeptFile, now: Stats): boolean {
  return kind === "folder" ? now.isDirectory() : now.mtimeMs === mtime && (kind === "symlink" || now.size === size);
}

/** Whether everything that a call was about to destroy is as it was, whenever it was written. */
export function isUnchanged({ files, refs }: KeptCall): boolean {
  const isSettled = (ref: KeptRef) => (ref.checkedOut !== undefined || ref.isOpen === true) && isHeadUnchanged(ref);
  return refs.every(isSettled) && files.every(isAsItWas);
}

function isAsItWas(file: KeptFile): boolean {
  const path = readPath(file.path);
  const now = entryAt(path);
  return now !== undefined && !hasOtherAccess(file, now) && isSame(file, path, now);
}

/** Whether something has another mode or owner than it had; symlinks have no mode of their own. */
export function hasOtherAccess({ kind, mode, owner }: KeptFile, now: Stats): boolean {
  if (owner !== undefined && (now.uid !== owner[0] || now.gid !== owner[1])) return true;
  return kind !== "symlink" && (now.mode & 0o7777) !== mode;
}

/** What of a kept file is not as it was, after an undo; undefined if all of it is. */
export function differenceOf(file: KeptFile, path: BytePath, checksTime: boolean): string | undefined {
  const now = entryAt(path);
  if (now === undefined) return "it is not there";
  if (!isSame(file, path, now))
    return file.kind === "symlink" ? "it does not lead where it led" : "its content is not what was kept";
  if (hasOtherAccess(file, now)) {
    const text = (mode: number, owner: readonly number[]) => `mode ${mode.toString(8)} of ${owner.join(":")}`;
    const [is, was] = [text(now.mode & 0o7777, [now.uid, now.gid]), text(file.mode, file.owner ?? [now.uid, now.gid])];
    return `its content is back; it has ${is}, and had ${was}`;
  }
  // Some file systems note whole seconds alone.
  return checksTime && file.loss !== "access" && Math.abs(now.mtimeMs - file.mtime) > COARSE_MS
    ? "its content is back; when it was last written is not"
    : undefined;
}

/** Whether what is at a path is what was kept of it, apart from mode and owner. */
export function isSame({ kind, hash, git: blob, size, target, loss }: KeptFile, path: BytePath, now: Stats): boolean {
  if (loss === "access" && kind !== "symlink") return kind === "folder" ? now.isDirectory() : now.isFile();
  switch (kind) {
    case "folder":
      return now.isDirectory();
    case "symlink":
      return (
        now.isSymbolicLink() &&
        target !== undefined &&
        bytePath(readlinkSync(bytesOf(path), "buffer")) === readPath(target)
      );
    case "file": {
      if (!now.isFile() || now.size !== size) return false;
      if (hash !== undefined) return hashOf(bytesOf(path)).hash === hash;
      return blob !== undefined && blobId(readRegularFile(bytesOf(path)), blob.length) === blob;
    }
  }
}

/** What is at a path: the hash of a file, where a link leads, an empty folder; the mode and owner where only they were kept. */
export function stateAt({ loss }: Pick<KeptFile, "loss">, path: BytePath): string | undefined {
  try {
    const bytes = bytesOf(path);
    const now = lstatSync(bytes);
    if (loss === "access") return `${now.mode & 0o7777} ${now.uid}:${now.gid}`;
    if (now.isSymbolicLink()) return `-> ${readlinkSync(bytes, "latin1")}`;
    if (now.isDirectory()) return readdirSync(bytes).length === 0 ? "empty folder" : undefined;
    return hashOf(bytes).hash;
  } catch {
    return undefined;
  }
}

const COARSE_MS = 2000;
/** The system's clock for files may be late by this much. */
const CLOCK_MS = 20;
