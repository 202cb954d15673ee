import { dirname, join } from "node:path";
import { readRegularFile, readRegularText } from "../fs/regular-file.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { sha256 } from "../fs/sha256.ts";
import { isUnchanged } from "../fs/stat-cache.ts";
import { ensurePrivateDir, stateDir, whyUnsafe } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import type { Layer } from "../hook/hook.ts";
import { problems } from "../problem/problem.ts";
import type { Loaded } from "./load-layers.ts";
import { configHome, isOfProject, locate } from "./locate.ts";

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
  root?: string,
): Read {
  const { loaded, began } = readSettled(read, root);
  if (loaded === undefined) return loaded;
  const lost = justLost(loaded, began);
  const between = lost.size === 0 ? folderInChange(loaded, root) : undefined;
  const torn = between ?? changingFiles(loaded, began, TORN_MS).find((path) => !lost.has(path));
  // Of a file that has not come to rest any part may have been read: the call sees the file before, the file after, or is denied.
  if (torn !== undefined)
    return {
      ...loaded,
      errors: [...loaded.errors, PROBLEMS.beingWritten({}, { place: { file: torn } })],
      until: Date.now(),
    };
  if (lost.size === 0) {
    keepGood(loaded, began);
    return loaded;
  }
  // The last good version applies for a short time, and the user is notified.
  const before = read(lost);
  if (before === undefined) return before;
  const notices = [...lost.keys()].map(
    (path) => `${path} has just become missing, empty or incomplete. Its last good hooks apply for now.`,
  );
  return { ...before, notices: [...before.notices, ...notices], until: Date.now() + LOST_MS };
}

/** What was read when no file was being written any more, and when that reading began. */
function readSettled<Read extends Loaded | undefined>(
  read: () => Read,
  root?: string,
): { readonly loaded: Read; readonly began: number } {
  const first = Date.now();
  let began = first;
  let loaded = read();
  const isMoving = (found: Loaded) =>
    changingFiles(found, began, YOUNG_MS).length > 0 || folderInChange(found, root) !== undefined;
  for (let turn = 0; turn < MAX_TURNS && loaded !== undefined && isMoving(loaded); turn++) {
    // Files that take long to read are read twice at most.
    if (turn > 0 && began - first > MAX_MS) break;
    pause(PAUSE_MS);
    began = Date.now();
    loaded = read();
  }
  return { loaded, began };
}

/** Waits for files that have just gone, as long as a program takes that removes a file and writes it anew. */
export function awaitReturn(paths: readonly string[]): void {
  for (let turn = 0; turn < MAX_TURNS && paths.some((path) => statsAt(path) === undefined); turn++) pause(PAUSE_MS);
}

/**
 * The files that changed while they were read, or just before; or a little earlier, and they are empty or cannot be read as they
 * are. The time that matters is the start of reading: a slow reader would find a file unchanged of which it has read half.
 */
function changingFiles({ files, errors }: Loaded, began: number, tornMs: number): string[] {
  const now = Date.now();
  return files.flatMap(({ path }) => {
    const stats = statsAt(path);
    if (stats === undefined || stats.mtimeMs > now + CLOCK_MS) return [];
    const age = began - stats.mtimeMs;
    const isTorn = stats.size === 0 || errors.some(({ place }) => place?.file === path);
    return age < MOMENT_MS || (isTorn && age < tornMs) ? [path] : [];
  });
}

/** The folder of a layer without a file of hooks that has just changed: a program may have removed one to write it again. */
function folderInChange({ files }: Loaded, root: string | undefined): string | undefined {
  const folders = [
    [join(configHome(), "sluice"), (layer: Layer) => layer === "user"],
    ...(root === undefined ? [] : [[join(root, ".sluice"), isOfProject] as const]),
  ] as const;
  const found = folders.find(([path, isOwn]) => {
    if (files.some(({ layer }) => isOwn(layer))) return false;
    const folder = entryAt(path);
    return folder !== undefined && Math.abs(Date.now() - folder.mtimeMs) < MOVED_MS;
  });
  return found?.[0];
}

function pause(ms: number): void {
  Atomics.wait(SLEEP, 0, 0, ms);
}

/**
 * Keeps a copy of each file of the user's own configuration that could be read, for the time in which it cannot. A file that
 * changed since `began`, when the reading began, may be another one already.
 */
function keepGood({ files, errors }: Pick<Loaded, "files" | "errors">, began: number): void {
  for (const { layer, path, state, pack } of files) {
    if (layer !== "user" || state !== "read" || pack !== undefined) continue;
    const before = statsAt(path);
    const copy = copyOf(path);
    const kept = statsAt(copy);
    if (before === undefined || before.size === 0 || before.mtimeMs > began - KEPT_CLOCK_MS) continue;
    if (kept !== undefined && kept.mtimeMs > before.mtimeMs) continue;
    if (errors.some(({ place }) => place?.file === path)) continue;
    try {
      const text = readRegularFile(path);
      if (isUnchanged(before, statsAt(path)) && ensurePrivateDir(dirname(copy))) writePrivate(copy, text);
    } catch {
      // Without a copy the file itself is all there is.
    }
  }
}

/**
 * The last good texts of files of the user's own configuration that have just become missing, empty or incomplete: a program
 * is about to write them anew, or they are lost. Of a file that changed since `began` any part may have been read.
 */
function justLost({ files, errors }: Pick<Loaded, "files" | "errors">, began: number): ReadonlyMap<string, string> {
  const lost = new Map<string, string>();
  if (statsAt(folder()) === undefined) return lost;
  for (const { path } of locate(undefined, ["user"])) {
    const isRead = files.some((file) => file.path === path && file.state === "read");
    const now = statsAt(path);
    const isWhole = now?.size !== 0 && (now === undefined || now.mtimeMs <= began - KEPT_CLOCK_MS);
    const isGood = isRead && isWhole && !errors.some(({ place }) => place?.file === path);
    // It came back while the rest was read.
    const isBack = !files.some((file) => file.path === path) && statsAt(path) !== undefined;
    if (isGood || !(isBack || isYoung(path))) continue;
    const copy = copyOf(path);
    try {
      if (whyUnsafe(copy, "file") === undefined) lost.set(path, readRegularText(copy));
    } catch {
      // It has never been there.
    }
  }
  return lost;
}

/** How long a file is treated as just lost. */
const LOST_MS = 2000;

/** File systems round times. */
const KEPT_CLOCK_MS = 20;

/** Whether a file, or the folder in which it is missing, has just changed. */
function isYoung(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const entry = entryAt(at);
    if (entry !== undefined) return Math.abs(Date.now() - Math.max(entry.mtimeMs, entry.ctimeMs)) < LOST_MS;
    if (at === dirname(at)) return false;
  }
}

function copyOf(path: string): string {
  return join(folder(), sha256(path).slice(0, 32));
}

function folder(): string {
  return join(stateDir(), "last-good");
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));
/** Together longer than a file is treated as incomplete. */
const MAX_TURNS = 12;
const MAX_MS = 500;
const PAUSE_MS = 25;
const MOMENT_MS = 30;
const TORN_MS = 250;
const MOVED_MS = 100;
const YOUNG_MS = 1000;
/** File systems round times. */
const CLOCK_MS = 10;

const PROBLEMS = problems("config", {
  beingWritten: (_: object) => ({
    what: "This file is being written again and again, so its hooks are not known at the moment.",
    fix: "Try again when that program has finished.",
  }),
});
