import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { type System, systemOf } from "./system.ts";

/** Where the engine of one installed command and its clients meet: a folder that only this user can enter. */
export interface Quarters {
  readonly folder: string;
  /** The file that is the engine's address; a pipe has no file, and its name is in the token. */
  readonly socket: string;
  /** What both sides have to know. */
  readonly token: string;
  /** Held while an engine starts. */
  readonly lock: string;
  readonly system: System;
}

/** The words that start the command without an engine: the program, and the file it runs. */
export type ColdWords = readonly [program: string, launcher: string];

/** Each copy of the command has an engine of its own, so that no copy answers for another. */
export function quartersOf(cold: ColdWords, where: StateHome, system: System = systemOf()): Quarters {
  const key = createHash("sha256").update(cold.join("\0")).digest("hex").slice(0, 12);
  const folder = join(stateDir(where), "resident", key);
  const [socket, token, lock] = [join(folder, "socket"), join(folder, "token"), join(folder, "lock")];
  return { folder, socket, token, lock, system };
}

/** Makes the folder where it is missing. Says why it cannot be used, if so: nobody else may see or change what is in it. */
export function whyNoQuarters({ folder, socket, system }: Quarters): string | undefined {
  if (isTooLong(socket, system)) return `${socket} is longer than the name of a socket may be`;
  try {
    makePrivateDir(folder);
    if (isPrivate(folder, system)) return undefined;
    return system.profile === undefined
      ? `${folder} is not for you alone`
      : `${folder} is not in your own folder ${system.profile}, so others may read it`;
  } catch (error) {
    return `${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Whether the folder could be used as it is, or made where it is missing; makes nothing. */
export function canHaveQuarters({ folder, socket, system }: Quarters): boolean {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return !isTooLong(socket, system) && (!isThere || isPrivate(folder, system));
}

/** Whether a file or folder is this user's, and nobody else's to read or write. */
export function isPrivate(path: string, { profile }: Pick<System, "profile"> = systemOf()): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return false;
  if (profile !== undefined) return isWithin(realPath(profile), realPath(path));
  return found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0;
}

function isTooLong(socket: string, { meets }: System): boolean {
  return meets === "socket" && Buffer.byteLength(socket) > LONGEST_SOCKET;
}

/** Systems differ; the shortest limit holds everywhere. */
const LONGEST_SOCKET = 100;
