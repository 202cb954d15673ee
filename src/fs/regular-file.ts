import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";

/**
 * Opens a regular file, by default for reading, and throws for anything else. A project may put a named pipe in place of any
 * file, at which a plain `open` waits forever, or a symlink to a device that never ends.
 */
export function openRegularFile(path: string | Buffer, flags: number = constants.O_RDONLY): number {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw Object.assign(new Error(`${path} is not a regular file`), { code: NOT_REGULAR, path: String(path) });
}

/** The bytes of a regular file. */
export function readRegularFile(path: string | Buffer): Buffer {
  const file = openRegularFile(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The text of a regular file. */
export function readRegularText(path: string): string {
  return readRegularFile(path).toString();
}

/** The end of a regular file: everything after its first `from` bytes, but at most the last `maxBytes`. */
export function readEnd(path: string, { from = 0, maxBytes = Number.POSITIVE_INFINITY } = {}): Buffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    const start = Math.max(from, size - maxBytes);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** Appends to a regular file, which is created for its owner alone if it is missing. */
export function appendRegularFile(path: string, text: string): void {
  // With O_WRONLY, a pipe without a reader fails to open as if it did not exist.
  const file = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The error code for a path that is not a regular file. */
export const NOT_REGULAR = "NOT_REGULAR";
