import { closeSync, existsSync, fstatSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { openRegularFile } from "../../fs/regular-file.ts";

/** Where a piece of content is stored: the file of the pack, and its place in it. */
interface Packed {
  readonly file: string;
  readonly at: number;
  readonly size: number;
}

/**
 * Writes one file that holds the content of many: to make a file takes far longer than to write into one. The pieces come
 * first, then their hashes with their places, then how many there are. A pack is there when it is whole.
 */
export class PackWriter {
  readonly #file: number;
  readonly #index: Buffer[] = [];
  /** Many small pieces are written at once. */
  readonly #waiting = Buffer.allocUnsafeSlow(AT_ONCE);
  #waitingBytes = 0;
  #end = 0;

  /** Writes into this file, which is open and empty. */
  constructor(file: number) {
    this.#file = file;
  }

  /** Room for so many bytes; a piece that is read into its beginning is added without being copied. */
  room(size: number): Buffer {
    if (size > AT_ONCE) return Buffer.allocUnsafe(size);
    if (this.#waitingBytes + size > AT_ONCE) this.#write();
    return this.#waiting.subarray(this.#waitingBytes, this.#waitingBytes + size);
  }

  add(hash: string, content: Buffer): void {
    const entry = Buffer.allocUnsafe(ENTRY);
    entry.write(hash, 0, HASH, "hex");
    entry.writeUIntBE(this.#end, HASH, 6);
    entry.writeUIntBE(content.length, HASH + 6, 6);
    this.#index.push(entry);
    this.#end += content.length;
    if (content.length > AT_ONCE) {
      this.#write();
      writeAll(this.#file, content);
      return;
    }
    if (this.#waitingBytes + content.length > AT_ONCE) this.#write();
    const isInPlace =
      content.buffer === this.#waiting.buffer && content.byteOffset === this.#waiting.byteOffset + this.#waitingBytes;
    if (!isInPlace) content.copy(this.#waiting, this.#waitingBytes);
    this.#waitingBytes += content.length;
  }

  #write(): void {
    writeAll(this.#file, this.#waiting.subarray(0, this.#waitingBytes));
    this.#waitingBytes = 0;
  }

  /** Makes it whole. */
  finish(): void {
    this.#write();
    const count = Buffer.alloc(TRAILER);
    count.writeUInt32BE(this.#index.length, 0);
    count.write(MARK, 4, "latin1");
    writeAll(this.#file, Buffer.concat([...this.#index, count]));
  }
}

/** Every piece in the packs of a folder, by its hash; a file that is not a whole pack has none. */
export function packedIn(folder: string): Map<string, Packed> {
  const found = new Map<string, Packed>();
  for (const file of packsIn(folder)) for (const [hash, piece] of piecesOf(file)) found.set(hash, piece);
  return found;
}

/** The bytes of a piece; undefined where the pack has gone. */
export function readPacked({ file, at, size }: Packed): Buffer | undefined {
  return attempt(() => bytesIn(file, at, size));
}

/** Pieces of a pack, by their hashes. */
export type Pieces = readonly (readonly [hash: string, piece: Packed])[];

/**
 * Removes packs that are older than so many milliseconds and of which nothing is wanted; one of which little is wanted is
 * written again with that alone.
 */
export function cleanPacks(folder: string, { isWanted, olderThanMs, rewrite }: PackCleaning): void {
  for (const file of packsIn(folder)) {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs <= olderThanMs) continue;
    const pieces = [...piecesOf(file)];
    const wanted = pieces.filter(([hash]) => isWanted(hash));
    if (wanted.length === 0) rmSync(file, { force: true });
    else if (sizeOf(wanted) * 2 < sizeOf(pieces)) rewrite(file, wanted);
  }
}

interface PackCleaning {
  readonly isWanted: (hash: string) => boolean;
  readonly olderThanMs: number;
  readonly rewrite: (file: string, pieces: Pieces) => void;
}

function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, [, { size }]) => sum + size, 0);
}

function packsIn(folder: string): string[] {
  // Most stores have none, and an error takes longer than a look.
  if (!existsSync(folder)) return [];
  return attempt(() => readdirSync(folder).map((name) => join(folder, name))) ?? [];
}

function* piecesOf(file: string): Generator<[hash: string, piece: Packed]> {
  const index = indexIn(file);
  for (let from = 0; from < index.length; from += ENTRY) {
    const at = index.readUIntBE(from + HASH, 6);
    const size = index.readUIntBE(from + HASH + 6, 6);
    yield [index.toString("hex", from, from + HASH), { file, at, size }];
  }
}

function indexIn(path: string): Buffer {
  try {
    const { size } = statSync(path);
    const trailer = bytesIn(path, size - TRAILER, TRAILER);
    const length = trailer.readUInt32BE(0) * ENTRY;
    return trailer.toString("latin1", 4) === MARK ? bytesIn(path, size - TRAILER - length, length) : NONE;
  } catch {
    return NONE;
  }
}

function bytesIn(path: string, at: number, size: number): Buffer {
  const file = openRegularFile(path);
  try {
    if (at < 0 || at + size > fstatSync(file).size) throw new Error(`${path} is too short`);
    const content = Buffer.allocUnsafe(size);
    for (let read = 0; read < size; ) {
      const more = readSync(file, content, read, size - read, at + read);
      if (more === 0) throw new Error(`${path} is too short`);
      read += more;
    }
    return content;
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, content: Buffer): void {
  for (let at = 0; at < content.length; ) at += writeSync(file, content, at, content.length - at);
}

const NONE = Buffer.alloc(0);
const HASH = 32;
const ENTRY = HASH + 12;
const AT_ONCE = 1024 ** 2;
const MARK = "pack";
const TRAILER = 4 + MARK.length;
