import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { statsAt } from "../fs/resolve-path.ts";
import { compressedSource, keyOfFile, readCompressed } from "../trace/compressed.ts";
import { openPlain } from "../trace/file-lines.ts";
import { journalFolder } from "../trace/journal.ts";
import { isCanary } from "../trace/outcome.ts";
import { filesIn, readRecord } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { isCompressed } from "../trace/rotation.ts";

/** Where each file of the journal has been read to, by what tells the file from all others under any name. */
export type ShippedPositions = Readonly<Record<string, number>>;

/** Some records after a position, and the position after them. */
export interface JournalBatch {
  readonly records: readonly DecisionRecord[];
  readonly positions: ShippedPositions;
  /** Lines that are torn, foreign or of another version. */
  readonly broken: number;
}

/** How much is read at once. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

/** The next records of a journal after these positions, oldest file first. A line that has no end yet is left for later. */
export function readBatch(folder: string, from: ShippedPositions, limits: BatchLimits): JournalBatch {
  const records: DecisionRecord[] = [];
  const positions: Record<string, number> = {};
  let [broken, bytes] = [0, 0];
  for (const name of filesIn(folder).reverse()) {
    const path = join(folder, name);
    const isFull = records.length >= limits.records || bytes >= limits.bytes;
    const file = isCompressed(name) ? compressedFile(path, from) : plainFile(path, from, limits.bytes, isFull);
    if (file === undefined) continue;
    let at = 0;
    for (; records.length < limits.records && bytes < limits.bytes; ) {
      const end = file.unread().indexOf(NEWLINE, at);
      if (end < 0) break;
      const line = file.unread().toString("utf8", at, end);
      const record = line === "" ? undefined : readRecord(line);
      // Calls that `sluice doctor` makes up are not decisions about an agent.
      if (record !== undefined && !isCanary(record.results)) records.push(record);
      else if (record === undefined && line !== "") broken++;
      bytes += end + 1 - at;
      at = end + 1;
    }
    positions[file.key] = file.start + at;
  }
  return { records, positions, broken };
}

/** The folder of this user's journal. */
export const journalIn = journalFolder;

/** Changes with every decision that is written down. */
export function journalStamp(env: Parameters<typeof journalFolder>[0]): string {
  const folder = journalFolder(env);
  const [newest] = filesIn(folder);
  const found = newest === undefined ? undefined : statsAt(join(folder, newest));
  return found === undefined ? "" : `${newest} ${found.ino} ${found.size}`;
}

interface OpenedFile {
  readonly key: string;
  /** Where its unread part begins. */
  readonly start: number;
  readonly unread: () => Buffer;
}

/** One that was read to its end is not unpacked again. */
function compressedFile(path: string, from: ShippedPositions): OpenedFile | undefined {
  const source = compressedSource(path);
  if (source === undefined) return undefined;
  const start = from[source.key] ?? 0;
  let whole: Buffer | undefined;
  const unread = () => {
    if (start >= source.size) return NOTHING;
    whole ??= readCompressed(path)?.subarray(start) ?? NOTHING;
    return whole;
  };
  return { key: source.key, start, unread };
}

function plainFile(path: string, from: ShippedPositions, most: number, isFull: boolean): OpenedFile | undefined {
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    const key = keyOfFile(file);
    if (key === undefined) return undefined;
    const { size } = fstatSync(file);
    const known = from[key] ?? 0;
    // A file that is shorter than what was read of it has begun anew.
    const start = known > size ? 0 : known;
    const bytes = isFull ? NOTHING : Buffer.alloc(Math.min(size - start, most + LONGEST_LINE));
    const unread = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    return { key, start, unread: () => unread };
  } finally {
    closeSync(file);
  }
}

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
/** A record keeps 64 KiB of characters, in up to four bytes each. */
const LONGEST_LINE = 512 * 1024;
