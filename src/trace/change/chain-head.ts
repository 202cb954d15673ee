import { closeSync, constants, readSync, writeSync } from "node:fs";
import { openRegularFile } from "../../fs/regular-file.ts";

/** How far a trace had come at one hook event. */
export interface ChainPosition {
  /** Records in all files of the trace. */
  readonly count: number;
  /** Bytes of the file that is written to. */
  readonly size: number;
  /** The hash of the last record; nothing before the first. */
  readonly hash: string | null;
}

/** The end of a trace as this user's own state remembers it, where the project cannot reach it. */
export interface ChainHead extends ChainPosition {
  /** `writing` from right before a record is written until the lock is given back, or until the next one is begun. */
  readonly state: "writing" | "written";
  /** The position of the trace before its last record. */
  readonly before: ChainPosition;
  /** Files that were closed because they had grown large. */
  readonly segments: number;
}

/** Opens the file of the chain head, making it where there is none. */
export function openChainHead(path: string): number {
  return openRegularFile(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0));
}

/** The content of an open file; undefined if it is not plausible. */
export function readChainHead(file: number): ChainHead | undefined {
  const length = readSync(file, BLOCK, 0, BYTES, 0);
  try {
    const text = BLOCK.toString("latin1", 0, length);
    const found: unknown = { ...JSON.parse(text.slice(1)), state: text.startsWith("+") ? "written" : "writing" };
    return isChainHead(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The head under a path, for reading only. */
export function chainHeadAt(path: string): ChainHead | undefined {
  try {
    const file = openRegularFile(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return readChainHead(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The bytes of a head as they were written last by this process. */
export function emptyChainHead(): Buffer {
  return Buffer.alloc(BYTES);
}

/** Writes the head over the old one, in one write of a fixed length; `bytes` are what was written then. */
export function writeChainHead(file: number, head: ChainHead, bytes = emptyChainHead()): void {
  const length = bytes.write(textOf(head), "latin1");
  bytes.fill(BLANK, length, BYTES - 1);
  bytes[BYTES - 1] = NEWLINE;
  if (writeSync(file, bytes, 0, BYTES, 0) < BYTES)
    throw Object.assign(new Error("the head was not written whole"), { code: "ENOSPC" });
}

/** Whether the file still contains what was written last. */
export function isStillChainHead(file: number, bytes: Buffer): boolean {
  return readSync(file, BLOCK, 0, BYTES, 0) === BYTES && BLOCK.equals(bytes);
}

/** Says that what was being written is there. */
export function confirmChainHead(file: number, bytes: Buffer): void {
  bytes[0] = WRITTEN;
  writeSync(file, bytes, 0, 1, 0);
}

function textOf({ state, count, size, hash, before, segments }: ChainHead): string {
  const sign = state === "written" ? "+" : "-";
  const earlier = markText(before.count, before.size, before.hash);
  return `${sign}{${markText(count, size, hash)},"before":{${earlier}},"segments":${segments}}`;
}

function markText(count: number, size: number, hash: string | null): string {
  return `"count":${count},"size":${size},"hash":${hash === null ? "null" : `"${hash}"`}`;
}

function isChainHead(value: unknown): value is ChainHead {
  if (!isMark(value)) return false;
  const { state, before, segments } = value as Partial<ChainHead>;
  return (state === "writing" || state === "written") && isMark(before) && Number.isInteger(segments);
}

function isMark(value: unknown): value is ChainPosition {
  const { count, size, hash } = Object(value) as Partial<ChainPosition>;
  return Number.isInteger(count) && Number.isInteger(size) && (hash === null || typeof hash === "string");
}

const BYTES = 512;
const BLOCK = Buffer.alloc(BYTES);
const WRITTEN = "+".charCodeAt(0);
const BLANK = 32;
const NEWLINE = 10;
