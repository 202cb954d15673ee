import { closeSync, fstatSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { gunzipSync } from "../fs/late-builtins.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { openPlain } from "./file-lines.ts";
import { fingerprint } from "./fingerprint.ts";
import { isClosed, isCompressed, journalFiles } from "./rotation.ts";

/** The identity of a file of the journal, and its uncompressed length. */
export interface CompressedSource {
  readonly key: string;
  readonly size: number;
}

/**
 * Compresses the files of a journal into which nothing is written any more, beside the calls and a few at a time. Nothing is lost
 * if it is ended on the way: the plain file is removed last, and is used as long as it exists.
 */
export async function compressClosed(folder: string, now = new Date(), most = MAX_AT_ONCE): Promise<number> {
  let done = 0;
  for (const name of closedIn(folder, now)) {
    if (done >= most) break;
    if (await compress(join(folder, name), now).catch(() => false)) done++;
  }
  return done;
}

function closedIn(folder: string, now: Date): string[] {
  return attempt(() => journalFiles(folder).filter((name) => !isCompressed(name) && isClosed(name, now))) ?? [];
}

async function compress(path: string, now: Date): Promise<boolean> {
  // The daemon reads the journal from its start on, and compresses little of it.
  const [{ readFile, rm, stat, utimes }, { promisify }, { gzip }] = await Promise.all([
    import("node:fs/promises"),
    import("node:util"),
    import("node:zlib"),
  ]);
  const before = await stat(path);
  // A process may still have a file open for a short time after another one has moved it.
  if (!before.isFile() || now.getTime() - before.mtimeMs < QUIET_MS) return false;
  const plain = await readFile(path);
  const packed = await promisify(gzip)(plain);
  const { mtimeMs, size } = await stat(path);
  if (mtimeMs !== before.mtimeMs || size !== before.size || size !== plain.length) return false;
  writePrivate(`${path}.gz`, Buffer.concat([labelOf({ key: keyOf(plain), size }), packed]));
  await utimes(`${path}.gz`, before.atime, before.mtime);
  await rm(path);
  return true;
}

/** The identity of a file, under any name: the beginning of its first record. Undefined for an empty one. */
export function keyOfFile(file: number): string | undefined {
  const begin = Buffer.alloc(KEY_LENGTH);
  const length = readSync(file, begin, 0, KEY_LENGTH, 0);
  return length === 0 ? undefined : keyOf(begin.subarray(0, length));
}

function keyOf(bytes: Buffer): string {
  const [first = ""] = bytes.toString("latin1", 0, KEY_LENGTH).split("\n", 1);
  return fingerprint(first);
}

/** The text of a compressed file; undefined if it cannot be read. */
export function readCompressed(path: string): Buffer | undefined {
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    return gunzipSync(readFileSync(file), { maxOutputLength: LARGEST });
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The source of a compressed file, as stored in it. */
export function compressedSource(path: string): CompressedSource | undefined {
  const file = openPlain(path);
  if (file === undefined) return undefined;
  try {
    const begin = Buffer.alloc(LABEL_LENGTH);
    const text = begin.toString("latin1", 0, readSync(file, begin, 0, Math.min(LABEL_LENGTH, fstatSync(file).size), 0));
    const [, key, size] = LABEL.exec(text) ?? [];
    return key === undefined ? undefined : { key, size: Number(size) };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** An empty part before the content, as gzip allows: its comment contains the source of the content. */
function labelOf({ key, size }: CompressedSource): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, HAS_COMMENT, 0, 0, 0, 0, 0, 3]);
  const nothing = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, Buffer.from(`sluice ${key} ${size}\0`, "latin1"), nothing]);
}

const HAS_COMMENT = 0x10;
const LABEL = /^[\s\S]{10}sluice ([0-9a-f]{12}) (\d+)\0/;
/** The id and the time of a record lie within. */
const KEY_LENGTH = 80;
const LABEL_LENGTH = 100;
const QUIET_MS = 60_000;
const MAX_AT_ONCE = 4;
const LARGEST = 512 * 1024 * 1024;
