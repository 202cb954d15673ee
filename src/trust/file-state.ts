import type { Stats } from "node:fs";

/**
 * What of a file differs whenever it changes, appears or goes away. Below a file there is nothing, and what may not be looked
 * at stays that way until its folder changes.
 */
export type FileState = Pick<Stats, "dev" | "ino" | "mode" | "uid" | "size" | "mtimeMs" | "ctimeMs"> | undefined;

/** Whether nothing happened to a file between two looks. */
export function isUnchanged(before: FileState, after: FileState): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs &&
    before.size === after.size &&
    before.ino === after.ino &&
    before.dev === after.dev &&
    before.mode === after.mode &&
    before.uid === after.uid
  );
}

/** Whether the next change will be seen: clocks of disks are coarse, and what changed just now may change again without looking different. */
export function isSettled(state: FileState, withinMs = SETTLED_MS): boolean {
  return state === undefined || Math.abs(Date.now() - Math.max(state.mtimeMs, state.ctimeMs)) > withinMs;
}

/** No file looks like this. */
export const NEVER_SEEN: FileState = { dev: -1, ino: -1, mode: -1, uid: -1, size: -1, mtimeMs: -1, ctimeMs: -1 };

const SETTLED_MS = 2000;
