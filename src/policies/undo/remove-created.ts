import { rmdirSync, rmSync, type Stats } from "node:fs";
import { errorText } from "../../problem/problem.ts";
import { type BytePath, bytesOf, pathText, readPath, storedPath } from "./byte-path.ts";
import type { CreatedFile, KeptCall } from "./kept-call.ts";
import type { Undone } from "./restore-refs.ts";
import { entryAt } from "./snapshot.ts";

/** What a call has made at these paths, as it is now: what differs from that at an undo was written later. */
export function createdAt(paths: readonly BytePath[]): CreatedFile[] {
  return paths.flatMap((path) => {
    const now = entryAt(path);
    return now === undefined ? [] : [{ path: storedPath(path), ...stateOf(now) }];
  });
}

/** Removes what a call has made and that has not changed since, what is deepest first. */
export function removeCreated(
  { created = [] }: KeptCall,
  { isAsked, refuses, leadsAway, isDry }: RemoveContext,
): Pick<Undone, "left"> & { readonly removed: readonly string[] } {
  const removed: string[] = [];
  const left: { path: string; why: string }[] = [];
  for (const file of [...created].reverse()) {
    const path = readPath(file.path);
    const now = isAsked(path) ? entryAt(path) : undefined;
    if (now === undefined) continue;
    const why = leadsAway(path) ? "a folder above it is a symlink now" : refuses?.(pathText(path), file.kind);
    const failed = why ?? (isLater(file, now) ? MADE_AND_CHANGED : isDry ? undefined : whyNotRemoved(file, path));
    if (failed !== undefined) left.push({ path: pathText(path), why: failed });
    else removed.push(pathText(path));
  }
  return { removed: removed.reverse(), left };
}

interface RemoveContext {
  readonly isAsked: (path: BytePath) => boolean;
  readonly refuses: ((path: string, kind: CreatedFile["kind"]) => string | undefined) | undefined;
  readonly leadsAway: (path: BytePath) => boolean;
  readonly isDry: boolean;
}

function stateOf(now: Stats): Omit<CreatedFile, "path"> {
  const kind = now.isDirectory() ? "folder" : now.isSymbolicLink() ? "symlink" : "file";
  return { kind, size: kind === "folder" ? 0 : now.size, mtime: now.mtimeMs };
}

function isLater(file: CreatedFile, now: Stats): boolean {
  const { kind, size, mtime } = stateOf(now);
  return kind !== file.kind || (kind !== "folder" && (size !== file.size || mtime !== file.mtime));
}

function whyNotRemoved({ kind }: CreatedFile, path: BytePath): string | undefined {
  try {
    if (kind === "folder") rmdirSync(bytesOf(path));
    else rmSync(bytesOf(path));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOTEMPTY" ? "the call made this folder, and it holds files of others now" : errorText(error);
  }
}

const MADE_AND_CHANGED = "the call made it, and it has changed since";
