import type { Loaded } from "../config/load.ts";
import { configHome, locate, scriptFolders } from "../config/locate.ts";
import { LAYERS } from "../hook/hook.ts";
import { type FileStamp, isSettled, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { isStillMissing, type Missing, missingByFolder } from "./missing-files.ts";

/** What was read for a project, and how the disk was before it was read. */
interface Snapshot<Read> {
  readonly read: Read;
  readonly there: readonly (readonly [path: string, state: FileStamp])[];
  readonly missing: readonly Missing[];
}

/** What was seen of the signs before anything was read. */
interface Signs {
  readonly isMissing: boolean;
}

/** What else belongs to the layers of a project. */
interface Watching {
  /** What changes a call when it comes, and is no file of a layer. */
  readonly signsIn?: (root: string) => readonly string[];
  /** The folder of the user's configuration. */
  readonly home?: () => string;
}

/**
 * Keeps what was read for the projects that called last, for as long as no file of it changes, comes or goes, and no sign
 * comes. Hooks stay the same objects, and with them everything that was compiled for them. What cannot be watched is read
 * every time.
 */
export function warmLayers<Read extends Loaded>(
  read: (root: string, seen: Signs) => Read,
  { signsIn = () => [], home = configHome }: Watching = {},
): (root: string) => Read {
  const known = new Map<string, Snapshot<Read>>();
  const keyOf = lastKey();
  return (root) => {
    const key = keyOf(root, home());
    const last = known.get(key);
    known.delete(key);
    if (last?.there.every(isStillSo) && last.missing.every(isStillMissing)) {
      known.set(key, last);
      return last.read;
    }
    const states = new Map<string, FileStamp>();
    for (const path of [...possibleFiles(root), ...(last?.there ?? []).map(([path]) => path)])
      states.set(path, statsAt(path));
    const absent = [...states].filter(([, state]) => state === undefined).map(([path]) => path);
    const signs = signsIn(root);
    const isMissing = signs.every((path) => entryAt(path) === undefined);
    const missing = missingByFolder([...absent, ...(isMissing ? signs : [])]);
    const fresh = read(root, { isMissing });
    // A file that was found only by reading has no state from before; the next call knows it.
    for (const path of usedFiles(fresh)) states.set(path, states.get(path) ?? NEVER_SEEN);
    const there = [...states].filter(([, state]) => state !== undefined);
    if (isWatchable(fresh, [...states.keys()])) known.set(key, { read: fresh, there, missing });
    const [oldest] = known.keys();
    if (known.size > MOST_PROJECTS && oldest !== undefined) known.delete(oldest);
    return fresh;
  };
}

/** Most calls are about the project of the call before: a text that is looked up again need not be made again. */
function lastKey(): (root: string, home: string) => string {
  let last = { root: "", home: "", key: "" };
  return (root, home) => {
    if (last.root !== root || last.home !== home) last = { root, home, key: `${root}\0${home}` };
    return last.key;
  };
}

/** Every file and folder that may say something, there or not. */
function possibleFiles(root: string): string[] {
  return [...locate(root, LAYERS), ...scriptFolders(root, LAYERS)].map(({ path }) => path);
}

function usedFiles({ files, hooks }: Loaded): string[] {
  const scripts = hooks.flatMap(({ origin }) => (origin === undefined ? [] : [origin.place.file]));
  return [...files.map(({ path }) => path), ...scripts];
}

/** What a package brings is found by looking in many places, and what is missing may appear in any. */
function isWatchable({ errors, files }: Loaded, watched: readonly string[]): boolean {
  if (errors.length > 0 || files.some(({ pack }) => pack !== undefined)) return false;
  return watched.every((path) => isSettled(statsAt(path)));
}

function isStillSo([path, state]: readonly [string, FileStamp]): boolean {
  return isUnchanged(state, statsAt(path));
}

const MOST_PROJECTS = 32;
