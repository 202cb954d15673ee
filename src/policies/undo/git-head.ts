import { rmSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { git, gitText } from "../../fs/run-git.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import type { KeptRef } from "./kept-call.ts";
import { type ContentStore, hashOf, namesIn } from "./object-store.ts";

type Ref = Omit<KeptRef, "heldBy">;

/** What is checked out, the branch of it, the index, and a merge or rebase in progress; `left` is what the call checks out. */
export function headOf(folder: string, store: ContentStore, left?: string): Ref[] {
  const now = headAt(folder);
  if (now === undefined) return [];
  const { id, branch } = now;
  const to = left === undefined ? undefined : placeNamed(folder, left);
  const head = { folder, name: "HEAD", id, checkedOut: branch, ...(to === undefined ? {} : { left: to }) };
  return [
    { ...head, ...besideHead(now.index, store) },
    ...(branch === "" ? [] : [{ folder, name: branch, id, isOpen: true }]),
  ];
}

/** The branch that a reset moves away from its commit, with the index that it replaces. */
export function movedHead(folder: string, target: string, store: ContentStore): Ref[] {
  const now = headAt(folder);
  if (now === undefined) return [];
  return [
    { folder, name: now.branch || "HEAD", id: now.id, movedTo: target, isOpen: true, ...besideHead(now.index, store) },
  ];
}

/** The commit that is checked out, its branch or an empty text, and the path of the index. */
function headAt(
  folder: string,
): { readonly id: string; readonly branch: string; readonly index: string | undefined } | undefined {
  const said = gitText(folder, ["rev-parse", "--git-path", "index", "HEAD", "--symbolic-full-name", "HEAD"]);
  if (said === undefined) return undefined;
  const [path = "", id = "", branch = "", ...more] = said.split("\n");
  if (branch !== "" && more.length === 0)
    return { id, branch: branch === "HEAD" ? "" : branch, index: isAbsolute(path) ? path : resolve(folder, path) };
  // A branch is called HEAD too, or a folder has a name of several lines: each is asked for alone.
  const alone = gitText(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const named = gitText(folder, ["symbolic-ref", "--quiet", "HEAD"]) ?? "";
  return alone === undefined ? undefined : { id: alone, branch: named, index: indexPath(folder) };
}

/** The branch that is checked out, or the commit where there is none. */
export function headNow(folder: string): string {
  return (
    gitText(folder, ["symbolic-ref", "--quiet", "HEAD"]) ??
    gitText(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]) ??
    ""
  );
}

/** Whether what is checked out, its branch and the index are as they were. */
export function isHeadUnchanged(ref: KeptRef): boolean {
  const { folder, name, id, checkedOut } = ref;
  if (gitText(folder, ["rev-parse", "--verify", "--quiet", name]) !== id) return false;
  if (checkedOut === undefined) return true;
  return headNow(folder) === (checkedOut || id) && isIndexBack(ref);
}

/** Whether the index, and what git notes of a merge, are as they were kept. */
export function isIndexBack({ folder, index, merging }: Pick<KeptRef, "folder" | "index" | "merging">): boolean {
  const path = indexPath(folder);
  if (path === undefined || index !== hashAt(path)) return false;
  return JSON.stringify(mergingAt(dirname(path)).merging) === JSON.stringify(merging);
}

/** Puts back the index, and what git notes of a merge; what the call has begun is no longer in progress. */
export function restoreBesideHead({ folder, merging = {} }: KeptRef, index: Buffer | undefined): void {
  const path = indexPath(folder);
  if (path === undefined || index === undefined) return;
  writePrivate(path, index);
  const repository = dirname(path);
  for (const name of [...MERGING, ...MERGING_FOLDERS]) rmSync(join(repository, name), { recursive: true, force: true });
  for (const [file, text] of Object.entries(merging)) {
    makeDir(dirname(join(repository, file)));
    writePrivate(join(repository, file), text);
  }
}

/** Checks out without touching files: they have come back by themselves. */
export function setHead(folder: string, branch: string, id: string): boolean {
  const set =
    branch === ""
      ? git(folder, ["update-ref", "-m", NOTE, "--no-deref", "HEAD", id])
      : git(folder, ["symbolic-ref", "-m", NOTE, "HEAD", branch]);
  return set !== undefined;
}

function placeNamed(folder: string, name: string): string | undefined {
  const branch = `refs/heads/${name}`;
  if (gitText(folder, ["rev-parse", "--verify", "--quiet", branch]) !== undefined) return branch;
  return name === "HEAD" ? headNow(folder) : gitText(folder, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
}

function besideHead(path: string | undefined, store: ContentStore): Pick<KeptRef, "index" | "merging"> {
  if (path === undefined) return {};
  const index = indexOf(path, store);
  return { ...(index === undefined ? {} : { index }), ...mergingAt(dirname(path)) };
}

function indexPath(folder: string): string | undefined {
  const path = gitText(folder, ["rev-parse", "--git-path", "index"]);
  return path === undefined || isAbsolute(path) ? path : resolve(folder, path);
}

/** A merge, rebase, pick or revert in progress may end with the call. */
function mergingAt(folder: string): Pick<KeptRef, "merging"> {
  const names = [
    ...MERGING,
    ...MERGING_FOLDERS.flatMap((name) => namesIn(join(folder, name)).map((one) => `${name}/${one}`)),
  ];
  const notes = names.flatMap((name) => {
    try {
      return [[name, readRegularFile(join(folder, name)).toString()] as const];
    } catch {
      return [];
    }
  });
  return notes.length === 0 ? {} : { merging: Object.fromEntries(notes) };
}

function indexOf(path: string, store: ContentStore): string | undefined {
  return attempt(() => store.put(readRegularFile(path)).hash);
}

function hashAt(path: string): string | undefined {
  return attempt(() => hashOf(Buffer.from(path)).hash);
}

/** What the log of references has about an undo. */
const NOTE = "sluice undo";
/** The files in which git notes what is in progress. */
const MERGING = [
  ...["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD"],
  ...["REBASE_HEAD", "BISECT_LOG", "BISECT_NAMES", "BISECT_START", "BISECT_TERMS"],
];
const MERGING_FOLDERS = ["rebase-merge", "rebase-apply", "sequencer"];
