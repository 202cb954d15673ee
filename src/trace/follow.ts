import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type CompressedSource, compressedSource, keyOfFile, readCompressed } from "./compressed.ts";
import type { ReadCounts } from "./file-lines.ts";
import { openPlain } from "./open-plain.ts";
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

/** The ends of all files of a journal: what is written from now on lies behind them. */
export function journalEnds(folder: string): JournalPositions {
  return new Map(presentFiles(folder).map(({ key, size }) => [key, { end: size, missed: 0 }]));
}

/**
 * Every record that is written behind these positions, oldest first, until the signal ends it. Files that are rolled over are
 * read to their end, and files that begin later from their beginning.
 */
export async function* followRecords(
  folder: string,
  from: JournalPositions,
  {
    signal,
    counts = { broken: 0 },
    pollMs = POLL_MS,
  }: { readonly signal: AbortSignal; readonly counts?: ReadCounts; readonly pollMs?: number },
): AsyncGenerator<DecisionRecord, void, void> {
  for (let read = from; !signal.aborted; ) {
    const next = new Map<string, ReadPosition>();
    for (const [key, { end, missed }] of read) if (missed < MOST_MISSED) next.set(key, { end, missed: missed + 1 });
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
    await setTimeout(pollMs, undefined, { signal }).catch(() => {});
  }
}

interface PresentFile {
  /** Tells a file from all others, whatever it is called. */
  readonly key: string;
  readonly path: string;
  readonly size: number;
}

/** Newest first. A file that nothing was written into yet is none. */
function presentFiles(folder: string): PresentFile[] {
  return filesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const source = isCompressed(name) ? sourceOf(path) : plainSource(path);
    return source === undefined ? [] : [{ ...source, path }];
  });
}

/** A compressed file never changes, and is looked into once. */
function sourceOf(path: string): CompressedSource | undefined {
  const known = SOURCES.get(path);
  if (known !== undefined) return known;
  const source = compressedSource(path);
  if (source !== undefined) SOURCES.set(path, source);
  return source;
}

const SOURCES = new Map<string, CompressedSource>();

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

/** The lines between two positions; one that has no end yet is left for later. */
function wholeLines(path: string, key: string, start: number, size: number): { lines: string[]; end: number } {
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
const POLL_MS = 200;
const MOST_MISSED = 5;
