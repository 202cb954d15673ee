import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { readCompressed } from "./compressed.ts";
import { fileLines, isDeeperThan, openPlain, type ReadCounts } from "./file-lines.ts";
import type { DecisionRecord } from "./record.ts";
import { isCompressed, journalFiles } from "./rotation.ts";

/** What a search by the beginning of an id found. */
export type Found =
  | { readonly found: "one"; readonly record: DecisionRecord }
  | { readonly found: "several"; readonly records: readonly DecisionRecord[] }
  | { readonly found: "none" };

/** Which lines of a file are read: all, none, or those for which it returns true. */
export type WantedLines = boolean | ((line: string) => boolean);

/**
 * Every record of a journal, newest first, read piece by piece. A journal that is not there has none. Files and lines of
 * which `wanted` returns false are skipped.
 */
export function* records(
  folder: string,
  counts: ReadCounts = { broken: 0 },
  wanted: (name: string) => WantedLines = () => true,
): Generator<DecisionRecord, void, void> {
  for (const name of filesIn(folder)) {
    const lines = wanted(name);
    if (lines !== false) yield* recordsOf(join(folder, name), counts, lines === true ? undefined : lines);
  }
}

/** The records of one file of a journal, newest first. */
export function* recordsOf(
  path: string,
  counts: ReadCounts = { broken: 0 },
  isWanted: (line: string) => boolean = () => true,
): Generator<DecisionRecord, void, void> {
  for (const line of isCompressed(path) ? linesOfCompressed(path, counts) : linesBackwards(path)) {
    if (line === "" || !isWanted(line)) continue;
    const record = readRecord(line);
    if (record === undefined) counts.broken++;
    else yield record;
  }
}

/** The same oldest first; a line without a line end yet is left out. */
export function* recordsInOrder(
  folder: string,
  counts: ReadCounts = { broken: 0 },
  isWanted: (name: string) => boolean = () => true,
): Generator<DecisionRecord, void, void> {
  for (const name of filesIn(folder).reverse()) {
    if (!isWanted(name)) continue;
    for (const line of linesForwards(join(folder, name), counts)) {
      if (line === "") continue;
      const record = readRecord(line);
      if (record === undefined) counts.broken++;
      else yield record;
    }
  }
}

/** The record with this id, whole or only its beginning. When a whole id came up twice, the newer one is meant. */
export function findRecord(folder: string, idPrefix: string, counts?: ReadCounts): Found {
  const wanted = idPrefix.toLowerCase();
  const fitting: DecisionRecord[] = [];
  for (const record of records(folder, counts)) {
    if (record.id === wanted) return { found: "one", record };
    if (record.id.startsWith(wanted)) fitting.push(record);
  }
  const [record, second] = fitting;
  if (record === undefined) return { found: "none" };
  return second === undefined ? { found: "one", record } : { found: "several", records: fitting };
}

/** The names of a journal's files, newest first; empty if there is no journal. */
export function filesIn(folder: string): string[] {
  return attempt(() => journalFiles(folder)) ?? [];
}

/** Why the files of a journal cannot be listed; undefined if they can, and for a journal that does not exist. */
export function whyUnlisted(folder: string): string | undefined {
  try {
    journalFiles(folder);
    return undefined;
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : code;
  }
}

function* linesOfCompressed(path: string, counts: ReadCounts): Generator<string, void, void> {
  const text = readCompressed(path);
  if (text === undefined) {
    counts.broken++;
    return;
  }
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf(NEWLINE, end - 1) + 1;
    yield text.toString("utf8", start, end);
    end = start - 1;
  }
}

/** The lines of a file, compressed or not, from its first to its last. */
function* linesForwards(path: string, counts: ReadCounts): Generator<string, void, void> {
  if (!isCompressed(path)) return yield* fileLines(path, counts);
  const text = readCompressed(path);
  if (text === undefined) counts.broken++;
  else yield* linesIn(text);
}

function* linesIn(text: Buffer): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf(NEWLINE, start);
    const end = found < 0 ? text.length : found;
    yield text.toString("utf8", start, end);
    start = end + 1;
  }
}

/** The lines of a file from its last to its first. */
function* linesBackwards(path: string): Generator<string, void, void> {
  const file = openPlain(path);
  if (file === undefined) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (let end = fstatSync(file).size; end > 0; ) {
      const start = Math.max(0, end - PIECE);
      const piece = Buffer.alloc(end - start);
      readSync(file, piece, 0, piece.length, start);
      end = start;
      rest = Buffer.concat([piece, rest]);
      for (let at = rest.lastIndexOf(NEWLINE); at >= 0; at = rest.lastIndexOf(NEWLINE)) {
        yield rest.toString("utf8", at + 1);
        rest = rest.subarray(0, at);
      }
      // A line without an end is not held in memory for ever: what is left of it is a torn line of its own.
      if (rest.length > LONGEST) rest = rest.subarray(0, PIECE);
    }
    yield rest.toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** The record of a line; nothing for one that is torn, foreign or of another version. */
export function readRecord(line: string): DecisionRecord | undefined {
  try {
    const found: unknown = JSON.parse(line);
    if (!isRecord(found)) return undefined;
    // What is nested so deep cannot be written as JSON again; a short line cannot be.
    return line.length > 2 * DEEPEST && isDeeperThan(DEEPEST, found) ? undefined : found;
  } catch {
    return undefined;
  }
}

/** What is shown or searched has to be there; the rest is shown as it is. */
function isRecord(value: unknown): value is DecisionRecord {
  if (typeof value !== "object" || value === null) return false;
  const { v, id, time, event, action, reasons, results } = value as Record<string, unknown>;
  return (
    v === 1 &&
    [id, time, event, action].every((text) => typeof text === "string") &&
    isListOf(reasons, "string") &&
    isListOf(results, "object")
  );
}

function isListOf(value: unknown, type: "string" | "object"): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type && item !== null);
}

const NEWLINE = 10;
const PIECE = 64 * 1024;
const LONGEST = 4 * 1024 * 1024;
const DEEPEST = 1000;
