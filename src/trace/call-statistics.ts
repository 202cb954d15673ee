import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { readRegularText } from "../fs/regular-file.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import {
  addRecord,
  type CallSums,
  type Durations,
  type HookSums,
  noSums,
  ProjectIndex,
  type ProjectSums,
} from "./call-sums.ts";
import { compressedSource } from "./compressed.ts";
import { recordsOf } from "./read.ts";
import { isClosed, isCompressed, sumsFile } from "./rotation.ts";

/** How long something took, over many times; in milliseconds. */
export interface Times {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is known about one hook in one project. */
export interface HookStatistics extends Times, Omit<HookSums, "took"> {
  readonly hook: string;
}

/** What is known about the calls in one project. */
export interface ProjectStatistics extends Times, Omit<ProjectSums, "took" | "hooks" | "root" | "cwd"> {
  readonly root: string;
  /** Slowest first. */
  readonly hooks: readonly HookStatistics[];
}

/** Puts sums into figures, project by project; the busiest comes first. */
export function figuresOf(projects: readonly ProjectSums[]): ProjectStatistics[] {
  return projects
    .map(({ root, cwd = "", took, hooks, ...counts }) => ({
      root: root ?? cwd,
      ...times(took),
      ...counts,
      hooks: Object.entries(hooks)
        .map(([hook, { took: ran, ...tally }]) => ({ hook, ...times(ran), ...tally }))
        .sort((one, other) => other.p95 - one.p95),
    }))
    .filter(({ calls, hooks }) => calls > 0 || hooks.length > 0)
    .sort((one, other) => other.calls - one.calls);
}

/** The percentiles of many times. */
export function times(took: Durations): Times {
  const sorted = Object.entries(took)
    .map(([ms, count]) => ({ ms: Number(ms), count }))
    .sort((one, other) => one.ms - other.ms);
  const calls = sorted.reduce((sum, { count }) => sum + count, 0);
  const within = (share: number) => {
    let left = Math.ceil(calls * share);
    for (const { ms, count } of sorted) {
      left -= count;
      if (left <= 0) return ms;
    }
    return 0;
  };
  return { calls, p50: within(0.5), p95: within(0.95), p99: within(0.99) };
}

/** The sums of a closed file, if they are stored already; undefined if computing them would mean reading it. */
export function knownSums(folder: string, name: string, now = new Date()): CallSums | undefined {
  const path = join(folder, name);
  const stamp = isClosed(name, now) ? stampOf(path) : undefined;
  return stamp === undefined ? undefined : readKept(path, stamp);
}

/** The sums of one file of a journal. */
export function sumsOf(folder: string, name: string, now = new Date()): CallSums {
  const path = join(folder, name);
  const stamp = isClosed(name, now) ? stampOf(path) : undefined;
  const kept = stamp && readKept(path, stamp);
  if (kept !== undefined) return kept;
  const sums = noSums();
  const [projects, counts] = [new ProjectIndex(), { broken: 0 }];
  for (const record of recordsOf(path, counts)) addRecord(sums, record, projects);
  sums.broken = counts.broken;
  if (stamp !== undefined) keep(path, stamp, sums);
  return sums;
}

/** Tells whether a file is still the one that was added up. */
interface Stamp {
  readonly file: string;
  readonly size: number;
  readonly mtime: number;
}

/** A file that was compressed since is the same one: it contains its former length, and keeps its time. */
function stampOf(path: string): Stamp | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const size = isCompressed(path) ? compressedSource(path)?.size : found.size;
  return { file: basename(path).replace(/\.gz$/, ""), size: size ?? found.size, mtime: Math.floor(found.mtimeMs) };
}

function readKept(path: string, { file, size, mtime }: Stamp): CallSums | undefined {
  try {
    const { v, of, sums } = JSON.parse(readRegularText(sumsFile(path)));
    const isSame = v === VERSION && of.file === file && of.size === size && of.mtime === mtime;
    return isSame && Array.isArray(sums.projects) ? sums : undefined;
  } catch {
    return undefined;
  }
}

/** Sums that cannot be kept are made again the next time. */
function keep(path: string, stamp: Stamp, sums: CallSums): void {
  try {
    writePrivate(sumsFile(path), JSON.stringify({ v: VERSION, of: stamp, sums }));
  } catch {}
}

const VERSION = 1;
