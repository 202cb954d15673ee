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
import { differenceOf, hasOtherAccess, isSame, noteAfter, stateAt } from "./after-call.ts";
import { type BytePath, bytePath, bytesOf, isInside, parentOf, pathText, readPath } from "./byte-path.ts";
import { namesOf } from "./effect-places.ts";
import { indexedByGit } from "./git.ts";
import { type KeptCall, type KeptFile, keptByName, nameOf, objectsFolder, writeKept } from "./kept-call.ts";
import { ObjectStore } from "./object-store.ts";
import { removeCreated } from "./remove-created.ts";
import { type ContentReader, restoreRefs, type Undone } from "./restore-refs.ts";
import { entryAt, inodeOf, LARGE } from "./snapshot.ts";

/** How an undo goes about it. */
export interface UndoOptions {
  /** Only these files, and the contents of these folders. */
  readonly paths?: readonly string[];
  /** Keeps what files hold now, before something is written over that may be newer than the call. */
  readonly keepPresent?: ((paths: readonly BytePath[]) => KeptCall) | undefined;
  /** Why a file is not brought back by this user; undefined if it is. */
  readonly refuses?: ((path: string, kind: KeptFile["kind"]) => string | undefined) | undefined;
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
  const { paths, keepPresent, refuses, isForced = false, isDry = false } = options;
  const wanted = paths?.map((path) => bytePath(path));
  const isAsked = (path: BytePath) => wanted?.some((one) => isInside(path, one)) ?? true;
  // A folder that is gone comes back, with its mode, for a file in it.
  const isAbove = (path: BytePath, { kind }: KeptFile) =>
    kind === "folder" && wanted?.some((one) => isInside(one, path)) && entryAt(path) === undefined;
  const chosen = call.files
    .map((file, at) => ({ file, at, path: readPath(file.path) }))
    .filter(({ file, path }) => isAsked(path) || isAbove(path, file));
  const indexes = new Map<string, ReadonlyMap<BytePath, string>>();
  const indexed = (path: BytePath) => {
    const folder = repositoryOf(path, call.root);
    const index = indexes.get(folder) ?? indexedByGit(folder);
    indexes.set(folder, index);
    return index.get(path);
  };
  const leadsAway = (path: BytePath) => isBelowSymlink(path, call.root);
  const made = removeCreated(call, { isAsked, refuses, leadsAway, isDry });
  const judged = chosen.map((one) => {
    const refused = refuses?.(pathText(one.path), one.file.kind);
    if (leadsAway(one.path)) return { ...one, verdict: "below a symlink" as const, refused };
    if (refused !== undefined) return { ...one, verdict: "refused" as const, refused };
    try {
      const verdict = verdictOn(one.file, one.path, call, one.at, indexed);
      if (!isDry && verdict === "access") openFolder(one);
      return { ...one, verdict, refused };
    } catch (error) {
      return { ...one, verdict: "refused" as const, refused: errorText(error) };
    }
  });
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
  const known = [...chosen.map(({ path }) => path), ...(call.created ?? []).map(({ path }) => readPath(path))];
  const left: { path: string; why: string }[] = (wanted ?? [])
    .filter((one) => !known.some((path) => isInside(path, one)))
    .map((one) => ({ path: pathText(one), why: "this call destroyed nothing there" }));
  const back: { file: KeptFile; path: BytePath; isNew: boolean; checksTime: boolean }[] = [];
  const leave = (path: BytePath, why: string) => left.push({ path: pathText(path), why });
  const names = new Map<string, BytePath>();
  const opened = new Map<BytePath, number>();
  const restoring = { content, names, opened, otherName: otherNames(chosen, call.root) };
  // An earlier undo may have stopped before it set times.
  const setsTimes = call.after !== undefined || call.undoing !== undefined;
  for (const { file, path, verdict, refused } of judged) {
    if (leadsAway(path)) leave(path, "a folder above it is a symlink now");
    else if (verdict === "refused") leave(path, refused ?? "");
    else if (verdict === "same" || verdict === "access") {
      if (file.inode !== undefined) names.set(file.inode, path);
      const checksTime = file.kind === "file" && file.loss !== "access" && (setsTimes || verdict === "access");
      if (!isDry && (verdict === "access" || checksTime)) asItWas(file, path, checksTime);
      back.push({ file, path, isNew: verdict === "access", checksTime });
    } else if (isLeft(verdict)) leave(path, CHANGED_SINCE);
    else if (file.loss === "access" && file.kind !== "symlink")
      leave(path, "it is gone, and only its mode and owner were kept");
    else {
      if (!isDry && verdict === "by the call") clearFor(file, path);
      const why = isDry ? whyNotThere(file, content) : restoreFile(file, path, restoring);
      if (why === undefined) back.push({ file, path, isNew: true, checksTime: true });
      else leave(path, why);
    }
  }
  if (!isDry) {
    finishFolders(back.filter(({ path }) => entryAt(path)?.isDirectory()));
    for (const [path, mode] of opened) chmodSync(bytesOf(path), mode);
  }
  const restored: string[] = [];
  const same: string[] = [];
  // Everything is looked at once more before it is reported.
  for (const { file, path, isNew, checksTime } of back) {
    const why = isDry ? undefined : differenceOf(file, path, checksTime);
    if (why !== undefined) leave(path, why);
    else if (isAsked(path)) (isNew ? restored : same).push(pathText(path));
  }
  const refs = wanted === undefined ? restoreRefs(call, content, isDry) : NO_REFS;
  restored.push(...refs.restored);
  same.push(...refs.same);
  left.push(...refs.left, ...made.left);
  if (!isDry) {
    const { undoing: _, ...rest } = call;
    writeKept(folder, left.length === 0 && wanted === undefined ? { ...rest, state: "undone" } : rest);
    // What this undo leaves is known, so that it can be undone.
    if (present !== undefined) noteAfter(folder, present);
  }
  const removed = call.created === undefined ? {} : { removed: made.removed };
  return { restored, same, ...removed, left, ...(present === undefined ? {} : { present: present.id }) };
}

/** A folder that its user may no longer enter is opened, so that what is in it can be looked at; it gets its mode at the end. */
function openFolder({ file, path }: { readonly file: KeptFile; readonly path: BytePath }): void {
  const now = entryAt(path);
  if (file.kind !== "folder" || !now?.isDirectory() || (now.mode & 0o700) === 0o700) return;
  try {
    chmodSync(bytesOf(path), (now.mode & 0o7777) | 0o700);
  } catch {
    // What is in it is left alone, and reported.
  }
}

/** Finds a name that a file with several names still has in the project. */
function otherNames(
  chosen: readonly { readonly file: KeptFile }[],
  root: string,
): (file: KeptFile) => BytePath | undefined {
  let found: ReadonlyMap<string, BytePath> | undefined;
  return (file) => {
    if (file.inode === undefined) return undefined;
    const inodes = new Set(chosen.flatMap(({ file: { inode } }) => inode ?? []));
    found ??= new Map(
      namesOf(inodes, bytePath(root)).flatMap(({ path }) => {
        const now = entryAt(path);
        return now === undefined ? [] : [[inodeOf(now), path] as const];
      }),
    );
    const path = found.get(file.inode);
    const now = path === undefined ? undefined : entryAt(path);
    return path !== undefined && now !== undefined && isSame(file, path, now) ? path : undefined;
  };
}

/** Why content cannot come back; undefined if it is there. */
function whyNotThere({ kind, hash, git: blob, size }: KeptFile, content: ContentReader): string | undefined {
  if (kind !== "file") return undefined;
  const isThere = hash === undefined ? content.inGit(blob ?? "")?.length === size : content.has(hash);
  return isThere ? undefined : GONE;
}

/** Nothing is written or removed through a symlink that was put in the place of a folder: it may lead anywhere. */
function isBelowSymlink(path: BytePath, root: string): boolean {
  // A file of the home was kept at its real place, so no folder above it was a symlink.
  const base = isInside(path, bytePath(root)) ? bytePath(root) : "/";
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

/**
 * `untold`: the agent did not report when the call had ended, so that the call may have left this, or a person may have
 * written it since. `access`: only its mode or owner is another one.
 */
type FileVerdict = "gone" | "same" | "access" | "by the call" | "changed" | "untold" | "below a symlink" | "refused";

function verdictOn(
  file: KeptFile,
  path: BytePath,
  call: KeptCall,
  at: number,
  indexed: (path: BytePath) => string | undefined,
): FileVerdict {
  const now = entryAt(path);
  if (now === undefined) return "gone";
  const isByCall = call.after?.[at] !== undefined && stateAt(file, path) === call.after[at];
  if (isSame(file, path, now)) {
    if (!hasOtherAccess(file, now)) return "same";
    return file.loss === "access" && call.after !== undefined && !isByCall ? "changed" : "access";
  }
  if (call.after !== undefined) return isByCall ? "by the call" : "changed";
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

/** Removes what is at a path where something of another kind comes back; it was kept a moment ago. */
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
    has: (hash) => store.has(hash),
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
function restoreFile(file: KeptFile, path: BytePath, restoring: Restoring): string | undefined {
  const { content, names, opened, otherName } = restoring;
  try {
    openParent(path, opened);
    mkdirSync(bytesOf(parentOf(path)), { recursive: true });
    if (file.kind === "folder") {
      mkdirSync(bytesOf(path), { recursive: true, mode: 0o700 });
      return undefined;
    }
    if (file.kind === "symlink") {
      symlinkSync(bytesOf(readPath(file.target ?? "")), bytesOf(path));
      asItWas(file, path, true);
      return undefined;
    }
    const isLarge = file.hash !== undefined && file.size > LARGE;
    const bytes = file.hash === undefined ? content.inGit(file.git ?? "") : isLarge ? NONE : content.stored(file.hash);
    if (bytes === undefined || (!isLarge && bytes.length !== file.size)) return GONE;
    const draft = `${parentOf(path)}/${UNDO_DRAFT}${fingerprint(path)}`;
    rmSync(bytesOf(draft), { force: true });
    const other = names.get(file.inode ?? "") ?? otherName(file);
    if (file.inode !== undefined) names.set(file.inode, path);
    try {
      if (other !== undefined) {
        // Another name of a file that is back.
        linkSync(bytesOf(other), bytesOf(draft));
        renameSync(bytesOf(draft), bytesOf(path));
        rmSync(bytesOf(draft), { force: true });
        asItWas(file, path, true);
        return undefined;
      }
      if (!isLarge) writeFileSync(bytesOf(draft), bytes, { flag: "wx", mode: 0o600 });
      else if (!content.copy(file.hash ?? "", bytesOf(draft))) return GONE;
      if (hasOtherNames(file, path)) {
        copyFileSync(bytesOf(draft), bytesOf(path));
        asItWas(file, path, true);
        rmSync(bytesOf(draft));
      } else {
        asItWas(file, draft, true);
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

/** What bringing back one file needs. */
interface Restoring {
  readonly content: ContentReader;
  /** The files with several names that are back, by their number. */
  readonly names: Map<string, BytePath>;
  /** Folders that were opened for writing, with their modes. */
  readonly opened: Map<BytePath, number>;
  readonly otherName: (file: KeptFile) => BytePath | undefined;
}

/** The folder above may be read-only. */
function openParent(path: BytePath, opened: Map<BytePath, number>): void {
  const parent = parentOf(path);
  const now = entryAt(parent);
  if (!now?.isDirectory() || (now.mode & 0o300) === 0o300) return;
  chmodSync(bytesOf(parent), (now.mode & 0o7777) | 0o300);
  if (!opened.has(parent)) opened.set(parent, now.mode & 0o7777);
}

/** Gives a file its owner, mode and time again. What cannot be set is found when everything is looked at once more. */
function asItWas({ kind, mode, mtime, owner }: KeptFile, path: BytePath, setsTime: boolean): void {
  const bytes = bytesOf(path);
  if (owner !== undefined) given(owner, bytes);
  try {
    // Symlinks have no mode of their own.
    if (kind !== "symlink") chmodSync(bytes, mode);
    if (setsTime) lutimesSync(bytes, mtime / 1000, mtime / 1000);
  } catch {
    // The difference is reported.
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
  for (const { file, path } of [...files].reverse()) if (file.kind === "folder") asItWas(file, path, true);
}

const GONE = "what was kept of it is gone";
const NONE = Buffer.alloc(0);
const LONGEST_WAIT_MS = 60_000;
/** How the name of a file begins while it is brought back; the next undo replaces what a killed one has left. */
const UNDO_DRAFT = ".sluice-undo-";
const NO_REFS: Undone = { restored: [], same: [], left: [] };
