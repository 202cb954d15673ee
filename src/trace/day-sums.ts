import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { writePrivate } from "../fs/write-atomic.ts";
import { addRecord, type CallSums, noSums, ProjectIndex } from "./call-sums.ts";
import { compressedSource } from "./compressed.ts";
import { recordsOf } from "./read.ts";
import { isClosed, isCompressed, sumsFile } from "./rotation.ts";

/** The sums of a closed file, where they are kept already; nothing where making them would mean reading it. */
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

/** A file that was compressed since is the same one: it tells how long it was, and keeps its time. */
function stampOf(path: string): Stamp | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const size = isCompressed(path) ? compressedSource(path)?.size : found.size;
  return { file: basename(path).replace(/\.gz$/, ""), size: size ?? found.size, mtime: Math.floor(found.mtimeMs) };
}

function readKept(path: string, { file, size, mtime }: Stamp): CallSums | undefined {
  try {
    const { v, of, sums } = JSON.parse(readFileSync(sumsFile(path), "utf8"));
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
