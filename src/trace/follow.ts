import { closeSync, type FSWatcher, fstatSync, lstatSync, readSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as pauseFor } from "node:timers/promises";
import { type FileStamp, isUnchanged } from "../fs/stat-cache.ts";
import { type CompressedSource, compressedSource, keyOfFile, readCompressed } from "./compressed.ts";
import { openPlain, type ReadCounts } from "./file-lines.ts";
import { filesIn, readRecord } from "./read.ts";
import type { DecisionRecord } from "./record.ts";
import { isCompressed } from "./rotation.ts";

/** Where each file of a journal has been read to. A file keeps its first record when it is rolled over or compressed. */
export type JournalPositions = ReadonlyMap<string, ReadPosition>;

interface ReadPosition {
  readonly end: number;
  /** How often in a row the file was not found: one that is being renamed is missing for a moment. */
  readonly missed: number;
}

/** The ends of all files of a journal: what is written from now on comes after them. */
export function journalEnds(folder: string): JournalPositions {
  return new Map(presentFiles(folder).map(({ key, size }) => [key, { end: size, missed: 0 }]));
}

/**
 * Every record that is written after these positions, oldest first, until the signal ends it. Files that are rolled over are
 * read to their end, and files that begin later from their beginning.
 */
export async function* followRecords(
  folder: string,
  from: JournalPositions,
  { signal, counts = { broken: 0 } }: { readonly signal: AbortSignal; readonly counts?: ReadCounts },
): AsyncGenerator<DecisionRecord, void, void> {
  const changes = folderChanges(folder, signal);
  try {
    for (let read = from; !signal.aborted; ) {
      const next = new Map<string, ReadPosition>();
      for (const [key, { end, missed }] of read) if (missed < MAX_MISSED) next.set(key, { end, missed: missed + 1 });
      for (const { key, path, size } of presentFiles(folder).reverse()) {
        const known = read.get(key)?.end ?? 0;
        // A file that is shorter than what was read of it has begun anew.
        const start = known > size ? 0 : known;
        const { lines, end } = wholeLines(path, key, start, size);
        next.set(key, { end, missed: 0 });
        for (const line of lines) {
          const record = line === "" ? undefined : readRecord(line);
          if (record !== undefined) yield record;
          else if (line !== "") counts.broken++;
        }
      }
      read = next;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

interface FolderChanges {
  /** Waits until something in the folder has changed since the last time, or may have, or the signal ends it. */
  next(): Promise<void>;
  close(): void;
}

/**
 * Tells when files of a folder change. The operating system reports it, so that nothing is read while nothing happens; where it
 * cannot, and for changes that it does not see (a network drive), the folder is looked at now and then.
 */
function folderChanges(folder: string, signal: AbortSignal): FolderChanges {
  let watcher: FSWatcher | undefined;
  let isChanged = false;
  let wake = () => {};
  const start = () => {
    try {
      watcher = watch(folder, () => {
        isChanged = true;
        wake();
      });
      watcher.on("error", stop);
      // What was written before the watch began is found by one more look.
      isChanged = true;
    } catch {}
  };
  const stop = () => {
    watcher?.close();
    watcher = undefined;
  };
  const change = (mostMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const pause = (ms: number) => pauseFor(ms, undefined, { signal }).catch(() => {});
  signal.addEventListener("abort", () => wake(), { once: true });
  start();
  return {
    async next() {
      if (watcher === undefined) start();
      const rested = pause(REST_MS);
      if (!isChanged && !signal.aborted) {
        await change(watcher === undefined ? POLL_MS : IDLE_MS);
        // The call that is being recorded is answered first.
        await pause(SETTLED_MS);
      }
      await rested;
      isChanged = false;
    },
    close: stop,
  };
}

/** A file of a journal as it is now. */
export interface PresentFile {
  /** Tells a file from all others, whatever it is called. */
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** Newest first. A file that nothing was written into yet is none. */
export function presentFiles(folder: string): PresentFile[] {
  return filesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const source = sourceOf(path);
    return source === undefined ? [] : [{ ...source, name, path }];
  });
}

/** A file is opened again only when it has changed. */
function sourceOf(path: string): CompressedSource | undefined {
  const stamp = lstatSync(path, { throwIfNoEntry: false });
  const known = SOURCES.get(path);
  if (known !== undefined && stamp !== undefined && isUnchanged(known.stamp, stamp)) return known.source;
  const source = isCompressed(path) ? compressedSource(path) : plainSource(path);
  if (source === undefined) SOURCES.delete(path);
  else SOURCES.set(path, { stamp, source });
  return source;
}

const SOURCES = new Map<string, { readonly stamp: FileStamp; readonly source: CompressedSource }>();

function plainSource(path: string): CompressedSource | undefined {
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    const key = keyOfFile(file);
    return key === undefined ? undefined : { key, size: fstatSync(file).size };
  } finally {
    closeSync(file);
  }
}

/** The lines between two positions; one without a line end yet is left for later. */
export function wholeLines(path: string, key: string, start: number, size: number): { lines: string[]; end: number } {
  const bytes = size > start ? bytesOf(path, key, start, size) : undefined;
  const end = bytes === undefined ? 0 : bytes.lastIndexOf(NEWLINE) + 1;
  return { lines: bytes?.toString("utf8", 0, end).split("\n") ?? [], end: start + end };
}

function bytesOf(path: string, key: string, start: number, size: number): Buffer | undefined {
  if (isCompressed(path)) return readCompressed(path)?.subarray(start);
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    // Between the look at the folder and this one the file may have been rolled over.
    if (keyOfFile(file) !== key) return undefined;
    const bytes = Buffer.alloc(size - start);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

const NEWLINE = 10;
/** How often a folder is looked at that is not watched, and one that is. */
const POLL_MS = 200;
const IDLE_MS = 1000;
/** How long after a change it is read, and how long after a look the next one is at the earliest: calls in a row are read together. */
const SETTLED_MS = 25;
const REST_MS = 150;
const MAX_MISSED = 5;
