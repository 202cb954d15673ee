import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Opens a regular file to read it, and throws for what is none. In place of any file that a project has there may be a named
 * pipe, which a plain `open` waits at for ever, or a symlink to a device that never ends.
 */
export function openRegularFile(path: string | Buffer): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw Object.assign(new Error(`${path} is no regular file`), { code: NOT_REGULAR });
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

/** The code of the error for a path that holds something else than a regular file. */
export const NOT_REGULAR = "NOT_REGULAR";
