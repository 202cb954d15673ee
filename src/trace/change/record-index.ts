import { linesOfChunk, readChange } from "./read-changes.ts";

/**
 * A few numbers about every record of a chunk: enough to find out which records have to be read. Numbers made from texts
 * are short, so two texts may share one; the caller reads the record to be sure.
 */
export interface RecordIndex {
  /** For each record: where it begins, and the number of its id. */
  readonly records: Uint32Array;
  /** For each range of each record; a file without ranges has one row without lines. */
  readonly rows: Uint32Array;
}

/** How many numbers describe a record, and in which order. */
export const RECORD = { begin: 0, id: 1, width: 2 } as const;

/** How many numbers describe a range, and in which order; `record` is the index of the record. */
export const ROW = { record: 0, start: 1, end: 2, content: 3, path: 4, earlierPath: 5, width: 6 } as const;

/** Reads every record of a chunk once. */
export function indexOfChunk(chunk: Buffer): RecordIndex {
  const records: number[] = [];
  const rows: number[] = [];
  for (const { begin, text } of linesOfChunk(chunk)) {
    const record = readChange(text);
    if (record === undefined) continue;
    const number = records.length / RECORD.width;
    records.push(begin, idNumber(record.id));
    for (const { relative_path, renamed_from, ranges } of record.files) {
      const paths = [textNumber(relative_path), renamed_from === undefined ? 0 : textNumber(renamed_from)] as const;
      if (ranges.length === 0) rows.push(number, 0, 0, 0, ...paths);
      for (const { start_line, end_line, content_hash } of ranges)
        rows.push(number, start_line, end_line, contentNumber(content_hash), ...paths);
    }
  }
  return { records: Uint32Array.from(records), rows: Uint32Array.from(rows) };
}

/** The number of a hash such as `sha256:…`: its first digits. */
export function contentNumber(hash: string): number {
  return Number.parseInt(String(hash).slice(PREFIX.length, PREFIX.length + DIGITS), 16) >>> 0;
}

/** The least and the greatest number of hashes that begin with these digits. */
export function contentNumbers(digits: string): readonly [number, number] {
  const known = digits.slice(0, DIGITS);
  if (!/^[0-9a-f]*$/.test(known)) return [1, 0];
  return [Number.parseInt(known.padEnd(DIGITS, "0"), 16), Number.parseInt(known.padEnd(DIGITS, "f"), 16)];
}

/** The number of an id, or of a beginning of one that is long enough. */
export function idNumber(id: string): number {
  return textNumber(id.slice(0, ID_LENGTH));
}

/** So much of an id has to be known for its number. */
export const ID_LENGTH = 6;

/** The number of any text; zero means none. */
export function textNumber(text: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return number >>> 0 || 1;
}

/** An index as bytes for the disk. */
export function recordIndexBytes({ records, rows }: RecordIndex): Buffer {
  const head = Uint32Array.of(records.length, rows.length);
  return Buffer.concat([head, records, rows].map(bytesOf));
}

/** The same again; nothing for bytes that are none. */
export function recordIndexFrom(bytes: Buffer): RecordIndex | undefined {
  // A view has to begin at a multiple of four.
  const numbers = new Uint32Array(bytes.length >> 2);
  bytesOf(numbers).set(bytes.subarray(0, numbers.byteLength));
  const [records = 0, rows = 0] = numbers;
  if (bytes.length !== (2 + records + rows) * Uint32Array.BYTES_PER_ELEMENT) return undefined;
  return { records: numbers.subarray(2, 2 + records), rows: numbers.subarray(2 + records) };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const PREFIX = "sha256:";
const DIGITS = 8;
