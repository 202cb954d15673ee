import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularFile } from "./regular-file.ts";

/** The end of a file: what lies behind its first `from` bytes, of that at most the last `most`. Throws where it cannot be read. */
export function readEnd(path: string, { from = 0, most = Number.POSITIVE_INFINITY } = {}): Buffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    const start = Math.max(from, size - most);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}
