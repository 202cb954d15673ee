import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { type System, systemOf } from "./system.ts";

/** The folder of one installed command's daemon, which only this user can enter: socket, secrets, clients. */
export interface RuntimeDir {
  readonly folder: string;
  /** The file that is the daemon's address; a named pipe has no file, and its name follows from the token. */
  readonly socket: string;
  /** The file with the secrets that both sides have to know. */
  readonly token: string;
  /** Held while a daemon starts. */
  readonly lock: string;
  readonly system: System;
}

/** The command that decides without a daemon: the program, and the file it runs. */
export type ColdCommand = readonly [program: string, launcher: string];

/** The runtime directory of a command; each copy of the command has a daemon of its own, so that no copy answers for another. */
export function runtimeDirOf(cold: ColdCommand, where: StateHome, system: System = systemOf()): RuntimeDir {
  const key = createHash("sha256").update(cold.join("\0")).digest("hex").slice(0, 12);
  return runtimeDirAt(join(stateDir(where), PARENT, key), system);
}

/** The runtime directories of all copies of the command that this user has, whether a daemon runs there or not. */
export function allRuntimeDirs(where: StateHome, system: System = systemOf()): RuntimeDir[] {
  const parent = join(stateDir(where), PARENT);
  try {
    return readdirSync(parent).map((key) => runtimeDirAt(join(parent, key), system));
  } catch {
    return [];
  }
}

function runtimeDirAt(folder: string, system: System): RuntimeDir {
  const [socket, token, lock] = [join(folder, "socket"), join(folder, "token"), join(folder, "lock")];
  return { folder, socket, token, lock, system };
}

/** Makes the folder where it is missing. Says why it cannot be used, if so: no other user may see or change what is in it. */
export function whyNoRuntimeDir({ folder, socket, system }: RuntimeDir): string | undefined {
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
export function canHaveRuntimeDir({ folder, socket, system }: RuntimeDir): boolean {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return !isTooLong(socket, system) && (!isThere || isPrivate(folder, system));
}

/** Whether a file or folder is this user's, and no other user can read or write it. */
export function isPrivate(path: string, { profile }: Pick<System, "profile"> = systemOf()): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return false;
  if (profile !== undefined) return isWithin(realPath(profile), realPath(path));
  return found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o077) === 0;
}

function isTooLong(socket: string, { transport }: System): boolean {
  return transport === "socket" && Buffer.byteLength(socket) > MAX_SOCKET_NAME;
}

/** The name that the first versions gave it; clients in settings lie below it. */
const PARENT = "resident";
/** Systems differ; the shortest limit holds everywhere. */
const MAX_SOCKET_NAME = 100;
