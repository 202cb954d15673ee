import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { createHash, sha256Bytes } from "../../fs/late-builtins.ts";
import { openRegularFile, readRegularFile } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { type BytePath, bytesOf } from "./byte-path.ts";
import { cleanPacks, PackWriter, type Pieces, packedIn, readPacked } from "./pack.ts";

/** Takes content. */
export type ContentStore = Pick<ObjectStore, "put" | "putFile" | "room" | "pack" | "seal" | "drop">;

/** Takes content and forgets it. */
export const DRY_STORE: ContentStore = {
  put: () => ({ hash: "", grown: 0 }),
  room: (size) => Buffer.allocUnsafe(size),
  pack: () => ({ hash: "", grown: 0 }),
  seal: () => {},
  drop: () => {},
  putFile: (path) => ({ hash: "", grown: 0, size: statSync(bytesOf(path)).size }),
};

/** Content by its SHA-256 hash: the same bytes lie there once, readable by the user alone. */
export class ObjectStore {
  readonly #folder: string;
  readonly #known = new Set<string>();
  #isMade = false;
  #stored: ReadonlySet<string> | undefined;
  #packed: ReturnType<typeof packedIn> | undefined;
  #open: ReturnType<typeof openPack> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores bytes; the hash by which they are found, and how many bytes the store has grown by. */
  put(content: Buffer): { readonly hash: string; readonly grown: number } {
    const hash = sha256Bytes(content);
    if (this.#known.has(hash)) return { hash, grown: 0 };
    this.#known.add(hash);
    if (this.#packs().has(hash)) return { hash, grown: 0 };
    const path = this.#pathOf(hash);
    // Most content that is stored twice is found by one look, and an error for it would take longer.
    const isThere = () => statSync(path, MAY_LACK)?.size === content.length;
    if (!isThere()) {
      if (isNew(path, content)) return { hash, grown: content.length };
      if (!isThere()) return this.#replacePart(path, hash, content);
    }
    touch(path);
    return { hash, grown: 0 };
  }

  /** A process that was killed while it wrote has left a part. */
  #replacePart(path: string, hash: string, content: Buffer): { readonly hash: string; readonly grown: number } {
    const draft = this.#draft();
    writeFileSync(draft, content, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
    return { hash, grown: content.length };
  }

  /** Room to read content into that is stored next. */
  room(size: number): Buffer {
    return this.#open?.pack.room(size) ?? Buffer.allocUnsafe(size);
  }

  /** Stores bytes as one of many, which are there when `seal` has been called. */
  pack(content: Buffer): { readonly hash: string; readonly grown: number } {
    const hash = sha256Bytes(content);
    if (this.#known.has(hash)) return { hash, grown: 0 };
    this.#known.add(hash);
    if (this.#packs().has(hash) || this.#isStored(hash, content.length)) return { hash, grown: 0 };
    this.#open ??= openPack(this.#draft());
    this.#open.pack.add(hash, content);
    return { hash, grown: content.length };
  }

  /** Ends the pack that is being written: it has its name when it is whole. */
  seal(path = join(this.#folder, PACKS, uniqueName())): void {
    if (this.#open === undefined) return;
    const { pack, draft, file } = this.#open;
    pack.finish();
    makePrivateDir(dirname(path));
    renameSync(draft, path);
    this.#open = undefined;
    closeSync(file);
  }

  /** Leaves nothing of the pack that is being written. */
  drop(): void {
    if (this.#open === undefined) return;
    const { draft, file } = this.#open;
    this.#open = undefined;
    this.#known.clear();
    closeSync(file);
    rmSync(draft, { force: true });
  }

  /** Writes a pack again with these pieces alone; where that cannot be, on a full disk, it stays as it is. */
  #rewrite(path: string, pieces: Pieces): void {
    try {
      this.#open = openPack(this.#draft());
      for (const [hash, piece] of pieces) {
        const content = readPacked(piece);
        if (content === undefined) throw new Error(`${path} cannot be read`);
        this.#open.pack.add(hash, content);
      }
      this.seal(path);
    } catch {
      this.drop();
    }
  }

  /** Stores a large file: a reflink where the file system has them, otherwise a copy, and never all of it in memory. */
  putFile(path: BytePath): { readonly hash: string; readonly grown: number; readonly size: number } {
    const draft = this.#draft();
    try {
      copyLarge(bytesOf(path), draft);
      const { hash, size } = hashOf(draft);
      const target = this.#pathOf(hash);
      const isThere = existsSync(target) && statSync(target).size === size;
      if (isThere) {
        touch(target);
        rmSync(draft);
      } else renameSync(draft, target);
      return { hash, size, grown: isThere ? 0 : size };
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** The bytes of a hash, checked; undefined when they are gone or were changed. */
  read(hash: string): Buffer | undefined {
    const found = this.#read(hash);
    if (found !== undefined) return found;
    // Another process may have written the pack again.
    this.#packed = undefined;
    return this.#read(hash);
  }

  #read(hash: string): Buffer | undefined {
    try {
      const packed = this.#packs().get(hash);
      const content = (packed && readPacked(packed)) ?? readRegularFile(this.#pathOf(hash));
      return sha256Bytes(content) === hash ? content : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the bytes of a hash are there; they are not read. */
  has(hash: string): boolean {
    return this.#packs().has(hash) || existsSync(join(this.#folder, CONTENT, hash));
  }

  /** Writes the bytes of a hash to a new file; false when they are gone or were changed. */
  copyTo(hash: string, target: Buffer): boolean {
    const path = this.#pathOf(hash);
    if (!existsSync(path) || hashOf(path).hash !== hash) return false;
    copyLarge(path, target);
    return true;
  }

  /** Removes everything that no hash of these names and that is older than so many milliseconds. */
  removeOthers(kept: ReadonlySet<string>, olderThanMs: number): void {
    cleanPacks(join(this.#folder, PACKS), {
      isWanted: (hash) => kept.has(hash),
      olderThanMs,
      rewrite: (path, pieces) => this.#rewrite(path, pieces),
    });
    for (const folder of [CONTENT, DRAFTS])
      for (const name of namesIn(join(this.#folder, folder))) {
        const path = join(this.#folder, folder, name);
        if (folder === CONTENT && kept.has(name)) continue;
        const { mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, ctimeMs: 0 };
        // The clock of the file may be that of the file it was copied from.
        if (Date.now() - Math.max(mtimeMs, ctimeMs) > olderThanMs) rmSync(path, { force: true });
      }
  }

  /** Removes content that no call names any more, unless another process has stored the same since. */
  remove(hash: string, unlessSince: number): void {
    const path = this.#pathOf(hash);
    const { ctimeMs = Number.POSITIVE_INFINITY } = statSync(path, MAY_LACK) ?? {};
    if (ctimeMs <= unlessSince) rmSync(path, { force: true });
  }

  #pathOf(hash: string): string {
    if (!this.#isMade) makePrivateDir(`${this.#folder}/${CONTENT}`);
    this.#isMade = true;
    return `${this.#folder}/${CONTENT}/${hash}`;
  }

  /**
   * Whether content is stored there as a file of its own. The names are read once: what another process stores meanwhile is only
   * stored twice.
   */
  #isStored(hash: string, size: number): boolean {
    this.#stored ??= new Set(namesIn(join(this.#folder, CONTENT)));
    return this.#stored.has(hash) && statSync(this.#pathOf(hash), MAY_LACK)?.size === size;
  }

  #draft(): string {
    const folder = join(this.#folder, DRAFTS);
    makePrivateDir(folder);
    return join(folder, uniqueName());
  }

  #packs(): ReturnType<typeof packedIn> {
    this.#packed ??= packedIn(join(this.#folder, PACKS));
    return this.#packed;
  }
}

/** Content that is stored again is young again, so that nothing removes it before its call is written. */
function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** Writes a file that is not there yet; false where one is. */
function isNew(path: string, content: Buffer): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at, content.length - at);
  } catch (error) {
    // What the disk has no room for is not half there.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/** Copies a file to a new one: a reflink where the file system has them, and holes stay holes. */
function copyLarge(from: string | Buffer, to: string | Buffer): void {
  const { size, blocks, mode } = statSync(from);
  if (blocks * 512 >= size) {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return;
  }
  const chunk = Buffer.allocUnsafe(CHUNK);
  const source = openRegularFile(from);
  try {
    const target = openSync(to, "wx", mode & 0o600);
    try {
      let at = 0;
      for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk)) {
        const bytes = chunk.subarray(0, read);
        if (!bytes.equals(ZEROS.subarray(0, read))) writeSync(target, bytes, 0, read, at);
        at += read;
      }
      ftruncateSync(target, at);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** The hash and the size of a file of any size. */
export function hashOf(path: string | Buffer): { readonly hash: string; readonly size: number } {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK);
  const file = openRegularFile(path);
  let size = 0;
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      size += read;
    }
  } finally {
    closeSync(file);
  }
  return { hash: hash.digest("hex"), size };
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function openPack(draft: string) {
  const file = openSync(draft, "wx", 0o600);
  return { draft, file, pack: new PackWriter(file) };
}

function uniqueName(): string {
  return `${process.pid}-${Math.random().toString(36).slice(2)}`;
}

const MAY_LACK = { throwIfNoEntry: false } as const;
const DRAFTS = "drafts";
const PACKS = "packs";
/** One folder for all of it: file systems put the files of several folders far apart, which costs more than a long list. */
const CONTENT = "sha256";
const CHUNK = 64 * 1024;
const ZEROS = Buffer.alloc(CHUNK);
