import { closeSync, fstatSync, readSync } from "node:fs";
import { isDeeperThan } from "../trace/nesting.ts";
import { openPlain } from "../trace/open-plain.ts";

/** What was passed over in a file of calls: lines that are torn, foreign, too long or too deep. */
export interface SkippedLines {
  broken: number;
}

/** The lines of a file of any size, first to last; a line that is too long is passed over and counted. */
export function* fileLines(path: string, counts: SkippedLines): Generator<string, void, void> {
  const file = openPlain(path);
  if (file === undefined) return;
  try {
    const { size } = fstatSync(file);
    let rest: Buffer = Buffer.alloc(0);
    let isSkipping = false;
    for (let at = 0; at < size; ) {
      const piece = Buffer.alloc(Math.min(PIECE, size - at));
      const read = readSync(file, piece, 0, piece.length, at);
      if (read === 0) break;
      at += read;
      let bytes: Buffer = rest.length === 0 ? piece.subarray(0, read) : Buffer.concat([rest, piece.subarray(0, read)]);
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
        if (!isSkipping) yield bytes.toString("utf8", 0, end);
        isSkipping = false;
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
      if (rest.length > LONGEST) {
        if (!isSkipping) counts.broken++;
        isSkipping = true;
        rest = Buffer.alloc(0);
      }
    }
    if (rest.length > 0 && !isSkipping) yield rest.toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** The object that a line is; nothing for anything else, and for what is nested so deep that no agent wrote it. */
export function objectOfLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && !isDeeperThan(DEEPEST, value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

const NEWLINE = 10;
const BYTE_ORDER_MARK = 0xfeff;
const PIECE = 256 * 1024;
const LONGEST = 8 * 1024 * 1024;
const DEEPEST = 100;
