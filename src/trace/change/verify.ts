import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { whileLocked } from "../../fs/lock.ts";
import { hashOfLine, isBoundTo, isSealed } from "./chain.ts";
import { type ChainHead, type ChainPosition, chainHeadAt } from "./chain-head.ts";
import { type TracePaths, traceFiles } from "./trace-paths.ts";

/** What looking through a whole trace came to. */
export interface Verified {
  readonly records: number;
  readonly bytes: number;
  /** The first place where the trace is not as it was written. */
  readonly broken?: Broken;
  readonly notes: readonly string[];
}

/** A place in a trace that does not fit. */
interface Broken {
  /**
   * A record that does not fit; an end that is not the remembered one, so that the changed record is unknown; a
   * file that is not there, is a link, or cannot be read.
   */
  readonly kind: "record" | "end" | "gone" | "link" | "unreadable";
  readonly file: string;
  readonly line: number;
  readonly why: string;
  /** How many records before it are intact. */
  readonly fitting: number;
}

/** Checks that every record is there, unchanged and in order, up to the end that this user's state remembers. */
export function verifyTrace(place: TracePaths): Verified {
  const look = () => ({ head: chainHeadAt(join(place.state, "tip")), files: traceFiles(place).map(openPart) });
  const head = chainHeadAt(join(place.state, "tip"));
  const held = head === undefined ? look() : (whileLocked(join(place.state, "lock"), look) ?? look());
  try {
    return verified(held.files, held.head, place);
  } finally {
    for (const { file } of held.files) if (file !== undefined) closeSync(file);
  }
}

interface Part {
  readonly path: string;
  readonly file: number | undefined;
  readonly size: number;
  /** Why it is not open. */
  readonly state: "open" | "gone" | "link" | "unreadable";
}

/** Whether a trace is intact, in one sentence. */
export function traceVerdict({ records, broken }: Verified): string {
  if (broken !== undefined) {
    const line = broken.kind === "record" ? `:${broken.line}` : "";
    return `trace BROKEN at ${broken.file}${line}: ${broken.why}.`;
  }
  return records === 0
    ? "trace OK: nothing is recorded yet."
    : `trace OK, hash chain intact: ${records} ${records === 1 ? "record" : "records"}.`;
}

/** The size is taken while no process writes; what is added later is not looked at. */
function openPart(path: string): Part {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    if (found.isFile()) return { path, file, size: found.size, state: "open" };
    closeSync(file);
    return { path, file: undefined, size: 0, state: "unreadable" };
  } catch {
    return { path, file: undefined, size: 0, state: stateOf(path) };
  }
}

function stateOf(path: string): "gone" | "link" | "unreadable" {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? "gone" : found.isSymbolicLink() ? "link" : "unreadable";
  } catch {
    return "gone";
  }
}

function verified(parts: readonly Part[], head: ChainHead | undefined, { file }: TracePaths): Verified {
  const walk: Walk = {
    previous: null,
    records: 0,
    bytes: 0,
    recovered: 0,
    tornBytes: 0,
    broken: undefined,
    lastLine: 0,
    last: undefined,
    marks: head === undefined ? [] : [head.before, head],
    reached: 0,
  };
  for (const part of parts) {
    walk.lastLine = 0;
    if (part.file !== undefined) walkPart(part.file, part, walk, part.path === file);
    else if (part.state === "link" || part.state === "unreadable")
      walk.broken = { kind: part.state, file: part.path, line: 1, why: UNUSABLE[part.state], fitting: walk.records };
    if (walk.broken !== undefined) break;
  }
  const isGone = parts.at(-1)?.state === "gone";
  const broken = walk.broken ?? endBroken(walk, head, file, isGone);
  return {
    records: walk.records,
    bytes: walk.bytes,
    ...(broken === undefined ? {} : { broken }),
    notes: notesOn(walk, head, broken !== undefined),
  };
}

interface Walk {
  previous: string | null;
  records: number;
  bytes: number;
  recovered: number;
  /** Bytes after the last line break. */
  tornBytes: number;
  broken: Broken | undefined;
  lastLine: number;
  last: Buffer | undefined;
  /** What is remembered of the end: the last record but one, and the last. */
  readonly marks: readonly ChainPosition[];
  /** The longest beginning of the trace that is certainly as it was written. */
  reached: number;
}

function walkPart(file: number, { path, size }: Part, walk: Walk, isLast: boolean): void {
  let rest: Buffer = Buffer.alloc(0);
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const got = readSync(file, piece, 0, piece.length, at);
    if (got === 0) break;
    at += got;
    const bytes = rest.length === 0 ? piece.subarray(0, got) : Buffer.concat([rest, piece.subarray(0, got)]);
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
      if (!walkLine(bytes.subarray(begin, end), path, walk)) return;
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
  }
  walk.bytes += rest.length;
  walk.tornBytes = rest.length;
  if (rest.length > 0 && !isLast)
    walk.broken = {
      kind: "record",
      file: path,
      line: walk.lastLine + 1,
      why: CUT,
      fitting: walk.records,
    };
}

function walkLine(line: Buffer, file: string, walk: Walk): boolean {
  walk.lastLine++;
  if (!isBoundTo(line, walk.previous)) {
    walk.broken = brokenAt(line, file, walk);
    return false;
  }
  if (line.includes(RECOVERED)) walk.recovered++;
  walk.previous = hashOfLine(line);
  walk.last = line;
  walk.records++;
  if (walk.marks.some(({ count, hash }) => count === walk.records && hash === walk.previous))
    walk.reached = walk.records;
  walk.bytes += line.length + 1;
  return true;
}

/** Either the line before was changed, or this one does not belong here; its own seal shows which. */
function brokenAt(line: Buffer, file: string, { last, lastLine, previous, records }: Walk): Broken {
  if (last !== undefined && !isSealed(last))
    return { kind: "record", file, line: Math.max(1, lastLine - 1), why: CHANGED, fitting: records - 1 };
  const here = { kind: "record", file, line: lastLine, fitting: records } as const;
  if (line.length === 0) return { ...here, why: "the line is empty" };
  if (!isSealed(line)) return { ...here, why: line.at(-1) === CLOSING ? CHANGED : CUT };
  return {
    ...here,
    why:
      previous === null
        ? "records before it are missing"
        : "it does not follow the record before it: records were removed, inserted or moved",
  };
}

/** A chain alone cannot show that its end is missing or rewritten; the head can. */
function endBroken(walk: Walk, head: ChainHead | undefined, file: string, isGone: boolean): Broken | undefined {
  const isChanged = walk.last !== undefined && !isSealed(walk.last);
  const place = {
    kind: "record",
    file,
    line: Math.max(1, walk.lastLine),
    fitting: Math.max(0, walk.records - 1),
  } as const;
  if (head !== undefined && walk.records >= head.count && walk.reached < head.before.count)
    return { ...place, kind: "end", why: OTHER_END, fitting: 0 };
  if (isChanged) return { ...place, why: CHANGED };
  if (head === undefined) return undefined;
  const isWriting = head.state === "writing";
  if (walk.records === head.count && walk.previous === head.hash) return undefined;
  if (isWriting && walk.records === head.before.count && walk.previous === head.before.hash) return undefined;
  const foreign = walk.records - walk.reached;
  if (walk.records > head.count)
    return { ...place, line: Math.max(1, walk.lastLine - foreign + 1), why: FOREIGN, fitting: walk.reached };
  if (walk.records === head.count) return { ...place, why: "the last record was changed" };
  const missing = head.count - walk.records;
  const cut = missing === 1 ? "record is" : `${missing} records are`;
  if (isGone)
    return {
      ...place,
      kind: "gone",
      line: 1,
      why: `it is not there, and ${missing} of its records with it`,
      fitting: walk.records,
    };
  return { ...place, line: walk.lastLine + 1, why: `the last ${cut} cut off`, fitting: walk.records };
}

function notesOn(walk: Walk, head: ChainHead | undefined, isBroken: boolean): string[] {
  const notes: string[] = [];
  if (walk.recovered > 0)
    notes.push(`${times(walk.recovered)} a torn last line was moved aside and noted in the trace`);
  if (walk.tornBytes > 0 && !isBroken)
    notes.push(`the last line is torn (${walk.tornBytes} bytes); the next record moves it aside`);
  if (head === undefined && walk.records > 0)
    notes.push("the end is not remembered for this user, so records cut from it would not show");
  return notes;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const UNUSABLE = {
  link: "it is a link, which a trace never is; what it leads to was not looked at",
  unreadable: "it cannot be read",
} as const;
const CHANGED = "the record was changed";
const CUT = "the record is cut";
const FOREIGN = "there are records that were never written by this trace";
const OTHER_END = "it does not end where Sluice left it, so any of its records may have been changed";
const NEWLINE = 10;
const CLOSING = "}".charCodeAt(0);
const PIECE = 1024 * 1024;
const RECOVERED = Buffer.from('"recovered":{"torn_line":true');
