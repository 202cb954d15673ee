import { readSync } from "node:fs";
import { isObject } from "../event/json.ts";
import { problems } from "../problem/problem.ts";
import type { Completed } from "./complete.ts";
import type { RequestPayload } from "./payload.ts";

/** The JSON object that an agent writes to its hook; returns when the writer has closed standard input, and throws when it is none. */
export function readStdin(): RequestPayload {
  const text = readStandardInput();
  if (text.trim() === "") throw PROBLEMS.stdinEmpty(undefined);
  try {
    const payload: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isObject(payload)) return payload;
  } catch (cause) {
    throw PROBLEMS.stdinUnreadable(undefined, { cause });
  }
  throw PROBLEMS.stdinUnreadable(undefined);
}

/** Everything on standard input, as text. */
function readStandardInput(): string {
  let buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  let filled = 0;
  for (;;) {
    const size = readSome(buffer, filled);
    if (size === 0) return buffer.toString("utf8", 0, filled);
    filled += size;
    if (filled === buffer.length) buffer = twice(buffer);
  }
}

/** A non-blocking pipe has nothing yet instead of waiting; then this waits. */
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

/** Tells the agent: the JSON on standard output, the reason of a block on standard error too, and the exit code. */
export function writeOutput({ output, exitCode }: Completed): void {
  if (output !== null && output !== undefined) process.stdout.write(`${JSON.stringify(output)}\n`);
  // Agents that see exit code 2 read standard error, and some read nothing else.
  if (exitCode === 2) process.stderr.write(`${reasonOf(output)}\n`);
  process.exitCode = exitCode;
}

function reasonOf(output: Completed["output"]): string {
  const specific = Object(output?.hookSpecificOutput) as { readonly permissionDecisionReason?: unknown };
  return String(output?.reason ?? specific.permissionDecisionReason ?? "blocked");
}

const PROBLEMS = problems("request", {
  stdinEmpty: () => ({
    what: "what the agent wrote to standard input is empty",
    fix: "Start the hook as the agent does: with its JSON on standard input.",
  }),
  stdinUnreadable: () => ({
    what: "what the agent wrote to standard input is not a JSON object",
    fix: "Start the hook as the agent does: with one JSON object on standard input.",
  }),
});
