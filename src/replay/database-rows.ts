import { closeSync, fstatSync, readSync } from "node:fs";
import { openPlain, type ReadCounts } from "../trace/file-lines.ts";

/** Whether a file is a database, by its name. */
export function isDatabase(path: string): boolean {
  return path.endsWith(".db");
}

/** The rows of tables of a database of SQLite, each as an object that names its table; what cannot be read is counted. */
export function* databaseRows(
  path: string,
  tables: readonly string[],
  counts: ReadCounts,
): Generator<Readonly<Record<string, unknown>>, void, void> {
  const pages = openDatabase(path);
  if (pages === undefined) {
    counts.broken++;
    return;
  }
  try {
    const schema = [...records(pages, 1, counts)].flatMap(([type, name, , root, sql]) =>
      type === "table" && typeof root === "number" ? [{ name, root, columns: columnsOf(String(sql)) }] : [],
    );
    for (const table of tables) {
      const found = schema.find(({ name }) => name === table);
      if (found === undefined) continue;
      for (const values of records(pages, found.root, counts))
        yield { ...Object.fromEntries(found.columns.map((column, index) => [column, values[index]])), table };
    }
  } finally {
    pages.close();
  }
}

type Value = string | number | null;

/** The records below a page of a table, in the order of their numbers. A page is read once, so that a circle of pages ends. */
function* records(pages: DatabasePages, root: number, counts: ReadCounts): Generator<readonly Value[]> {
  const seen = new Set<number>();
  const waiting = [root];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = seen.has(number) || number < 1 ? undefined : pages.page(number);
    seen.add(number);
    const at = number === 1 ? FILE_HEADER : 0;
    const kind = page?.[at];
    if (page === undefined || (kind !== LEAF && kind !== INNER)) {
      counts.broken++;
      continue;
    }
    const cells = cellsOf(page, at, kind);
    if (kind === INNER) {
      const below = cells.map((cell) => page.readUInt32BE(cell));
      waiting.push(...[...below, page.readUInt32BE(at + 8)].reverse());
      continue;
    }
    for (const cell of cells) {
      const values = recordAt(pages, page, cell);
      if (values === undefined) counts.broken++;
      else yield values;
    }
  }
}

/** Where the cells of a page begin; those outside of it are left out. */
function cellsOf(page: Buffer, at: number, kind: number): number[] {
  const begin = at + (kind === LEAF ? 8 : 12);
  const count = Math.min(page.readUInt16BE(at + 3), Math.floor((page.length - begin) / 2));
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(begin + 2 * index));
  return cells.filter((cell) => cell >= begin && cell + 4 <= page.length);
}

/** The values of a record; nothing for one that is torn or larger than any call. */
function recordAt(pages: DatabasePages, page: Buffer, cell: number): readonly Value[] | undefined {
  try {
    const [size, afterSize] = varint(page, cell);
    const [, begin] = varint(page, afterSize);
    if (size > LARGEST) return undefined;
    const content = contentOf(pages, page, begin, size);
    return content === undefined ? undefined : valuesIn(content);
  } catch {
    return undefined;
  }
}

/** What does not fit into its page continues in a chain of others. */
function contentOf(pages: DatabasePages, page: Buffer, begin: number, size: number): Buffer | undefined {
  const { usable } = pages;
  const most = usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const spread = least + ((size - least) % (usable - 4));
  const here = size <= most ? size : spread <= most ? spread : least;
  const pieces = [page.subarray(begin, begin + here)];
  let rest = size - here;
  for (let next = rest > 0 ? page.readUInt32BE(begin + here) : 0; rest > 0; ) {
    const more = next === 0 ? undefined : pages.page(next);
    if (more === undefined) return undefined;
    pieces.push(more.subarray(4, 4 + Math.min(rest, usable - 4)));
    rest -= usable - 4;
    next = more.readUInt32BE(0);
  }
  const content = Buffer.concat(pieces);
  return content.length === size ? content : undefined;
}

function valuesIn(content: Buffer): readonly Value[] {
  const [end, first] = varint(content, 0);
  const values: Value[] = [];
  let at = end;
  for (let place = first; place < end; ) {
    const [type, next] = varint(content, place);
    place = next;
    const length = lengthOf(type);
    values.push(valueAt(content, at, type, length));
    at += length;
  }
  return values;
}

function lengthOf(type: number): number {
  return type >= 12 ? Math.floor((type - 12) / 2) : (LENGTHS[type] ?? 0);
}

/** Bytes that are not text are not part of a call. */
function valueAt(content: Buffer, at: number, type: number, length: number): Value {
  if (type >= 13 && type % 2 === 1) return content.toString("utf8", at, at + length);
  if (type === 7) return content.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return Number(content.readBigInt64BE(at));
  return type >= 1 && type <= 5 ? content.readIntBE(at, length) : null;
}

const LENGTHS: readonly number[] = [0, 1, 2, 3, 4, 6, 8, 8];

/** A number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, begin: number): readonly [value: number, end: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(begin + index);
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, begin + index + 1];
  }
  return [value * 256 + bytes.readUInt8(begin + 8), begin + 9];
}

/** The names of a table's columns, from the text that made it. */
function columnsOf(sql: string): string[] {
  const body = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"));
  const parts: string[] = [""];
  let depth = 0;
  for (const sign of body) {
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts
    .map((part) => /^\s*[`"[]?([^\s`"\]]+)/.exec(part)?.[1] ?? "")
    .filter((name) => !CONSTRAINTS.has(name.toUpperCase()));
}

/** The pages of a database of SQLite, as its last whole transaction left them. */
interface DatabasePages {
  /** How much of a page holds content. */
  readonly usable: number;
  /** A page by its number, which begins at 1; undefined if it does not exist. */
  readonly page: (number: number) => Buffer | undefined;
  readonly close: () => void;
}

/**
 * Opens a database to read it. Nothing is written and nothing is locked: what an agent has not moved yet from the log beside
 * its database is read there.
 */
function openDatabase(path: string): DatabasePages | undefined {
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

/** Where the newest copy of each page is in the log; what no transaction has committed is left out. */
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
    // Frames of an earlier round of the log have another salt.
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

const CONSTRAINTS: ReadonlySet<string> = new Set(["CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK"]);
const FILE_HEADER = 100;
const LEAF = 0x0d;
const INNER = 0x05;
const LARGEST = 8 * 1024 * 1024;
