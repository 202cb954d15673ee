import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** Opens a file to read; nothing for what is no plain file. */
export function openPlain(path: string): number | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch {}
  return undefined;
}
