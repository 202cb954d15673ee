import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import type { StoredPath } from "./byte-path.ts";

/** One file, folder or symlink as it was before the call. */
export interface KeptFile {
  readonly path: StoredPath;
  readonly kind: "file" | "folder" | "symlink";
  readonly mode: number;
  /** Whose it is, user and group, where it is not the user's own. */
  readonly owner?: readonly [user: number, group: number] | undefined;
  /** When it was last written, in milliseconds. */
  readonly mtime: number;
  readonly size: number;
  /** The SHA-256 hash of its content, where the store holds it. */
  readonly hash?: string | undefined;
  /** The id under which git holds the same bytes. */
  readonly git?: string | undefined;
  /** The file system's number of a file with several names. */
  readonly inode?: string | undefined;
  /** Where a symlink leads. */
  readonly target?: StoredPath | undefined;
  /** The call removes it, writes over it, or changes its mode or owner alone: then its content is not kept. */
  readonly loss: "removed" | "overwritten" | "access";
}

/** A branch, tag, stash or commit that the call lets go of. */
export interface KeptRef {
  /** The folder in which git runs. */
  readonly folder: string;
  /** `refs/heads/topic`, `refs/tags/v1`, `refs/stash` for one of its entries, or `HEAD` for what is checked out. */
  readonly name: string;
  readonly id: string;
  readonly message?: string;
  /** Settings of the branch, which git removes with it. */
  readonly config?: readonly (readonly [name: string, value: string])[];
  /** The commit to which the call moves the branch. */
  readonly movedTo?: string;
  /** Of `HEAD`, the branch that is checked out; empty where it is a commit. */
  readonly checkedOut?: string;
  /** Of `HEAD`, the branch or commit that the call has checked out instead. */
  readonly left?: string;
  /** To which commit the call moves the branch, if to any, is told at its end. */
  readonly isOpen?: boolean;
  /** The content of git's index, by its hash in the store. */
  readonly index?: string;
  /** What git notes of a merge in progress, by the name of the file. */
  readonly merging?: Readonly<Record<string, string>>;
  /** The ref that holds the commit against collection. */
  readonly heldBy: string;
}

/** A file, folder or symlink that a call has made where nothing was, as it was when the call had ended. */
export interface CreatedFile {
  readonly path: StoredPath;
  readonly kind: KeptFile["kind"];
  readonly size: number;
  readonly mtime: number;
}

/** What one call was about to destroy. */
export interface KeptCall {
  readonly v: 1;
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly root: string;
  readonly agent?: string;
  readonly session_id?: string;
  readonly tool: string;
  readonly command?: string;
  readonly call_id?: string;
  /** No rule would have stopped the call, and nothing was said about keeping it. */
  readonly quiet?: boolean;
  /** Which of the files it destroys was not known: those that it has left as they were are forgotten when it has ended. */
  readonly unclear?: boolean;
  readonly files: readonly KeptFile[];
  readonly refs: readonly KeptRef[];
  /** Bytes of content that are kept, by the store or by git. */
  readonly bytes: number;
  /** Bytes by which the store has grown. */
  readonly grown: number;
  readonly state: "kept" | "undone" | "expired";
  /** When an undo began that has not ended. */
  readonly undoing?: string;
  /** What was at the paths when the call had ended, by position: the hash of a file, where a link led, a folder. */
  readonly after?: Readonly<Record<number, string>>;
  /** What the call has made, where all of it is known; each folder before what is in it. */
  readonly created?: readonly CreatedFile[];
}

/** The folder with everything that is kept for undo. */
export function undoFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDir({ env }), "undo");
}

/** Where the content is stored. */
export function objectsFolder(folder: string): string {
  return join(folder, "objects");
}

/** Writes what is kept of a call, all at once: a call is kept when its file is there. */
export function writeKept(folder: string, call: KeptCall): void {
  writePrivate(fileOf(folder, call), JSON.stringify(call));
}

/** Forgets a call as if nothing had been kept. */
export function removeKept(folder: string, call: KeptCall): void {
  rmSync(fileOf(folder, call), { force: true });
}

/** All calls of which something is or was kept, the oldest first. A file that cannot be read is left out. */
export function readKept(folder: string): KeptCall[] {
  return names(folder).flatMap((name) => readAt(join(folder, CALLS, name)) ?? []);
}

/** The files of calls that are torn, or that another version of Sluice has written. */
export function unreadableKept(folder: string): string[] {
  return names(folder)
    .map((name) => join(folder, CALLS, name))
    .filter((path) => readAt(path) === undefined);
}

/** The calls whose id begins so. */
export function keptById(folder: string, id: string): KeptCall[] {
  return names(folder)
    .filter((name) => name.startsWith(id, TIME_AND_DASH))
    .flatMap((name) => readAt(join(folder, CALLS, name)) ?? []);
}

/** The call of a name; undefined where it cannot be read. */
export function keptByName(folder: string, name: string): KeptCall | undefined {
  return readAt(join(folder, CALLS, `${name}.json`))?.[0];
}

/** The folder of the calls. */
export function callsFolder(folder: string): string {
  return join(folder, CALLS);
}

function names(folder: string): string[] {
  return (
    attempt(() =>
      readdirSync(join(folder, CALLS))
        .filter((name) => FILE.test(name))
        .sort(),
    ) ?? []
  );
}

function readAt(path: string): KeptCall[] | undefined {
  try {
    const call = JSON.parse(readRegularText(path)) as KeptCall;
    return call.v === 1 && Array.isArray(call.files) && Array.isArray(call.refs) ? [call] : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(folder: string, call: KeptCall): string {
  return join(folder, CALLS, `${nameOf(call)}.json`);
}

/** The name of a call begins with the time, so that the oldest is first. */
export function nameOf({ at, id }: KeptCall): string {
  return `${Date.parse(at).toString(36).padStart(9, "0")}-${id}`;
}

const CALLS = "calls";
const FILE = /^[0-9a-z]{9}-[0-9a-f]+\.json$/;
const TIME_AND_DASH = 10;
