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
  /** `writing` from right before a record is written until right after. */
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

/** Writes the tip over the old one, in one write of a fixed length; what was written comes back. */
export function writeTip(file: number, tip: Tip): string {
  const text = textOf(tip);
  const length = BLOCK.write(text, "latin1");
  if (writeSync(file, BLOCK, 0, length, 0) < BYTES)
    throw Object.assign(new Error("the tip was not written whole"), { code: "ENOSPC" });
  return text;
}

/** Whether the file still says what was written last. */
export function isStillTip(file: number, text: string): boolean {
  return readSync(file, BLOCK, 0, BYTES, 0) === BYTES && BLOCK.toString("latin1") === text;
}

/** Says that what was being written is there. */
export function confirmTip(file: number): void {
  writeSync(file, WRITTEN, 0, 1, 0);
}

function textOf({ state, before, segments, ...mark }: Tip): string {
  const text = `${state === "written" ? "+" : "-"}{${markText(mark)},"before":{${markText(before)}},"segments":${segments}}`;
  return `${text.padEnd(BYTES - 1)}\n`;
}

function markText({ count, size, hash }: Mark): string {
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
const WRITTEN = Buffer.from("+");
