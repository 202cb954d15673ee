import {
  chmodSync,
  copyFileSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { whileLocked } from "../../fs/lock.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { git } from "../../fs/run-git.ts";
import { blobId } from "../../fs/work-tree.ts";
import { errorText } from "../../problem/problem.ts";
import { fingerprint } from "../../trace/fingerprint.ts";
import { isSame, noteAfter, stateAt } from "./after-call.ts";
import { type BytePath, bytePath, bytesOf, isInside, parentOf, pathText, readPath } from "./byte-path.ts";
import { indexedByGit } from "./git.ts";
import { type KeptCall, type KeptFile, keptByName, nameOf, objectsFolder, writeKept } from "./kept-call.ts";
import { ObjectStore } from "./object-store.ts";
import { type ContentReader, restoreRefs, type Undone } from "./restore-refs.ts";
import { entryAt, inodeOf, LARGE } from "./snapshot.ts";

/** How an undo goes about it. */
export interface UndoOptions {
  /** Only these files, and what lies in these folders. */
  readonly paths?: readonly string[];
  /** Keeps what files hold now, before something is written over that may be newer than the call. */
  readonly keepPresent?: ((paths: readonly BytePath[]) => KeptCall) | undefined;
  /** Also files that have changed since. */
  readonly isForced?: boolean;
  /** Nothing is written. */
  readonly isDry?: boolean;
}

/**
 * Brings back what a call destroyed. Interrupted, it can be run again: what is back already stays. One undo waits for another,
 * so that no two of them write the same file.
 */
export function undoCall(folder: string, call: KeptCall, options: UndoOptions = {}): Undone {
  if (options.isDry) return undoAlone(folder, call, options);
  const now = () => keptByName(folder, nameOf(call)) ?? call;
  const done = whileLocked(join(folder, "undo.lock"), () => undoAlone(folder, now(), options), LONGEST_WAIT_MS);
  return done ?? { restored: [], same: [], left: [{ path: call.root, why: "another undo is still at work" }] };
}

function undoAlone(folder: string, call: KeptCall, options: UndoOptions): Undone {
  const { paths, keepPresent, isForced = false, isDry = false } = options;
  const wanted = paths?.map((path) => bytePath(path));
  const chosen = call.files
    .map((file, at) => ({ file, at, path: readPath(file.path) }))
    .filter(({ path }) => wanted?.some((one) => isInside(path, one)) ?? true);
  const indexes = new Map<string, ReadonlyMap<BytePath, string>>();
  const indexed = (path: BytePath) => {
    const folder = repositoryOf(path, call.root);
    const index = indexes.get(folder) ?? indexedByGit(folder);
    indexes.set(folder, index);
    return index.get(path);
  };
  const leadsAway = (path: BytePath) => isBelowSymlink(path, call.root);
  const judged = chosen.map((one) => ({
    ...one,
    verdict: leadsAway(one.path) ? ("below a symlink" as const) : verdictOn(one.file, one.path, call, one.at, indexed),
  }));
  const isLeft = (verdict: FileVerdict) =>
    (verdict === "changed" && !isForced) || (verdict === "untold" && !keepPresent);
  const conflicting = judged.filter(
    ({ verdict }) => (verdict === "changed" || verdict === "untold") && !isLeft(verdict),
  );
  let present: KeptCall | undefined;
  if (!isDry) {
    writeKept(folder, { ...call, undoing: new Date().toISOString() });
    if (keepPresent !== undefined && conflicting.length > 0) {
      present = keepPresent(conflicting.map(({ path }) => path));
      for (const { path, file } of conflicting) clearFor(file, path);
    }
  }
  const content = contentReader(folder, call);
  const restored: string[] = [];
  const same: string[] = [];
  const left: { path: string; why: string }[] = (wanted ?? [])
    .filter((one) => !chosen.some(({ path }) => isInside(path, one)))
    .map((one) => ({ path: pathText(one), why: "this call destroyed nothing there" }));
  const names = new Map<string, BytePath>();
  for (const { file, path, verdict } of judged) {
    if (leadsAway(path)) left.push({ path: pathText(path), why: "a folder above it is a symlink now" });
    else if (verdict === "same") {
      if (file.inode !== undefined) names.set(file.inode, path);
      same.push(pathText(path));
      if (!isDry && file.kind === "file" && (call.after !== undefined || call.undoing !== undefined))
        asItWas(file, path);
    } else if (isLeft(verdict)) left.push({ path: pathText(path), why: CHANGED_SINCE });
    else {
      if (!isDry && verdict === "by the call") clearFor(file, path);
      const why = isDry ? undefined : restoreFile(file, path, content, names);
      if (why === undefined) restored.push(pathText(path));
      else left.push({ path: pathText(path), why });
    }
  }
  if (!isDry) finishFolders(judged.filter(({ path }) => !leadsAway(path) && entryAt(path)?.isDirectory()));
  const refs = wanted === undefined ? restoreRefs(call, content, isDry) : NO_REFS;
  restored.push(...refs.restored);
  same.push(...refs.same);
  left.push(...refs.left);
  if (!isDry) {
    const { undoing: _, ...rest } = call;
    writeKept(folder, left.length === 0 && wanted === undefined ? { ...rest, state: "undone" } : rest);
    // What this undo leaves is known, so that it can be undone.
    if (present !== undefined) noteAfter(folder, present);
  }
  return { restored, same, left, ...(present === undefined ? {} : { present: present.id }) };
}

/** Nothing is written or removed through a symlink that was put in the place of a folder: it may lead anywhere. */
function isBelowSymlink(path: BytePath, root: string): boolean {
  const base = bytePath(root);
  for (let folder = parentOf(path); isInside(folder, base) && folder !== base; folder = parentOf(folder))
    if (entryAt(folder)?.isSymbolicLink()) return true;
  return false;
}

/** The folder in which git knows a file: that of a submodule or another repository inside the project, else the project. */
function repositoryOf(path: BytePath, root: string): string {
  const base = bytePath(root);
  for (let folder = parentOf(path); isInside(folder, base) && folder !== base; folder = parentOf(folder))
    if (entryAt(`${folder}/.git`) !== undefined) return pathText(folder);
  return root;
}

/** `untold`: the agent did not tell when the call had ended, so that it may have left this, or a person may have written it since. */
type FileVerdict = "gone" | "same" | "by the call" | "changed" | "untold" | "below a symlink";

function verdictOn(
  file: KeptFile,
  path: BytePath,
  call: KeptCall,
  at: number,
  indexed: (path: BytePath) => string | undefined,
): FileVerdict {
  const now = entryAt(path);
  if (now === undefined) return "gone";
  if (isSame(file, path, now)) return "same";
  if (call.after !== undefined)
    return call.after[at] !== undefined && stateAt(path) === call.after[at] ? "by the call" : "changed";
  if (file.loss === "removed" || !now.isFile() || file.kind !== "file") return "changed";
  // Without the event after the call, an empty file and one that is what git's index holds are known to be its own.
  const blob = now.size === 0 ? undefined : indexed(path);
  const isOwn = now.size === 0 || (blob !== undefined && blobId(readRegularFile(bytesOf(path)), blob.length) === blob);
  if (isOwn) return "by the call";
  // What a rule would have stopped leaves nothing, or what git holds; an ordinary call may have written anything.
  return call.quiet && now.mtimeMs - Date.parse(call.at) < LONGEST_CALL_MS ? "untold" : "changed";
}

/** Why a file is left alone that force would bring back. */
export const CHANGED_SINCE = "it has changed since";

/** What is written later than this was not written by the call. */
const LONGEST_CALL_MS = 30 * 60_000;

/** Removes what stands where something of another kind comes back; it was kept a moment ago. */
function clearFor({ kind }: KeptFile, path: BytePath): void {
  const now = entryAt(path);
  if (now === undefined || (now.isDirectory() && kind === "folder") || (now.isFile() && kind === "file")) return;
  rmSync(bytesOf(path), { recursive: true, force: true });
}

function contentReader(folder: string, { root, files }: KeptCall): ContentReader {
  const store = new ObjectStore(objectsFolder(folder));
  let blobs: ReadonlyMap<string, Buffer> | undefined;
  return {
    stored: (hash) => store.read(hash),
    copy: (hash, target) => store.copyTo(hash, target),
    inGit: (id) => {
      blobs ??= blobsIn(
        root,
        files.flatMap(({ git: blob }) => blob ?? []),
      );
      return blobs.get(id);
    },
  };
}

/** Asks git for many files at once. */
function blobsIn(root: string, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  const printed = git(root, ["cat-file", "--batch"], `${[...new Set(ids)].join("\n")}\n`);
  for (let at = 0; printed !== undefined && at < printed.length; ) {
    const end = printed.indexOf(10, at);
    const [id = "", type, size] = printed.toString("latin1", at, end).split(" ");
    if (type !== "blob") at = end + 1;
    else {
      blobs.set(id, printed.subarray(end + 1, end + 1 + Number(size)));
      at = end + 2 + Number(size);
    }
  }
  return blobs;
}

/** Puts one thing back; why it could not, if so. */
function restoreFile(
  file: KeptFile,
  path: BytePath,
  content: ContentReader,
  names: Map<string, BytePath>,
): string | undefined {
  try {
    mkdirSync(bytesOf(parentOf(path)), { recursive: true });
    if (file.kind === "folder") {
      mkdirSync(bytesOf(path), { recursive: true, mode: 0o700 });
      return undefined;
    }
    if (file.kind === "symlink") {
      symlinkSync(bytesOf(readPath(file.target ?? "")), bytesOf(path));
      asItWas(file, path);
      return undefined;
    }
    const isLarge = file.hash !== undefined && file.size > LARGE;
    const bytes = file.hash === undefined ? content.inGit(file.git ?? "") : isLarge ? NONE : content.stored(file.hash);
    if (bytes === undefined || (!isLarge && bytes.length !== file.size)) return GONE;
    const draft = `${parentOf(path)}/${UNDO_DRAFT}${fingerprint(path)}`;
    rmSync(bytesOf(draft), { force: true });
    const other = names.get(file.inode ?? "");
    if (file.inode !== undefined) names.set(file.inode, path);
    try {
      if (other !== undefined) {
        // Another name of a file that is back.
        linkSync(bytesOf(other), bytesOf(draft));
        renameSync(bytesOf(draft), bytesOf(path));
        rmSync(bytesOf(draft), { force: true });
        return undefined;
      }
      if (!isLarge) writeFileSync(bytesOf(draft), bytes, { flag: "wx", mode: 0o600 });
      else if (!content.copy(file.hash ?? "", bytesOf(draft))) return GONE;
      if (hasOtherNames(file, path)) {
        copyFileSync(bytesOf(draft), bytesOf(path));
        asItWas(file, path);
        rmSync(bytesOf(draft));
      } else {
        asItWas(file, draft);
        renameSync(bytesOf(draft), bytesOf(path));
      }
    } catch (error) {
      rmSync(bytesOf(draft), { force: true });
      throw error;
    }
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** Whether a file that was written over is still there under several names: all of them get its content back. */
function hasOtherNames({ inode }: KeptFile, path: BytePath): boolean {
  if (inode === undefined) return false;
  const now = entryAt(path);
  return now?.isFile() === true && now.nlink > 1 && inodeOf(now) === inode;
}

/** What holds what it held has its owner, mode and time again. A folder comes last: what is put into it changes its time. */
function asItWas({ kind, mode, mtime, owner }: KeptFile, path: BytePath): void {
  const bytes = bytesOf(path);
  try {
    if (owner !== undefined) given(owner, bytes);
    // Symlinks have no mode of their own.
    if (kind !== "symlink") chmodSync(bytes, mode);
    lutimesSync(bytes, mtime / 1000, mtime / 1000);
  } catch {
    // Its content is what it was.
  }
}

/** Only root can give a file to another user. */
function given([user, group]: NonNullable<KeptFile["owner"]>, path: Buffer): void {
  try {
    lchownSync(path, user, group);
  } catch {
    // It is there, and the user's own.
  }
}

/** A folder may be read-only, and has its time from what was put into it. */
function finishFolders(files: readonly { readonly file: KeptFile; readonly path: BytePath }[]): void {
  for (const { file, path } of [...files].reverse()) if (file.kind === "folder") asItWas(file, path);
}

const GONE = "what was kept of it is gone";
const NONE = Buffer.alloc(0);
const LONGEST_WAIT_MS = 60_000;
/** How the name of a file begins while it is brought back; the next undo replaces what a killed one has left. */
const UNDO_DRAFT = ".sluice-undo-";
const NO_REFS: Undone = { restored: [], same: [], left: [] };
