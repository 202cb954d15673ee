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
  return lineOf(record, previous).bytes.toString("utf8").trimEnd();
}

/** The same as bytes with their line break, and the hash of the line. The bytes hold until the next line is asked for. */
export function lineOf(record: object, previous: string | null): { readonly bytes: Buffer; readonly hash: string } {
  const text = JSON.stringify(record);
  const most = text.length * LONGEST_CHARACTER + LONGEST_BINDING + SEAL_LENGTH + 1;
  const room = most <= ROOM.length ? ROOM : Buffer.allocUnsafe(most);
  // The closing brace gives way to what follows.
  let end = room.write(text) - 1;
  end += room.write(`${text.length > 2 ? "," : ""}${bindingTo(previous)}`, end, "latin1");
  end += room.write(sealOf(room.subarray(0, end)), end, "latin1");
  const hash = hashOfLine(room.subarray(0, end));
  room[end] = NEWLINE;
  return { bytes: room.subarray(0, end + 1), hash };
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
  return line.toString("latin1", end) === sealOf(line.subarray(0, end));
}

function sealOf(bound: Uint8Array): string {
  return `,"record_hash":"${hashOfLine(bound)}"}`;
}

function bindingTo(previous: string | null): string {
  return `"previous_hash":${previous === null ? "null" : `"${previous}"`}`;
}

const NEWLINE = 10;
/** Bytes of UTF-8 for one unit of a string. */
const LONGEST_CHARACTER = 3;
const LONGEST_BINDING = 128;
/** Most records fit in, and cost no memory of their own. */
const ROOM = Buffer.allocUnsafe(64 * 1024);
const SEAL_LENGTH = `,"record_hash":"sha256:${"0".repeat(64)}"}`.length;
