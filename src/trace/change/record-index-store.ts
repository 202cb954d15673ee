import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../fs/read-once.ts";
import { readRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { openPlain } from "../file-lines.ts";
import type { ChangeRecord } from "./change-record.ts";
import { chunkAt, linesOfChunk, readChange } from "./read-changes.ts";
import { indexOfChunk, RECORD, type RecordIndex, ROW, recordIndexBytes, recordIndexFrom } from "./record-index.ts";
import { namesIn, type TracePaths, traceFiles } from "./trace-paths.ts";

/** A part of a trace with its index; its file is open as long as it is the one that is looked at. */
interface IndexedChunk {
  readonly file: number;
  readonly from: number;
  readonly to: number;
  readonly index: RecordIndex;
}

/**
 * The whole trace in indexes, the newest part first, one at a time. They are kept on the disk: what was added to the trace
 * since is indexed now, and if anything else about it has changed, the indexes are built again.
 */
function* indexedChunks(place: TracePaths): Generator<IndexedChunk, void, void> {
  const kept = indexFiles(join(place.state, "indexes"));
  const open = traceFiles(place).flatMap((path) => openPlain(path) ?? []);
  try {
    const files = open.map((file) => broughtUpToDate(file, kept));
    if (files.length !== kept.files.length || files.some((file) => !kept.files.includes(file))) kept.keep(files);
    for (const [index, file] of [...open.entries()].reverse())
      for (const part of (files[index]?.parts ?? []).toReversed())
        yield { file, ...part, index: indexFor(file, part, kept) };
  } finally {
    for (const file of open) closeSync(file);
  }
}

function broughtUpToDate(file: number, kept: IndexFiles): KeptFile {
  const { ino: inode, size, mtimeMs, ctimeMs } = fstatSync(file);
  const known = kept.files.find((one) => one.inode === inode);
  const isAsKnown = known?.size === size && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs;
  if (known?.isSettled && isAsKnown) return known;
  const isSettled = Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
  const parts = stillRight(file, size, known?.parts ?? []);
  for (let from = parts.at(-1)?.to ?? 0; from < size; ) {
    const chunk = chunkAt(file, from, size);
    if (chunk.length === 0) break;
    const to = from + chunk.length;
    parts.push(kept.write({ from, to, digest: sha256(chunk) }, recordIndexBytes(indexOfChunk(chunk))));
    from = to;
  }
  return { inode, size, mtimeMs, ctimeMs, isSettled, parts };
}

/** The first parts whose bytes are what they were; where the file has grown, its last part is looked at anew. */
function stillRight(file: number, size: number, parts: readonly KeptPart[]): KeptPart[] {
  const first = parts.findIndex(({ from, to, digest }) => to > size || digestOf(file, from, to) !== digest);
  const right = first === -1 ? [...parts] : parts.slice(0, first);
  const last = right.at(-1);
  if (last !== undefined && right.length === parts.length && last.to < size) right.pop();
  return right;
}

function digestOf(file: number, from: number, to: number): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(PIECE, to - from));
  for (let at = from; at < to; ) {
    const got = readSync(file, piece, 0, Math.min(piece.length, to - at), at);
    if (got === 0) break;
    hash.update(piece.subarray(0, got));
    at += got;
  }
  return hash.digest("hex");
}

function indexFor(file: number, part: KeptPart, kept: IndexFiles): RecordIndex {
  const bytes = kept.read(part);
  const found = bytes === undefined ? undefined : recordIndexFrom(bytes);
  if (found !== undefined) return found;
  const made = indexOfChunk(chunkAt(file, part.from, part.to, part.to - part.from));
  kept.write(part, recordIndexBytes(made));
  return made;
}

const PIECE = 1024 * 1024;
/** The times of files go by steps; within one, a change may not show. */
const SETTLED_MS = 2000;

/** Whether a record may be worth reading, by one row of its index, which begins at `at`, and by the number of its id. */
type IsLikely = (rows: Uint32Array, at: number, id: number) => boolean;

/** The records that may be worth reading, newest first; only these are read. */
export function* likelyRecords(place: TracePaths, isLikely: IsLikely): Generator<ChangeRecord, void, void> {
  for (const part of indexedChunks(place)) {
    const { records, rows } = part.index;
    let last = -1;
    for (let at = rows.length - ROW.width; at >= 0; at -= ROW.width) {
      const record = rows[at + ROW.record] ?? 0;
      if (record === last || !isLikely(rows, at, records[record * RECORD.width + RECORD.id] ?? 0)) continue;
      last = record;
      const found = recordIn(part, record);
      if (found !== undefined) yield found;
    }
  }
}

function recordIn({ file, from, to, index }: IndexedChunk, number: number): ChangeRecord | undefined {
  const { records } = index;
  const begin = from + (records[number * RECORD.width + RECORD.begin] ?? 0);
  const next = records[(number + 1) * RECORD.width + RECORD.begin];
  const end = next === undefined ? to : from + next;
  const [line] = linesOfChunk(chunkAt(file, begin, end, end - begin));
  return line === undefined ? undefined : readChange(line.text);
}

/** A part of a file of the trace whose index is on disk. */
interface KeptPart {
  readonly from: number;
  readonly to: number;
  /** The hash of these bytes of the trace. */
  readonly digest: string;
  /** The hash of the index. */
  readonly check: string;
}

/** A file of the trace as it was when its indexes were made. */
interface KeptFile {
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** It had not changed for a while then: a later change shows in its times. */
  readonly isSettled: boolean;
  readonly parts: readonly KeptPart[];
}

/** Outlines on disk, out of the project's reach. They can be built again at any time, so failures here are harmless. */
interface IndexFiles {
  readonly files: readonly KeptFile[];
  /** The index that was written for a part; undefined if it is missing or belongs to something else. */
  read(part: KeptPart): Buffer | undefined;
  write(part: Omit<KeptPart, "check">, bytes: Buffer): KeptPart;
  /** Says what is kept from now on, and forgets the rest. */
  keep(files: readonly KeptFile[]): void;
}

/** Opens what is kept in a folder. */
function indexFiles(folder: string): IndexFiles {
  const nameOf = ({ digest }: Pick<KeptPart, "digest">) => `${digest.slice(0, NAME_DIGITS)}.index`;
  return {
    files: listIn(join(folder, LIST)),
    read: (part) => {
      try {
        const bytes = readRegularFile(join(folder, nameOf(part)));
        return sha256(bytes) === part.check ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
    write: (part, bytes) => {
      put(folder, nameOf(part), bytes);
      return { ...part, check: sha256(bytes) };
    },
    keep: (files) => {
      put(folder, LIST, JSON.stringify({ version: VERSION, files }));
      const kept = new Set([LIST, ...files.flatMap(({ parts }) => parts.map(nameOf))]);
      for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
}

function listIn(path: string): KeptFile[] {
  try {
    const { version, files } = JSON.parse(readRegularText(path)) as { version: unknown; files: KeptFile[] };
    return version === VERSION ? files.filter(({ parts }) => Array.isArray(parts)) : [];
  } catch {
    return [];
  }
}

function put(folder: string, name: string, content: string | Buffer): void {
  try {
    makePrivateDir(folder);
    writePrivate(join(folder, name), content);
  } catch {
    // The index is made again when it is needed.
  }
}

const LIST = "indexes.json";
/** Goes up whenever indexes are written in another way. */
const VERSION = 1;
const NAME_DIGITS = 32;
