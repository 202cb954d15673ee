import { dirname } from "node:path";
import type { Loaded } from "../config/load.ts";
import { configHome, locate, scriptFolders } from "../config/locate.ts";
import { awaitReturn } from "../config/written-files.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { cachedStat, type FileStamp, isSettled, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";
import { LAYERS } from "../hook/hook.ts";

/** What was read for a project, and the state of its files before it was read. */
interface Snapshot<Read> {
  readonly read: Read;
  readonly there: readonly (readonly [path: string, state: FileStamp])[];
  readonly missing: readonly MissingFiles[];
}

/** Whether the marker files were there before anything was read. */
interface Markers {
  readonly isMissing: boolean;
}

/** What else is watched. */
interface WatchOptions {
  /** Files that change decisions when they appear, and belong to no layer. */
  readonly markersIn?: (root: string) => readonly string[];
  /** The folder of the user's configuration. */
  readonly home?: () => string;
}

/**
 * Keeps what was read for the projects of the last calls, for as long as no file of it changes, appears or goes, and no
 * marker file appears. Hooks stay the same objects, and with them everything that was compiled for them. What cannot be
 * watched is read every time.
 */
export function configCache<Read extends Loaded>(
  read: (root: string, budget: WorkBudget, markers: Markers) => Read,
  { markersIn = () => [], home = configHome }: WatchOptions = {},
): (root: string, budget?: WorkBudget) => Read {
  const known = new Map<string, Snapshot<Read>>();
  const keyOf = lastKey();
  return (root, budget = new WorkBudget()) => {
    const key = keyOf(root, home());
    const last = known.get(key);
    known.delete(key);
    if (
      last !== undefined &&
      isInTime(last.read) &&
      last.there.every(isUnchangedFile) &&
      last.missing.every(isStillMissing)
    ) {
      known.set(key, last);
      return last.read;
    }
    awaitReturn((last?.there ?? []).map(([path]) => path));
    const states = new Map<string, FileStamp>();
    for (const path of [...possibleFiles(root), ...(last?.there ?? []).map(([path]) => path)])
      states.set(path, statsAt(path));
    const absent = [...states].filter(([, state]) => state === undefined).map(([path]) => path);
    const markers = markersIn(root);
    const isMissing = markers.every((path) => entryAt(path) === undefined);
    const missing = missingByFolder([...absent, ...(isMissing ? markers : [])]);
    const fresh = read(root, budget, { isMissing });
    // A file that was found only by reading has no earlier state; the next call knows it.
    for (const path of usedFiles(fresh)) states.set(path, states.get(path) ?? NEVER_SEEN);
    const there = [...states].filter(([, state]) => state !== undefined);
    if (isWatchable(fresh, [...states.keys()])) known.set(key, { read: fresh, there, missing });
    const [oldest] = known.keys();
    if (known.size > MAX_PROJECTS && oldest !== undefined) known.delete(oldest);
    return fresh;
  };
}

/** Most calls are about the project of the call before: its key need not be made again. */
function lastKey(): (root: string, home: string) => string {
  let last = { root: "", home: "", key: "" };
  return (root, home) => {
    if (last.root !== root || last.home !== home) last = { root, home, key: `${root}\0${home}` };
    return last.key;
  };
}

/** Every file and folder that may hold configuration, there or not. */
function possibleFiles(root: string): string[] {
  return [...locate(root, LAYERS), ...scriptFolders(root, LAYERS)].map(({ path }) => path);
}

function usedFiles({ files, hooks, watched = [] }: Loaded): string[] {
  const scripts = hooks.flatMap(({ origin }) => (origin === undefined ? [] : [origin.place.file]));
  return [...files.map(({ path }) => path), ...watched, ...scripts];
}

function isInTime({ until }: Loaded): boolean {
  return until === undefined || Date.now() < until;
}

/** A package is looked for in many folders, and may appear in any of them; an installed pack names the files it watches. */
function isWatchable({ errors, files }: Loaded, watched: readonly string[]): boolean {
  if (errors.length > 0 || files.some(({ pack }) => pack !== undefined && !pack.isInstalled)) return false;
  return watched.every((path) => isSettled(statsAt(path)));
}

function isUnchangedFile([path, state]: readonly [string, FileStamp]): boolean {
  return isUnchanged(state, statsAt(path));
}

/** Files that are not there, by the nearest folder that is: none can appear without changing that folder. */
interface MissingFiles {
  readonly folder: string;
  /** The state of the folder when the paths were looked for; one that was just changing is not relied on. */
  state: FileStamp;
  readonly paths: readonly string[];
}

/** Groups paths that lead nowhere. Behind a symlink a file may appear while its folder stays the same: such a path is looked for each time. */
function missingByFolder(paths: readonly string[]): MissingFiles[] {
  const byFolder = new Map<string, string[]>();
  const behindLinks: string[] = [];
  for (const path of paths) {
    const folder = nearestFolder(path);
    if (folder === undefined) behindLinks.push(path);
    else byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }
  const rest = behindLinks.map((path) => ({ folder: path, state: NEVER_SEEN, paths: [path] }));
  return [...rest, ...[...byFolder].map(([folder, all]) => ({ folder, state: NEVER_SEEN, paths: all }))];
}

/**
 * Whether none has appeared. A folder in which something else has changed is looked into, and relied on from then on;
 * unless a folder has appeared that is nearer to the missing file.
 */
function isStillMissing(missing: MissingFiles): boolean {
  const { folder, state, paths } = missing;
  const now = cachedStat(folder);
  if (now !== undefined && isUnchanged(state, now)) return true;
  missing.state = isSettled(now) ? now : NEVER_SEEN;
  return paths.every((path) => entryAt(path) === undefined && (path === folder || nearestFolder(path) === folder));
}

function nearestFolder(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (statsAt(at) !== undefined) return at;
    if (entryAt(at) !== undefined || at === dirname(at)) return undefined;
  }
}

const MAX_PROJECTS = 32;
