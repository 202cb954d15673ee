import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { projectSets } from "./project-environment.ts";

/** Where a user's state lies; what is left out is taken from the system. */
export interface StateHome {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** The folder of everything that Sluice remembers for this user; a relative XDG_STATE_HOME does not count. */
export function stateFolder({ env = process.env, home }: StateHome = {}): string {
  const stated = env.XDG_STATE_HOME;
  const state =
    stated !== undefined && isAbsolute(stated) ? stated : join(home ?? (env.HOME || homedir()), ".local", "state");
  return join(state, "sluice");
}

/** The folder with what this user has approved. */
export function trustFolder(where: StateHome = {}): string {
  return join(stateFolder(where), "trust");
}

/** Why approvals that lie there count for nothing; nothing when they count. */
export function whyNotMine(folder: string, root: string): Problem | undefined {
  if (isOwnVote(root, folder)) return PROBLEMS.insideProject({ folder }, { place: { file: folder } });
  return whyNotPrivate(dirname(folder), "folder", WORLD_WRITES) ?? whyNotPrivate(folder, "folder");
}

/** Why one file or folder of the approvals cannot be believed; nothing for what is not there. */
export function whyNotPrivate(path: string, kind: "file" | "folder", forbidden = OTHERS_WRITE): Problem | undefined {
  return whyNotBelieved(path, kind, statsOf(path), forbidden);
}

/** The same for whoever has asked the disk already. */
export function whyNotBelieved(
  path: string,
  kind: "file" | "folder",
  stats: Stats | undefined,
  forbidden = OTHERS_WRITE,
): Problem | undefined {
  if (stats === undefined) return undefined;
  const place = { place: { file: path } };
  const isKind = kind === "file" ? stats.isFile() : stats.isDirectory();
  if (!isKind) return PROBLEMS.otherKind({ path, kind }, place);
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (stats.uid !== user) return PROBLEMS.foreign({ path }, place);
  return (stats.mode & forbidden) === 0 ? undefined : PROBLEMS.writable({ path }, place);
}

/** Makes the folder, for its owner alone. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** A project that holds its own approvals, by a variable that it sets itself, would vote on itself. */
function isOwnVote(root: string, folder: string): boolean {
  const where = realPath(root);
  const isInside = [folder, realPath(nearestThere(folder))].some((path) => isWithin(where, path));
  return isInside && HOME_VARIABLES.some((name) => projectSets(root, name));
}

function nearestThere(path: string): string {
  return statsOf(path) === undefined && dirname(path) !== path ? nearestThere(dirname(path)) : path;
}

/** What lies there, no link followed; nothing when there is nothing, or nobody may look. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const OTHERS_WRITE = 0o022;
const WORLD_WRITES = 0o002;
const HOME_VARIABLES = ["XDG_STATE_HOME", "HOME"];

const PROBLEMS = problems("trust", {
  insideProject: ({ folder }: { folder: string }) => ({
    what: `${folder} lies inside the project that it is to judge. What is approved there counts for nothing.`,
    fix: "Take XDG_STATE_HOME or HOME out of the project's environment.",
  }),
  otherKind: ({ path, kind }: { path: string; kind: string }) => ({
    what: `${path} is no ${kind}. What is approved there counts for nothing.`,
    fix: "Remove it, and approve again with `sluice trust`.",
  }),
  foreign: ({ path }: { path: string }) => ({
    what: `${path} belongs to another user. What is approved there counts for nothing.`,
    fix: `Remove it, or make it yours: chown "$(id -u)" ${path}`,
  }),
  writable: ({ path }: { path: string }) => ({
    what: `Others can write to ${path}. What is approved there counts for nothing.`,
    fix: `Run \`chmod go-w ${path}\`, and look at what is approved with \`sluice trust\`.`,
  }),
});
