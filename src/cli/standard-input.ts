import { readSync } from "node:fs";
import { isWholePayload } from "../server/whole-payload.ts";

/**
 * Reads what an agent writes to standard input, without Node's streams: they cost more than the decision. A payload is
 * complete at the end of the input, or as soon as it is whole JSON: not every agent closes the pipe.
 */
export function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const length = readSome(buffer);
    if (length === 0) break;
    chunks.push(Buffer.from(buffer.subarray(0, length)));
    if (length < CHUNK && isWholePayload(chunks)) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readSome(buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(0, buffer, 0, buffer.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const CHUNK = 64 * 1024;
