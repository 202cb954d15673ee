import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, lstatSync, openSync, readSync, statfsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { lockAt } from "../../fs/lock.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { NOT_REGULAR } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { APPENDING, WHY_UNWRITABLE } from "../rotation.ts";
import { type AppendPosition, appendPosition, lineOf } from "./chain.ts";
import {
  type ChainHead,
  confirmChainHead,
  emptyChainHead,
  isStillChainHead,
  openChainHead,
  readChainHead,
  writeChainHead,
} from "./chain-head.ts";
import { UNKNOWN_REVISION } from "./change-record.ts";
import { closeSegment, segmentFile, type TracePaths } from "./trace-paths.ts";

/** A trace that is being written to. */
export interface TraceFile {
  /** Adds a record with one write; what went wrong comes back. */
  append(record: object): Problem | undefined;
  close(): void;
}

/** How a trace is kept. */
export interface TraceLimits {
  /** A file that has grown to this many bytes is closed, and the next record begins a new one. */
  readonly segmentBytes?: number;
}

/** Opens a trace, making its folder and file where there are none. Files stay open between records. */
export function openTrace(place: TracePaths, { segmentBytes = SEGMENT_BYTES }: TraceLimits = {}): TraceFile {
  let open: Open | undefined;
  let known: Known | undefined;
  const settle = () => {
    if (open?.isUnconfirmed) confirmChainHead(open.head, open.tipBytes);
    if (open !== undefined) open.isUnconfirmed = false;
  };
  const lock = lockAt(join(place.state, "lock"), settle);
  const close = () => {
    if (open !== undefined) for (const file of [open.trace, open.head]) closeSync(file);
    [open, known] = [undefined, undefined];
  };
  const reopened = (isFresh: boolean): Open => {
    // While no other process could write, what we wrote last is still the end.
    if (open !== undefined && known !== undefined && (!isFresh || isAsLeft(open, known))) return open;
    known = undefined;
    if (open !== undefined && isStillThere(open, place.file)) return open;
    close();
    makeFolders(place);
    open = openBoth(place);
    return open;
  };
  const write = (record: object, isFresh: boolean) => {
    const now = reopened(isFresh);
    const standing =
      known ?? broughtInOrder(now.trace, place, standingAfter(now.trace, readChainHead(now.head), place));
    const before = standing.torn === undefined ? standing : added(now, recoveryRecord(standing.torn), standing);
    known = added(now, record, before);
    if (known.size < segmentBytes) return;
    const { count, hash, segments } = known;
    closeSegment(place.file, segments + 1);
    const begun = { count, hash, size: 0 };
    writeChainHead(now.head, { ...begun, before: begun, state: "written", segments: segments + 1 });
    close();
  };
  return {
    append: (record) => {
      try {
        if (open === undefined) makeFolders(place);
        const isDone = lock.whileHeld((isFresh) => write(record, isFresh) ?? true);
        return isDone ? undefined : PROBLEMS.busy({ file: place.file });
      } catch (cause) {
        close();
        return appendProblem(cause, place);
      }
    },
    close: () => {
      lock.close();
      close();
    },
  };
}

/** Adds one record to a trace. */
export function appendToTrace(place: TracePaths, record: object, limits?: TraceLimits): Problem | undefined {
  const trace = openTrace(place, limits);
  try {
    return trace.append(record);
  } finally {
    trace.close();
  }
}

/** The position of the trace after our own last record, to continue there if no other process has written since. */
interface Known extends AppendPosition {
  readonly segments: number;
  readonly at: number;
}

/** Our own last record is still the last one, for the head and for the file. The path of the file is checked from time to time. */
function isAsLeft({ trace, head, tipBytes }: Open, { size, at }: Known): boolean {
  const isEnd = readSync(trace, LAST, 0, 2, size - 1) === 1 && LAST[0] === NEWLINE;
  return isEnd && isStillChainHead(head, tipBytes) && performance.now() - at < LOOKED_UP_EVERY_MS;
}

interface Open {
  readonly trace: number;
  readonly head: number;
  readonly tipBytes: Buffer;
  readonly inode: number;
  /** The last record is written, and the head does not contain it yet. */
  isUnconfirmed: boolean;
}

function makeFolders({ folder, state }: TracePaths): void {
  makePrivateDir(state);
  makeDir(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw PROBLEMS.foreign({ path: folder });
}

function openBoth({ file, state }: TracePaths): Open {
  const trace = openSync(file, APPENDING, 0o644);
  const found = fstatSync(trace);
  if (!found.isFile() || found.nlink > 1) {
    closeSync(trace);
    throw PROBLEMS.foreign({ path: file });
  }
  const head = openChainHead(join(state, "tip"));
  return { trace, head, tipBytes: emptyChainHead(), inode: found.ino, isUnconfirmed: false };
}

/** Another process may have closed the segment, or another file may have taken its place. */
function isStillThere({ inode }: Open, file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.ino === inode;
}

/** A process that ended between closing a segment and updating the head has left a head that names the closed one. */
function standingAfter(
  trace: number,
  head: ChainHead | undefined,
  { file }: TracePaths,
): AppendPosition & { segments: number } {
  const segments = head?.segments ?? 0;
  if (head !== undefined && head.size > 0 && fstatSync(trace).size === 0) {
    const closed = lstatSync(segmentFile(file, segments + 1), { throwIfNoEntry: false });
    if (closed?.size === head.size) return { count: head.count, hash: head.hash, size: 0, segments: segments + 1 };
  }
  return { ...appendPosition(trace, head), segments };
}

function broughtInOrder<T extends AppendPosition>(trace: number, { file }: TracePaths, standing: T): T {
  const { torn, needsBreak } = standing;
  if (torn !== undefined) {
    const { size } = fstatSync(trace);
    const bytes = Buffer.alloc(size - torn.from);
    readSync(trace, bytes, 0, bytes.length, torn.from);
    const aside = openSync(join(dirname(file), TORN_FILE), APPENDING, 0o600);
    writeSync(aside, Buffer.concat([bytes, Buffer.from("\n")]));
    closeSync(aside);
    ftruncateSync(trace, torn.from);
  }
  if (needsBreak) writeSync(trace, "\n");
  return standing;
}

/** Objects are written out here: spreading them costs more than writing the record. */
function added(open: Open, record: object, standing: AppendPosition & { segments: number; at?: number }): Known {
  const { count, hash, segments, at = performance.now() } = standing;
  const line = lineOf(record, hash);
  const begin = standing.needsBreak ? fstatSync(open.trace).size : standing.size;
  const size = begin + line.bytes.length;
  const before = { count, hash, size: begin };
  open.isUnconfirmed = false;
  const head: ChainHead = { count: count + 1, hash: line.hash, size, before, state: "writing", segments };
  writeChainHead(open.head, head, open.tipBytes);
  const written = writeSync(open.trace, line.bytes);
  if (written < line.bytes.length) {
    ftruncateSync(open.trace, begin);
    writeChainHead(open.head, { ...before, before, state: "written", segments }, open.tipBytes);
    throw Object.assign(new Error("short write"), { code: "ENOSPC" });
  }
  open.isUnconfirmed = true;
  return { count: count + 1, hash: line.hash, size, segments, at };
}

/** Why a record could not be written. A write to a full disk fails without a path: the state may be on another disk than the trace. */
export function appendProblem(cause: unknown, { file, state }: Pick<TracePaths, "file" | "state">): Problem {
  if (cause instanceof Error && cause.name === "Problem") return cause as Problem;
  const { code = "", path = code === "ENOSPC" && isFull(state) ? state : file } = cause as NodeJS.ErrnoException;
  if (NOT_OURS.has(code)) return PROBLEMS.foreign({ path }, { cause });
  return PROBLEMS.unwritable({ file: path, why: WHY_UNWRITABLE[code] ?? String(cause) }, { cause });
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < LEAST_ROOM;
}

/** A link, a pipe, a folder. */
const NOT_OURS = new Set(["ELOOP", "ENXIO", "EISDIR", NOT_REGULAR]);
const LEAST_ROOM = 4096;
const NEWLINE = 10;
const LAST = Buffer.alloc(2);
const LOOKED_UP_EVERY_MS = 50;
const TORN_FILE = "agent_trace.torn";
const SEGMENT_BYTES = 64 * 1024 * 1024;
const PROBLEMS = problems("trace", {
  busy: ({ file }: { file: string }) => ({
    what: `The change is not traced: another process has locked ${file} and does not release it.`,
    fix: "Look for a process that hangs; `sluice trace audit` lists what is missing.",
  }),
  foreign: ({ path }: { path: string }) => ({
    what: `The change is not traced: ${path} is a symlink, or neither a file nor a folder.`,
    fix: "Find out which program made it, and remove it; Sluice makes its own.",
  }),
  unwritable: ({ file, why }: { file: string; why: string }) => ({
    what: `The change is not traced: ${file} cannot be written, ${why}.`,
    fix: "Make room or give yourself the right to write there; `sluice trace audit` lists what is missing.",
  }),
});

/** The record of a repair at the end of the trace. */
function recoveryRecord({ lost }: { readonly lost: string | null }, now = new Date()): object {
  return {
    id: randomUUID(),
    timestamp: now.toISOString(),
    intent_id: null,
    mutation_class: "UNKNOWN",
    vcs: { revision_id: UNKNOWN_REVISION },
    files: [],
    recovered: { torn_line: true, lost_hash: lost },
  };
}
