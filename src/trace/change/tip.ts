import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

/** How far a trace had come at one moment. */
export interface Mark {
  /** Records in all files of the trace. */
  readonly count: number;
  /** Bytes of the file that is written to. */
  readonly size: number;
  /** The hash of the last record; nothing before the first. */
  readonly hash: string | null;
}

/** The end of a trace as this user's own state remembers it, where the project cannot reach it. */
export interface Tip extends Mark {
  /** `writing` from right before a record is written until the lock is given back, or until the next one is begun. */
  readonly state: "writing" | "written";
  /** Where the trace stood before its last record. */
  readonly before: Mark;
  /** Files that were closed because they had grown large. */
  readonly segments: number;
}

/** Opens the file of a tip, making it where there is none. */
export function openTip(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
}

/** What an open file says; nothing when it says nothing that can be believed. */
export function readTip(file: number): Tip | undefined {
  const length = readSync(file, BLOCK, 0, BYTES, 0);
  try {
    const text = BLOCK.toString("latin1", 0, length);
    const found: unknown = { ...JSON.parse(text.slice(1)), state: text.startsWith("+") ? "written" : "writing" };
    return isTip(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The tip under a path, for whoever only looks. */
export function tipAt(path: string): Tip | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return readTip(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The bytes of a tip as they were written last by this process. */
export function emptyTip(): Buffer {
  return Buffer.alloc(BYTES);
}

/** Writes the tip over the old one, in one write of a fixed length; `bytes` are what was written then. */
export function writeTip(file: number, tip: Tip, bytes = emptyTip()): void {
  const length = bytes.write(textOf(tip), "latin1");
  bytes.fill(BLANK, length, BYTES - 1);
  bytes[BYTES - 1] = NEWLINE;
  if (writeSync(file, bytes, 0, BYTES, 0) < BYTES)
    throw Object.assign(new Error("the tip was not written whole"), { code: "ENOSPC" });
}

/** Whether the file still says what was written last. */
export function isStillTip(file: number, bytes: Buffer): boolean {
  return readSync(file, BLOCK, 0, BYTES, 0) === BYTES && BLOCK.equals(bytes);
}

/** Says that what was being written is there. */
export function confirmTip(file: number, bytes: Buffer): void {
  bytes[0] = WRITTEN;
  writeSync(file, bytes, 0, 1, 0);
}

function textOf({ state, count, size, hash, before, segments }: Tip): string {
  const sign = state === "written" ? "+" : "-";
  const earlier = markText(before.count, before.size, before.hash);
  return `${sign}{${markText(count, size, hash)},"before":{${earlier}},"segments":${segments}}`;
}

function markText(count: number, size: number, hash: string | null): string {
  return `"count":${count},"size":${size},"hash":${hash === null ? "null" : `"${hash}"`}`;
}

function isTip(value: unknown): value is Tip {
  if (!isMark(value)) return false;
  const { state, before, segments } = value as Partial<Tip>;
  return (state === "writing" || state === "written") && isMark(before) && Number.isInteger(segments);
}

function isMark(value: unknown): value is Mark {
  const { count, size, hash } = Object(value) as Partial<Mark>;
  return Number.isInteger(count) && Number.isInteger(size) && (hash === null || typeof hash === "string");
}

const BYTES = 512;
const BLOCK = Buffer.alloc(BYTES);
const WRITTEN = "+".charCodeAt(0);
const BLANK = 32;
const NEWLINE = 10;
