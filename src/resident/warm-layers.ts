import { dirname, join, sep } from "node:path";
import type { Loaded } from "../config/load.ts";
import { configHome, locate, scriptFolders } from "../config/locate.ts";
import { missingTops } from "../config/root.ts";
import { LAYERS } from "../hook/hook.ts";
import { changedAt, fileState, NO_FILE } from "./file-state.ts";

/** What was read for a project, and the files as they were before it was read. */
interface Snapshot<Read> {
  readonly read: Read;
  readonly files: readonly string[];
  readonly states: string;
}

/**
 * Keeps what was read for the projects that called last, for as long as no file of it changes, comes or goes. Hooks stay
 * the same objects, and with them everything that was compiled for them. What cannot be watched is read every time.
 */
export function warmLayers<Read extends Loaded>(read: (root: string) => Read): (root: string) => Read {
  const known = new Map<string, Snapshot<Read>>();
  return (root) => {
    const key = `${root}\0${configHome()}`;
    const last = known.get(key);
    known.delete(key);
    if (last !== undefined && statesOf(last.files, root) === last.states) {
      known.set(key, last);
      return last.read;
    }
    const fixed = possibleFiles(root);
    const before = new Map([...fixed, ...(last?.files ?? [])].map((file) => [file, fileState(file)]));
    const fresh = read(root);
    const files = [...new Set([...fixed, ...usedFiles(fresh)])];
    // A file that was found only by reading has no state from before; the next call knows it.
    const isSeen = files.every((file) => before.has(file));
    const states = isSeen ? files.map((file) => before.get(file)).join("\n") : "";
    if (isWatchable(fresh, files)) known.set(key, { read: fresh, files, states });
    const [oldest] = known.keys();
    if (known.size > MOST_PROJECTS && oldest !== undefined) known.delete(oldest);
    return fresh;
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
  // Clocks of disks are coarse: what changed just now may change again without looking different.
  return watched.every((file) => Math.abs(Date.now() - changedAt(file)) > SETTLED_MS);
}

/** What is not there costs one look at its folder, however many files could be in it. */
function statesOf(files: readonly string[], root: string): string {
  const missing = missingTops(root).map((top) => join(root, top) + sep);
  const folders = new Map<string, boolean>();
  let states = "";
  for (const file of files) {
    const folder = dirname(file);
    const isGone = folders.get(folder) === false || missing.some((top) => file.startsWith(top));
    const state = isGone ? NO_FILE : fileState(file);
    states += states === "" ? state : `\n${state}`;
    if (state !== NO_FILE) folders.set(folder, true);
    else if (!isGone && !folders.has(folder)) folders.set(folder, fileState(folder) !== NO_FILE);
  }
  return states;
}

const MOST_PROJECTS = 32;
const SETTLED_MS = 2000;
