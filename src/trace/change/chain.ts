import * as crypto from "node:crypto";

/** The hash of one line of a trace, without its line break; in one step where this node can do it so. */
export function hashOfLine(line: string | Uint8Array): string {
  if (typeof crypto.hash === "function") return `sha256:${crypto.hash("sha256", line)}`;
  return `sha256:${crypto.createHash("sha256").update(line).digest("hex")}`;
}

/**
 * A record as a line of the trace: bound to the line before it, then sealed with its own hash. Both stand last, so that
 * they are found without reading the rest.
 */
export function chained(record: object, previous: string | null): string {
  const text = JSON.stringify(record);
  const bound = `${text.slice(0, -1)}${text.length > 2 ? "," : ""}${bindingTo(previous)}`;
  return `${bound},"record_hash":"${hashOfLine(bound)}"}`;
}

/** Whether a line says that it follows the line with this hash. */
export function isBoundTo(line: Buffer, previous: string | null): boolean {
  const binding = bindingTo(previous);
  const end = line.length - SEAL_LENGTH;
  return end >= binding.length && line.toString("latin1", end - binding.length, end) === binding;
}

/** Whether a line is still what it was sealed as. */
export function isSealed(line: Buffer): boolean {
  const end = line.length - SEAL_LENGTH;
  if (end <= 0) return false;
  return line.toString("latin1", end) === `,"record_hash":"${hashOfLine(line.subarray(0, end))}"}`;
}

function bindingTo(previous: string | null): string {
  return `"previous_hash":${previous === null ? "null" : `"${previous}"`}`;
}

const SEAL_LENGTH = `,"record_hash":"sha256:${"0".repeat(64)}"}`.length;
