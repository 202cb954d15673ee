import { closeSync, fstatSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { filesIn, openPlain, type ReadCounts, readRecord } from "./read.ts";
import type { DecisionRecord } from "./record.ts";

/** Where each file of a journal has been read to. A file that is rolled over keeps its inode under another name. */
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
  { signal, counts = { broken: 0 } }: { readonly signal: AbortSignal; readonly counts?: ReadCounts },
): AsyncGenerator<DecisionRecord, void, void> {
  for (let read = from; !signal.aborted; ) {
    const next = new Map<string, ReadPosition>();
    for (const [key, { end, missed }] of read) if (missed < MOST_MISSED) next.set(key, { end, missed: missed + 1 });
    for (const { key, path, size } of presentFiles(folder).reverse()) {
      const known = read.get(key)?.end ?? 0;
      // A file that is shorter than what was read of it is another file with the same inode.
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
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

interface PresentFile {
  /** Tells a file from all others, whatever it is called. */
  readonly key: string;
  readonly path: string;
  readonly size: number;
}

/** Newest first. */
function presentFiles(folder: string): PresentFile[] {
  return filesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ key: keyOf(found), path, size: found.size }];
  });
}

/** The lines between two positions; one that has no end yet is left for later. */
function wholeLines(path: string, key: string, start: number, size: number): { lines: string[]; end: number } {
  const file = size > start ? openPlain(path) : undefined;
  if (file === undefined) return { lines: [], end: start };
  try {
    // Between the look at the folder and this one the file may have been rolled over.
    if (keyOf(fstatSync(file)) !== key) return { lines: [], end: start };
    const bytes = Buffer.alloc(size - start);
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    const end = read.lastIndexOf(NEWLINE) + 1;
    return { lines: read.toString("utf8", 0, end).split("\n"), end: start + end };
  } finally {
    closeSync(file);
  }
}

function keyOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

const NEWLINE = 10;
const POLL_MS = 200;
const MOST_MISSED = 5;
