import { chmodSync, lstatSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { makeDir } from "./make-dir.ts";
import { homeDir } from "./home-dir.ts";
import { entryAt } from "./resolve-path.ts";

/** Where a user's state lies; what is left out is taken from the system. */
export interface StateHome {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** The directory of everything that Sluice keeps for this user, `$XDG_STATE_HOME/sluice`; a relative XDG_STATE_HOME does not count. */
export function stateDir({ env = process.env, home }: StateHome = {}): string {
  const stated = env.XDG_STATE_HOME;
  const state = stated !== undefined && isAbsolute(stated) ? stated : join(home ?? homeDir(env), ".local", "state");
  return join(state, "sluice");
}

/** Below the state, one directory for each project, under the project's own path. */
export const PROJECTS = "projects";

/** Makes a directory, with those above it, for its owner alone. One that is there keeps its permissions. */
export function makePrivateDir(path: string): void {
  makeDir(path, 0o700);
}

/**
 * Makes a directory that only its owner can enter, and takes the permissions of others away from one that is there. False
 * for what is no directory, is a symlink, belongs to another user, or cannot be made.
 */
export function ensurePrivateDir(path: string): boolean {
  try {
    makePrivateDir(path);
    const found = lstatSync(path);
    if (!found.isDirectory() || !isOwnedByUser(found)) return false;
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Makes a directory where it is missing; whether no other user can write to it. */
export function isOwnDir(path: string): boolean {
  try {
    makePrivateDir(path);
    return whyUnsafe(path, "folder") === undefined;
  } catch {
    return false;
  }
}

/** Why the content of a file or directory of the state is not believed: something else lies there, or another user could have written it. */
export type UnsafeState = "other-kind" | "foreign" | "writable";

/** Why a file or directory is not believed; nothing for what is safe, or not there. `stats` is what `lstat` says of it. */
export function whyUnsafe(
  path: string,
  kind: "file" | "folder",
  { forbidden = OTHERS_WRITE, stats = entryAt(path) }: { forbidden?: number; stats?: Stats | undefined } = {},
): UnsafeState | undefined {
  if (stats === undefined) return undefined;
  if (!(kind === "file" ? stats.isFile() : stats.isDirectory())) return "other-kind";
  // Windows has neither owners nor modes that would say it.
  if (process.getuid === undefined) return undefined;
  if (!isOwnedByUser(stats)) return "foreign";
  return (stats.mode & forbidden) === 0 ? undefined : "writable";
}

function isOwnedByUser({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid);
}

/** The group and all others may write. */
const OTHERS_WRITE = 0o022;
/** All others may write; a directory above the state may be a group's. */
export const WORLD_WRITES = 0o002;
