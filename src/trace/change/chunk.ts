import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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
