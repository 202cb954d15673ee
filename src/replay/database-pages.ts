import { closeSync, fstatSync, readSync } from "node:fs";
import { openPlain } from "../trace/open-plain.ts";

/** The pages of a database of SQLite, as its last whole transaction left them. */
export interface DatabasePages {
  /** How much of a page holds content. */
  readonly usable: number;
  /** A page by its number, which begins at 1; nothing where there is none. */
  readonly page: (number: number) => Buffer | undefined;
  readonly close: () => void;
}

/**
 * Opens a database to read it. Nothing is written and nothing is locked: what an agent has not moved yet from the log beside
 * its database is read there.
 */
export function openDatabase(path: string): DatabasePages | undefined {
  const file = openPlain(path);
  if (file === undefined) return undefined;
  const header = bytesAt(file, 0, HEADER);
  const stated = header?.readUInt16BE(16) ?? 0;
  const size = stated === 1 ? LARGEST_PAGE : stated;
  if (header?.toString("latin1", 0, MAGIC.length) !== MAGIC || !isPageSize(size)) {
    closeSync(file);
    return undefined;
  }
  const log = openPlain(`${path}-wal`);
  const logged = log === undefined ? new Map<number, number>() : loggedPages(log, size);
  const page = (number: number) => {
    const at = logged.get(number);
    return at === undefined || log === undefined ? bytesAt(file, (number - 1) * size, size) : bytesAt(log, at, size);
  };
  const close = () => {
    closeSync(file);
    if (log !== undefined) closeSync(log);
  };
  // A new database may have nothing but an empty page in its file, which does not say how texts are written.
  const first = page(1);
  if (first?.readUInt32BE(56) === UTF8) return { usable: size - (first[20] ?? 0), page, close };
  close();
  return undefined;
}

/** Where the newest copy of each page stands in the log; what no transaction has ended does not count. */
function loggedPages(log: number, size: number): Map<number, number> {
  const found = new Map<number, number>();
  const header = bytesAt(log, 0, LOG_HEADER);
  if (header === undefined || (header.readUInt32BE(0) & ~1) !== LOG_MAGIC || header.readUInt32BE(8) !== size)
    return found;
  const salt = header.subarray(16, 24);
  const { size: end } = fstatSync(log);
  const open = new Map<number, number>();
  for (let at = LOG_HEADER; at + FRAME_HEADER + size <= end; at += FRAME_HEADER + size) {
    const frame = bytesAt(log, at, FRAME_HEADER);
    // What an earlier round of the log left behind has another salt.
    if (frame === undefined || !frame.subarray(8, 16).equals(salt)) break;
    open.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of open) found.set(page, place);
    open.clear();
  }
  return found;
}

function bytesAt(file: number, at: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  return readSync(file, bytes, 0, size, at) === size ? bytes : undefined;
}

function isPageSize(size: number): boolean {
  return size >= SMALLEST_PAGE && size <= LARGEST_PAGE && (size & (size - 1)) === 0;
}

const MAGIC = "SQLite format 3\0";
const HEADER = 100;
const UTF8 = 1;
const SMALLEST_PAGE = 512;
const LARGEST_PAGE = 65_536;
const LOG_MAGIC = 0x377f0682;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
