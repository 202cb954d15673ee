import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** What became of a file's lines. */
export interface LinesRead {
  readonly lines: number;
  /** Lines that are too long to be held in memory. */
  readonly longLines: number;
  /** How much of the file's beginning was not read. */
  readonly skippedBytes: number;
}

/**
 * Hands over each line that is not blank, in order, holding one at a time; `undefined` when no file can be read.
 * Of a very large file only the end is read: a hook has no time for more.
 */
export function readLines(file: string, take: (line: string) => void): LinesRead | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const stats = fstatSync(descriptor);
    return stats.isFile() ? readFrom(descriptor, Math.max(0, stats.size - MOST), take) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readFrom(descriptor: number, skippedBytes: number, take: (line: string) => void): LinesRead {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let position = skippedBytes;
  // Where it begins in the middle of a line, the rest of that line is none.
  let isTorn = skippedBytes > 0;
  let line: Buffer[] = [];
  let length = 0;
  let [lines, longLines] = [0, 0];
  const add = (part: Buffer) => {
    length += part.length;
    // The chunk is read into again, so what has to last is copied.
    if (length <= LONGEST) line.push(Buffer.from(part));
    else line = [];
  };
  const end = () => {
    const isLong = length > LONGEST;
    const text = isLong || isTorn ? "" : Buffer.concat(line).toString("utf8").trim();
    if (isLong && !isTorn) longLines++;
    if ((isLong && !isTorn) || text !== "") lines++;
    line = [];
    length = 0;
    isTorn = false;
    if (text !== "") take(text);
  };
  for (;;) {
    const size = readSync(descriptor, buffer, 0, CHUNK, position);
    if (size === 0) break;
    position += size;
    const chunk = buffer.subarray(0, size);
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    add(chunk.subarray(start));
  }
  end();
  return { lines, longLines, skippedBytes };
}

const NEWLINE = 10;
const CHUNK = 256 * 1024;
const LONGEST = 4 * 1024 * 1024;
const MOST = 24 * 1024 * 1024;
