import * as crypto from "node:crypto";
import { fstatSync, readSync } from "node:fs";
import type { ChainHead, ChainPosition } from "./chain-head.ts";

/** The hash of one line of a trace, without its line break; in one step where this node can do it so. */
export function hashOfLine(line: string | Uint8Array): string {
  if (typeof crypto.hash === "function") return `sha256:${crypto.hash("sha256", line)}`;
  return `sha256:${crypto.createHash("sha256").update(line).digest("hex")}`;
}

/**
 * A record as a line of the trace with its line break, and the hash of the line: bound to the line before it, then sealed with
 * its own hash. Both come last, so that they are found without reading the rest. The bytes hold until the next line is asked for.
 */
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

/** Whether a line states that it follows the line with this hash. */
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

/** Where the next record goes: what it is bound to, and what has to be put in order first. */
export interface AppendPosition extends ChainPosition {
  /** Bytes at the end that are not a whole record: they are moved aside, and a record reports that. */
  readonly torn?: { readonly from: number; readonly lost: string | null };
  /** The last line has no end; the next record begins on a line of its own. */
  readonly needsBreak?: true;
}

/**
 * Compares the end of a trace with what is remembered about it. A record whose writing never ended is put aside. Everything
 * else that does not fit, such as a finished record that was cut, stays as it is, and the next record is bound to what is
 * remembered, so that it shows for ever.
 */
export function appendPosition(file: number, head: ChainHead | undefined): AppendPosition {
  const { size } = fstatSync(file);
  if (head === undefined) return adopted(file, size);
  const remembered = { count: head.count, hash: head.hash };
  if (size === head.size && (head.state === "written" || isWhole(file, head))) return { ...remembered, size };
  if (head.state === "writing" && size === head.before.size) return head.before;
  const isTornEnd = size > 0 && lastLineStart(file, size) !== size;
  if (isTornEnd && head.state === "writing" && size > head.before.size && size < head.size)
    return { ...head.before, torn: { from: head.before.size, lost: head.hash } };
  if (isTornEnd && size > head.size && lastLineStart(file, size) === head.size)
    return { ...remembered, size: head.size, torn: { from: head.size, lost: null } };
  return { ...remembered, size, ...(isTornEnd ? { needsBreak: true } : {}) };
}

/** A trace without a remembered position continues after its last whole line. */
function adopted(file: number, size: number): AppendPosition {
  const bytes = Buffer.alloc(size);
  readSync(file, bytes, 0, size, 0);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  const begin = end < 2 ? 0 : bytes.lastIndexOf(NEWLINE, end - 2) + 1;
  const hash = end === 0 ? null : hashOfLine(bytes.subarray(begin, end - 1));
  return { count, hash, size: end, ...(end === size ? {} : { torn: { from: end, lost: null } }) };
}

/** Whether the record that was being written came through. */
function isWhole(file: number, { before, size, hash }: ChainHead): boolean {
  const bytes = Buffer.alloc(Math.max(0, size - before.size));
  readSync(file, bytes, 0, bytes.length, before.size);
  return bytes.at(-1) === NEWLINE && hashOfLine(bytes.subarray(0, -1)) === hash;
}

/** Where the last line begins, seen from the end; the end itself when the last line is whole. */
function lastLineStart(file: number, size: number): number {
  const piece = Buffer.alloc(Math.min(size, PIECE));
  readSync(file, piece, 0, piece.length, size - piece.length);
  return size - piece.length + piece.lastIndexOf(NEWLINE) + 1;
}

/** No record is longer: a longer line was not written by Sluice. */
const PIECE = 1024 * 1024;

const NEWLINE = 10;
/** Bytes of UTF-8 for one unit of a string. */
const LONGEST_CHARACTER = 3;
const LONGEST_BINDING = 128;
/** Most records fit in, and cost no memory of their own. */
const ROOM = Buffer.allocUnsafe(64 * 1024);
const SEAL_LENGTH = `,"record_hash":"sha256:${"0".repeat(64)}"}`.length;
