import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { ChangeRecord } from "./change-record.ts";
import { type TracePaths, traceFiles } from "./trace-paths.ts";

/** Every readable record of a trace, oldest first. */
export function* changes(place: Pick<TracePaths, "file">): Generator<ChangeRecord, void, void> {
  for (const path of traceFiles(place)) yield* whileOpen(path, changesIn);
}

function* changesIn(file: number, size: number): Generator<ChangeRecord, void, void> {
  for (const chunk of chunksOf(file, size, PIECE_BYTES))
    for (const { text } of linesOfChunk(chunk)) {
      const record = readChange(text);
      if (record !== undefined) yield record;
    }
}

/** The latest records, newest first, up to a number. */
export function* changesBackwards(place: Pick<TracePaths, "file">, most: number): Generator<ChangeRecord, void, void> {
  let left = most;
  for (const path of traceFiles(place).reverse()) {
    for (const line of [...whileOpen(path, linesAtEnd)].reverse()) {
      const record = readChange(line);
      if (record === undefined) continue;
      if (left-- <= 0) return;
      yield record;
    }
  }
}

function* linesAtEnd(file: number, size: number): Generator<string, void, void> {
  const bytes = Buffer.alloc(Math.min(size, END_BYTES));
  readWhole(file, bytes, size - bytes.length);
  for (const { text } of linesOfChunk(bytes)) yield text;
}

/** A line as a record; nothing for a line that is none. */
export function readChange(line: string): ChangeRecord | undefined {
  try {
    const found = Object(JSON.parse(line)) as ChangeRecord;
    return typeof found.id === "string" && typeof found.timestamp === "string" && Array.isArray(found.files)
      ? { ...found, files: found.files.filter(isFile) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isFile(file: unknown): boolean {
  const { relative_path, ranges } = Object(file) as { relative_path?: unknown; ranges?: unknown };
  return typeof relative_path === "string" && Array.isArray(ranges);
}

/** Calls with an open file and what is known about it; nothing for a file that is not there or may not be read. */
export function* whileOpen<T>(
  path: string,
  act: (file: number, size: number) => Generator<T, void, void>,
): Generator<T, void, void> {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return;
  }
  try {
    const found = fstatSync(file);
    if (found.isFile()) yield* act(file, found.size);
  } finally {
    closeSync(file);
  }
}

/** A file in chunks of whole lines, each about as many bytes as wanted. */
export function* chunksOf(file: number, size: number, wanted = CHUNK_BYTES): Generator<Buffer, void, void> {
  for (let from = 0; from < size; ) {
    const chunk = chunkAt(file, from, size, wanted);
    if (chunk.length === 0) return;
    from += chunk.length;
    yield chunk;
  }
}

/** Lines of a file from a place on, about as many bytes as wanted: whole ones, and at the end of the file what is left. */
export function chunkAt(file: number, from: number, size: number, wanted = CHUNK_BYTES): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(wanted, size - from));
  const length = readWhole(file, bytes, from);
  if (length < bytes.length || from + length >= size) return bytes.subarray(0, length);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return end > 0 ? bytes.subarray(0, end) : chunkAt(file, from, size, wanted * 2);
}

/** The lines of a chunk, with where each begins. */
export function* linesOfChunk(bytes: Buffer): Generator<{ begin: number; text: string }, void, void> {
  for (let begin = 0; begin < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, begin);
    const end = found === -1 ? bytes.length : found;
    if (end > begin) yield { begin, text: bytes.toString("utf8", begin, end) };
    begin = end + 1;
  }
}

function readWhole(file: number, bytes: Buffer, from: number): number {
  let length = 0;
  while (length < bytes.length) {
    const got = readSync(file, bytes, length, bytes.length - length, from + length);
    if (got === 0) break;
    length += got;
  }
  return length;
}

const NEWLINE = 10;
const CHUNK_BYTES = 16 * 1024 * 1024;

const PIECE_BYTES = 1024 * 1024;
const END_BYTES = 2 * 1024 * 1024;
