import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { errorText } from "../problem/problem.ts";
import { type System, systemOf } from "./system.ts";

/** The folder of one installed command's daemon, which only this user can enter: socket, secrets, clients. */
export interface RuntimeDir {
  readonly folder: string;
  /** The file that is the daemon's address; a named pipe does not have a file, and its name follows from the token. */
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
  const key = sha256Text(cold.join("\0")).slice(0, 12);
  return runtimeDirAt(join(stateDir(where), PARENT, key), system);
}

/** The runtime directories of all copies of the command that this user has, whether a daemon runs there or not. */
export function allRuntimeDirs(where: StateHome, system: System = systemOf()): RuntimeDir[] {
  const parent = join(stateDir(where), PARENT);
  return attempt(() => readdirSync(parent).map((key) => runtimeDirAt(join(parent, key), system))) ?? [];
}

function runtimeDirAt(folder: string, system: System): RuntimeDir {
  const [socket, token, lock] = [join(folder, "socket"), join(folder, "token"), join(folder, "lock")];
  return { folder, socket, token, lock, system };
}

/**
 * Makes the folder where it is missing, and takes back the rights that others have to it. Says why it cannot be used, if so:
 * no other user may see or change what is in it.
 */
export function whyNoRuntimeDir(runtimeDir: RuntimeDir): string | undefined {
  const { folder, system } = runtimeDir;
  const why = whyUnusable(runtimeDir);
  if (why !== undefined) return why;
  try {
    makePrivateDir(folder);
    if (!isPrivate(folder, system)) takeRightsBack(folder);
    return undefined;
  } catch (error) {
    return `${folder} cannot be made: ${errorText(error)}`;
  }
}

/** Why the folder can be neither used, nor made, nor repaired; changes nothing. */
export function whyUnusable({ folder, socket, system }: RuntimeDir): string | undefined {
  if (isTooLong(socket, system)) return `${socket} is longer than the name of a socket may be`;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || isPrivate(folder, system)) return undefined;
  if (system.profile !== undefined)
    return `${folder} is not in your own folder ${system.profile}, so others may read it`;
  if (!found.isDirectory()) return `${folder} is not a folder`;
  return found.uid === process.getuid?.() ? undefined : `${folder} belongs to another user`;
}

/** Whether other users have rights to the folder that they should not have: no client asks a daemon there. */
export function isOpenToOthers({ folder, system }: RuntimeDir): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) !== undefined && !isPrivate(folder, system);
}

/** What another user can have put into the folder goes; what is this user's alone stays. */
function takeRightsBack(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder))
    if (!isPrivate(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
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
/** Systems differ; the shortest limit works everywhere. */
const MAX_SOCKET_NAME = 100;
