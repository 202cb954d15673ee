import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Opens a regular file, to read it where nothing else is said, and throws for what is none. In place of any file that a project
 * or the state has there may be a named pipe, which a plain `open` waits at for ever, or a symlink to a device that never ends.
 */
export function openRegularFile(path: string | Buffer, flags: number = constants.O_RDONLY): number {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw Object.assign(new Error(`${path} is no regular file`), { code: NOT_REGULAR, path: String(path) });
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

/** Adds to the end of a regular file, which is made for its owner alone where there is none. */
export function appendRegularFile(path: string, text: string): void {
  // For writing alone, a pipe without a reader fails to open as if nothing were there.
  const file = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The code of the error for a path that holds something else than a regular file. */
export const NOT_REGULAR = "NOT_REGULAR";
