import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isObject } from "../event/json.ts";

/** What was passed over while reading. */
export interface ReadCounts {
  /** Lines that are torn, foreign, too long, too deep or of another version. */
  broken: number;
}

/** The lines of a file of any size, first to last; a line that is too long is passed over and counted. All are read into one buffer. */
export function* fileLines(path: string, counts: ReadCounts): Generator<string, void, void> {
  const file = openPlain(path);
  if (file === undefined) return;
  try {
    const { size } = fstatSync(file);
    let buffer = Buffer.allocUnsafe(Math.min(PIECE, size + 1));
    let [held, isSkipping] = [0, false];
    for (let at = 0; at < size; ) {
      if (held === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * held, LONGEST + 1));
      const read = readSync(file, buffer, held, Math.min(buffer.length - held, size - at), at);
      if (read === 0) break;
      at += read;
      const bytes = buffer.subarray(0, held + read);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE, held); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        if (!isSkipping) yield bytes.toString("utf8", start, end);
        isSkipping = false;
        start = end + 1;
      }
      bytes.copyWithin(0, start);
      held = bytes.length - start;
      if (held <= LONGEST) continue;
      if (!isSkipping) counts.broken++;
      isSkipping = true;
      held = 0;
    }
    // A line without its end may be whole.
    if (held > 0 && !isSkipping) yield buffer.toString("utf8", 0, held);
  } finally {
    closeSync(file);
  }
}

/** The object that a line is; nothing for anything else, and for what is nested so deep that no agent wrote it. */
export function objectOfLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
    return isObject(value) && !isDeeperThan(DEEPEST, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is nested deeper than so many levels. It goes level by level, so that no depth breaks it. */
export function isDeeperThan(levels: number, value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next: object[] = [];
    for (const one of level)
      for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) next.push(inner);
    level = next;
  }
  return false;
}

/** Opens a file to read; undefined if it is not a plain file. */
export function openPlain(path: string): number | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch {}
  return undefined;
}

const NEWLINE = 10;
const BYTE_ORDER_MARK = 0xfeff;
const PIECE = 256 * 1024;
const LONGEST = 8 * 1024 * 1024;
const DEEPEST = 100;
