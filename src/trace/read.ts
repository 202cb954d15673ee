import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { readCompressed } from "./compressed.ts";
import { fileLines, isDeeperThan, openPlain, type ReadCounts } from "./file-lines.ts";
import type { DecisionRecord } from "./record.ts";
import { isCompressed, isNewer, journalFiles, plainName } from "./rotation.ts";

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
  for (const { text } of linesOf(path, counts)) {
    if (text === "" || !isWanted(text)) continue;
    const record = readRecord(text);
    if (record === undefined) counts.broken++;
    else yield record;
  }
}

/** A line of a journal, and its place: reading after it continues with the line before it. */
export interface PlacedLine {
  readonly text: string;
  readonly place: string;
}

/**
 * Every line of a journal, newest first; after a place, those that are older. A file that was set aside since is read again from
 * its end: a line may come twice, and none is left out. Files of later days than `until` are skipped.
 */
export function* placedLines(
  folder: string,
  after = "",
  until = Number.POSITIVE_INFINITY,
): Generator<PlacedLine, void, void> {
  const [last = "", offset = ""] = after.split(":");
  const day = Number.isFinite(until) ? new Date(until).toISOString() : "9";
  for (const file of filesIn(folder)) {
    const name = plainName(file);
    if (name.slice(0, DATE) > day || (after !== "" && isNewer(name, last))) continue;
    const from = name === last ? Number(offset) : Number.POSITIVE_INFINITY;
    for (const { text, start } of linesOf(join(folder, file), { broken: 0 }, from))
      yield { text, place: `${name}:${start}` };
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

/** A line, and where it begins in its file. */
interface FileLine {
  readonly text: string;
  readonly start: number;
}

/** The lines of a file from its last to its first; only those that begin before a position. */
function linesOf(path: string, counts: ReadCounts, before = Number.POSITIVE_INFINITY): Generator<FileLine, void, void> {
  return isCompressed(path) ? linesOfCompressed(path, counts, before) : linesBackwards(path, before);
}

function* linesOfCompressed(path: string, counts: ReadCounts, before: number): Generator<FileLine, void, void> {
  const text = readCompressed(path);
  if (text === undefined) {
    counts.broken++;
    return;
  }
  for (let end = Math.min(before - 1, text.length); end > 0; ) {
    const start = text.lastIndexOf(NEWLINE, end - 1) + 1;
    yield { text: text.toString("utf8", start, end), start };
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

function* linesBackwards(path: string, before: number): Generator<FileLine, void, void> {
  const file = openPlain(path);
  if (file === undefined) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    let end = Math.max(0, Math.min(before - 1, fstatSync(file).size));
    while (end > 0) {
      const start = Math.max(0, end - PIECE);
      const piece = Buffer.alloc(end - start);
      readSync(file, piece, 0, piece.length, start);
      end = start;
      rest = Buffer.concat([piece, rest]);
      for (let at = rest.lastIndexOf(NEWLINE); at >= 0; at = rest.lastIndexOf(NEWLINE)) {
        yield { text: rest.toString("utf8", at + 1), start: end + at + 1 };
        rest = rest.subarray(0, at);
      }
      // A line without an end is not held in memory for ever: what is left of it is a torn line of its own.
      if (rest.length > LONGEST) rest = rest.subarray(0, PIECE);
    }
    yield { text: rest.toString("utf8"), start: 0 };
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
const DATE = "2000-01-01".length;
const PIECE = 64 * 1024;
const LONGEST = 4 * 1024 * 1024;
const DEEPEST = 1000;
