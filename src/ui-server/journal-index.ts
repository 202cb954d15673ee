import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { attempt } from "../event/attempt.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { ensurePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { type PresentFile, presentFiles, wholeLines } from "../trace/follow.ts";
import { readRecord } from "../trace/read.ts";
import type { CallSource } from "./call-source.ts";
import { addRecord, type DayTally, lastDays, mergeDay, noDay } from "./journal-tally.ts";

/** Sums of a journal, day by day. They are kept in files, so that a record is read once, however often pages ask. */
export interface CallIndex {
  /** The days that are asked for, each with what its calls came to; days without calls are left out. */
  days(count: number): Promise<ReadonlyMap<string, DayTally>>;
}

/** Reads what is new of a journal into the files of its index; in a process of its own where much has to be read. */
export type BuildIndex = () => Promise<void>;

/** What is known about one file of the journal: its sums up to a position. */
interface FileSums {
  readonly end: number;
  readonly days: Map<string, DayTally>;
}

/** The index of the journal of this machine. */
export function journalIndex(journal: string, kept: string, build?: BuildIndex): CallIndex {
  const known = new Map<string, FileSums>();
  let last: Promise<unknown> = Promise.resolve();
  let merged: { readonly of: string; readonly days: ReadonlyMap<string, DayTally> } | undefined;

  async function days(count: number): Promise<ReadonlyMap<string, DayTally>> {
    const wanted = lastDays(count);
    const files = filesSince(journal, wanted[0] ?? "");
    for (const { key } of files) if (!known.has(key)) known.set(key, readKept(kept, key));
    const missing = () => files.reduce((sum, { key, size }) => sum + Math.max(0, size - (known.get(key)?.end ?? 0)), 0);
    if (build !== undefined && missing() > MAX_READ_HERE) {
      await build();
      for (const { key, size } of files) if ((known.get(key)?.end ?? 0) < size) known.set(key, readKept(kept, key));
    }
    for (const file of files) await readNew(file, known, kept);
    const of = JSON.stringify([wanted, files.map(({ key }) => [key, known.get(key)?.end])]);
    if (merged?.of !== of) merged = { of, days: mergedDays(files, known, new Set(wanted)) };
    return merged.days;
  }

  return {
    // One page after the other: what the first one reads, the second one knows.
    days: (count) => {
      const answer = last.then(() => days(count));
      last = answer.catch(() => {});
      return answer;
    },
  };
}

/** Where the index is kept. */
export function indexFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDir({ env }), "ui-index");
}

/** Reads everything that is new in a journal, and removes what is kept of files that are gone. */
export async function buildIndex(journal: string, kept: string): Promise<void> {
  const files = presentFiles(journal);
  const names = new Set(files.map(({ key }) => nameOf(key)));
  for (const name of listed(kept)) if (!names.has(name)) rmSync(join(kept, name), { force: true });
  for (const file of files) {
    const known = new Map([[file.key, readKept(kept, file.key)]]);
    await readNew(file, known, kept, true);
  }
}

/** Reads in a process of its own, which this command line starts; agents come first. */
export function buildInProcess(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): BuildIndex {
  return () =>
    new Promise((resolve) => {
      // Without it the records are read here.
      const child = spawn(program, args, { env, stdio: "ignore" });
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    });
}

/** The same for calls of a database, which is asked for all of its days at once. */
export function sourceIndex(source: CallSource): CallIndex {
  let shared:
    | { readonly count: number; readonly at: number; readonly days: Promise<Map<string, DayTally>> }
    | undefined;
  async function read(count: number): Promise<Map<string, DayTally>> {
    const wanted = lastDays(count);
    const days = new Map<string, DayTally>();
    const oldest = new Date(`${wanted[0]}T00:00:00`).toISOString();
    let seen = 0;
    for await (const record of source.records(oldest)) {
      if (record.time < oldest) break;
      if (++seen % PIECE === 0) await setImmediate();
      addRecord(days, record);
    }
    return days;
  }
  return {
    days(count) {
      if (shared?.count === count && Date.now() - shared.at < FRESH_MS) return shared.days;
      shared = { count, at: Date.now(), days: read(count) };
      return shared.days;
    },
  };
}

/** All days together. */
export function sumOf(days: ReadonlyMap<string, DayTally>): DayTally {
  const all = noDay();
  for (const day of days.values()) mergeDay(all, day);
  return all;
}

/** The files that may hold records of a local day or of later ones: a file is named by the day in UTC. */
function filesSince(journal: string, day: string): PresentFile[] {
  const oldest = new Date(Date.parse(`${day}T00:00:00`) - DAY_MS).toISOString().slice(0, DATE);
  return presentFiles(journal).filter(({ name }) => name.slice(0, DATE) >= oldest);
}

/** Adds what was written since a file was read last. */
async function readNew(
  { path, key, size }: PresentFile,
  known: Map<string, FileSums>,
  kept: string,
  isKept = false,
): Promise<void> {
  const before = known.get(key) ?? NOTHING;
  if (size <= before.end) return;
  const { lines, end } = wholeLines(path, key, before.end, size);
  const days = new Map(before.days);
  for (const [at, line] of lines.entries()) {
    if (at % PIECE === PIECE - 1) await setImmediate();
    const record = line === "" ? undefined : readRecord(line);
    if (record !== undefined) addRecord(days, record);
  }
  known.set(key, { end, days });
  if (isKept || end - before.end > MIN_KEPT) keep(kept, key, { end, days });
}

function mergedDays(
  files: readonly PresentFile[],
  known: ReadonlyMap<string, FileSums>,
  wanted: ReadonlySet<string>,
): Map<string, DayTally> {
  const days = new Map<string, DayTally>();
  for (const { key } of files)
    for (const [day, tally] of known.get(key)?.days ?? []) {
      if (!wanted.has(day)) continue;
      const sum = days.get(day) ?? noDay();
      mergeDay(sum, tally);
      days.set(day, sum);
    }
  return days;
}

function readKept(folder: string, key: string): FileSums {
  try {
    const { v, zone, of, end, days } = JSON.parse(readRegularText(join(folder, nameOf(key))));
    if (v !== VERSION || zone !== ZONE || of !== key || typeof end !== "number") return NOTHING;
    return { end, days: new Map(Object.entries(days as Record<string, DayTally>)) };
  } catch {
    return NOTHING;
  }
}

/** Sums that cannot be kept are made again the next time. */
function keep(folder: string, key: string, { end, days }: FileSums): void {
  try {
    if (!ensurePrivateDir(folder)) return;
    const sums = { v: VERSION, zone: ZONE, of: key, end, days: Object.fromEntries(days) };
    writePrivate(join(folder, nameOf(key)), JSON.stringify(sums));
  } catch {}
}

function listed(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function nameOf(key: string): string {
  return `${sha256Text(key).slice(0, 32)}.json`;
}

const NOTHING: FileSums = { end: 0, days: new Map() };
/** Days begin and end by the clock of this machine. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const VERSION = 2;
const DATE = "2000-01-01".length;
const DAY_MS = 24 * 60 * 60 * 1000;
const PIECE = 500;
const FRESH_MS = 3000;
/** What is more than this is read in another process: the memory that it takes goes with it. */
const MAX_READ_HERE = 4 * 1024 * 1024;
const MIN_KEPT = 1024 * 1024;
