import { chmodSync, lstatSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { homeDir } from "./home-dir.ts";
import { makeDir } from "./make-dir.ts";
import { entryAt } from "./resolve-path.ts";

/** Where a user's state is stored; anything left out comes from the environment. */
export interface StateHome {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** The directory of everything that Sluice stores for this user: `$XDG_STATE_HOME/sluice`. A relative XDG_STATE_HOME is ignored. */
export function stateDir({ env = process.env, home }: StateHome = {}): string {
  const stated = env.XDG_STATE_HOME;
  const state = stated !== undefined && isAbsolute(stated) ? stated : join(home ?? homeDir(env), ".local", "state");
  return join(state, "sluice");
}

/** The directory below the state with one directory for each project, named by the project's path. */
export const PROJECTS = "projects";

/** Creates a directory and its parents for the owner alone. An existing one keeps its permissions. */
export function makePrivateDir(path: string): void {
  makeDir(path, 0o700);
}

/**
 * Creates a directory that only its owner can enter, and removes other users' permissions from an existing one. False if it
 * is not a directory, is a symlink, belongs to another user, or cannot be created.
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

/** Creates a directory if it is missing, and returns whether no other user can write to it. */
export function isOwnDir(path: string): boolean {
  try {
    makePrivateDir(path);
    return whyUnsafe(path, "folder") === undefined;
  } catch {
    return false;
  }
}

/** Why a file or directory of the state is not trusted: it has another type, or another user could have written it. */
export type UnsafeState = "other-kind" | "foreign" | "writable";

/** Why a file or directory is not trusted; undefined if it is safe or missing. `stats` is its `lstat`. */
export function whyUnsafe(
  path: string,
  kind: "file" | "folder",
  { forbidden = OTHERS_WRITE, stats = entryAt(path) }: { forbidden?: number; stats?: Stats | undefined } = {},
): UnsafeState | undefined {
  if (stats === undefined) return undefined;
  if (!(kind === "file" ? stats.isFile() : stats.isDirectory())) return "other-kind";
  // Windows has no owners and modes to check.
  if (process.getuid === undefined) return undefined;
  if (!isOwnedByUser(stats)) return "foreign";
  return (stats.mode & forbidden) === 0 ? undefined : "writable";
}

function isOwnedByUser({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid);
}

/** The group or others may write. */
const OTHERS_WRITE = 0o022;
/** Others may write; a directory above the state may belong to a group. */
export const WORLD_WRITES = 0o002;
