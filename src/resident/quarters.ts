import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { makePrivate, type StateHome, stateFolder } from "../trust/state-folder.ts";

/** Where the engine of one installed command and its clients meet: a folder that only this user can enter. */
export interface Quarters {
  readonly folder: string;
  readonly socket: string;
  /** What both sides have to know, written anew by every engine. */
  readonly token: string;
  /** Held while an engine starts. */
  readonly lock: string;
}

/** The words that start the command without an engine: the program, and the file it runs. */
export type ColdWords = readonly [program: string, launcher: string];

/** Each copy of the command has an engine of its own, so that no copy answers for another. */
export function quartersOf(cold: ColdWords, where: StateHome): Quarters {
  const key = createHash("sha256").update(cold.join("\0")).digest("hex").slice(0, 12);
  const folder = join(stateFolder(where), "resident", key);
  return { folder, socket: join(folder, "socket"), token: join(folder, "token"), lock: join(folder, "lock") };
}

/** Makes the folder where it is missing. Says why it cannot be used, if so: nobody else may see or change what is in it. */
export function whyNoQuarters({ folder, socket }: Quarters): string | undefined {
  if (Buffer.byteLength(socket) > LONGEST_SOCKET) return `${socket} is longer than the name of a socket may be`;
  try {
    makePrivate(folder);
    return isPrivate(folder) ? undefined : `${folder} is not for you alone`;
  } catch (error) {
    return `${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Whether the folder could be used as it is, or made where it is missing; makes nothing. */
export function canHaveQuarters({ folder, socket }: Quarters): boolean {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return Buffer.byteLength(socket) <= LONGEST_SOCKET && (!isThere || isPrivate(folder));
}

/** Whether a file or folder is this user's, and nobody else's to read or write. */
export function isPrivate(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return false;
  return found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0;
}

/** Systems differ; the shortest limit holds everywhere. */
const LONGEST_SOCKET = 100;
