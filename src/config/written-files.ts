import { statsAt } from "../fs/resolve-path.ts";
import { justLost, keepGood, LOST_MS } from "./last-good.ts";
import type { Loaded } from "./load-layers.ts";

/**
 * Reads layers, and reads them again while one of their files is just being written: a program that empties a file and then
 * fills it again, or writes it piece by piece, would be seen halfway, with hooks missing.
 */
export function readWhenWritten<Read extends Loaded | undefined>(read: () => Read): Read {
  return readSettled(read).loaded;
}

/** The same for a call: the user's own files that are just lost hold as they were, for which a copy of each is kept. */
export function readForCall<Read extends Loaded | undefined>(
  read: (texts?: ReadonlyMap<string, string>) => Read,
): Read {
  const { loaded, began } = readSettled(read);
  if (loaded === undefined) return loaded;
  const lost = justLost(loaded, began);
  if (lost.size === 0) {
    keepGood(loaded, began);
    return loaded;
  }
  // What was good a moment ago holds for another moment, and the user is told.
  const before = read(lost);
  if (before === undefined) return before;
  const notices = [...lost.keys()].map(
    (path) => `${path} is gone, empty or torn since a moment ago. Its last good hooks hold for now.`,
  );
  return { ...before, notices: [...before.notices, ...notices], until: Date.now() + LOST_MS };
}

/** What was read when no file was being written any more, and when that reading began. */
function readSettled<Read extends Loaded | undefined>(
  read: () => Read,
): { readonly loaded: Read; readonly began: number } {
  const first = Date.now();
  let began = first;
  let loaded = read();
  for (let turn = 0; turn < MOST_TURNS && loaded !== undefined && isBeingWritten(loaded, began); turn++) {
    // Files that take long to read are read twice at most.
    if (turn > 0 && began - first > MOST_MS) break;
    pause(PAUSE_MS);
    began = Date.now();
    loaded = read();
  }
  return { loaded, began };
}

/** Waits for files that have just gone, as long as a program takes that removes a file and writes it anew. */
export function awaitReturn(paths: readonly string[]): void {
  for (let turn = 0; turn < MOST_TURNS && paths.some((path) => statsAt(path) === undefined); turn++) pause(PAUSE_MS);
}

/**
 * A file that changed while it was read, or a moment before; or in the second before, and it is empty or cannot be read as it
 * is. What counts is when the reading began: a reader that is held up would find a file at rest of which it has read half.
 */
function isBeingWritten({ files, errors }: Loaded, began: number): boolean {
  const now = Date.now();
  return files.some(({ path }) => {
    const stats = statsAt(path);
    if (stats === undefined || stats.mtimeMs > now + CLOCK_MS || began - stats.mtimeMs > YOUNG_MS) return false;
    return began - stats.mtimeMs < MOMENT_MS || stats.size === 0 || errors.some(({ place }) => place?.file === path);
  });
}

function pause(ms: number): void {
  Atomics.wait(SLEEP, 0, 0, ms);
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));
const MOST_TURNS = 5;
const MOST_MS = 500;
const PAUSE_MS = 25;
const MOMENT_MS = 30;
const YOUNG_MS = 1000;
/** File systems round times. */
const CLOCK_MS = 10;
