import { readSync } from "node:fs";

/** Everything on standard input, as text; returns when the writer has closed it. */
export function readStandardInput(): string {
  let buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  let filled = 0;
  for (;;) {
    const size = readSome(buffer, filled);
    if (size === 0) return buffer.toString("utf8", 0, filled);
    filled += size;
    if (filled === buffer.length) buffer = twice(buffer);
  }
}

/** A pipe that somebody made non-blocking has nothing yet instead of waiting; then this waits. */
function readSome(buffer: Buffer, from: number): number {
  for (;;) {
    try {
      return readSync(0, buffer, from, buffer.length - from, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function twice(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(2 * buffer.length);
  buffer.copy(larger);
  return larger;
}
