import { readSync } from "node:fs";

/** Everything on standard input, as text; returns when the writer has closed it. */
export function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    const size = readSome(buffer);
    if (size === 0) return Buffer.concat(chunks).toString("utf8");
    chunks.push(Buffer.from(buffer.subarray(0, size)));
  }
}

/** A pipe that somebody made non-blocking has nothing yet instead of waiting; then this waits. */
function readSome(buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(0, buffer);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
