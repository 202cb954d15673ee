import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { IndexedFiles } from "../../fs/git-index.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { blobId } from "../../fs/work-tree.ts";
import { type BytePath, bytePath, bytesOf, isInside, pathText, type StoredPath, storedPath } from "./byte-path.ts";
import type { KeptFile } from "./kept-call.ts";
import type { ContentStore } from "./object-store.ts";

/** A path whose content a call destroys. */
export interface LostPath {
  readonly path: BytePath;
  readonly loss: KeptFile["loss"];
  /** A folder is lost with everything in it; otherwise only what is at the path itself. */
  readonly isTree: boolean;
  /** Only a part of the folder's contents is lost, and which part is not known. */
  readonly isUnclear?: boolean;
}

/** How much may be kept of one call. */
interface KeepLimits {
  readonly bytes: number;
  readonly files: number;
}

/** What was kept of files. */
export interface Snapshot {
  readonly files: readonly KeptFile[];
  readonly bytes: number;
  readonly grown: number;
}

/** Why something cannot be kept, in words that follow "nothing was kept: ". */
export class NotKept extends Error {}

/** What is destroyed is known only when the call runs. */
export class Unclear extends NotKept {}

/** Keeps everything at these paths; throws `NotKept` where not all of it can be kept. */
export function snapshotOf(
  lost: readonly LostPath[],
  { store, limits, held, left, leavesOut, leavesBelow }: SnapshotContext,
): Snapshot {
  const files: KeptFile[] = [];
  // The names in one folder are all different.
  const seen = lost.length > 1 ? new Set<BytePath>() : undefined;
  let [bytes, grown, small] = [0, 0, 0];
  const add = (path: BytePath, { loss, isTree, isUnclear }: LostPath): void => {
    if (path === left || seen?.has(path)) return;
    seen?.add(path);
    const stats = entryAt(path);
    if (stats === undefined) return;
    // One shape for all, written out: an object that is spread into another costs more than the file itself.
    const keep = (kind: KeptFile["kind"], size: number, hash?: string, blob?: string, target?: StoredPath) =>
      files.push({
        path: storedPath(path),
        kind,
        mode: stats.mode & 0o7777,
        owner: ownerOf(stats),
        mtime: stats.mtimeMs,
        size,
        hash,
        git: blob,
        inode: kind === "file" && stats.nlink > 1 ? inodeOf(stats) : undefined,
        target,
        loss,
      });
    if (stats.isDirectory()) {
      if ((!isTree && loss === "overwritten") || (isUnclear && leavesOut?.(path))) return;
      // A folder is kept with what is in it. One that goes only if it is empty and holds too much is not kept.
      if (!isTree && loss === "removed" && !isLittle([{ path }])) return;
      keep("folder", 0);
      if (!isTree && loss === "access") return;
      const below = isUnclear ? { path, loss, isTree, isUnclear } : { path, loss, isTree: true };
      for (const name of namesIn(path))
        if (isUnclear || !leavesBelow?.(`${path}/${name}`)) add(`${path}/${name}`, below);
    } else if (stats.isSymbolicLink()) {
      keep("symlink", 0, undefined, undefined, storedPath(bytePath(readlinkSync(bytesOf(path), "buffer"))));
    } else if (stats.isFile() && loss === "access") keep("file", stats.size);
    else if (stats.isFile()) {
      bytes += stats.size;
      if (bytes > limits.bytes) throw new NotKept(tooMuch(sizeText(limits.bytes), isUnclear));
      const content = contentOf(path, stats, held.get(path));
      grown += content.grown;
      keep("file", content.size, content.hash, content.git);
    } else if (!isUnclear) throw new NotKept(`${pathText(path)} is neither a file nor a folder nor a symlink`);
    if (files.length > limits.files) throw new NotKept(tooMuch(`${limits.files} files`, isUnclear));
  };
  try {
    // What loses its mode alone comes last: the same call may remove it too.
    for (const isAccess of [false, true])
      for (const one of lost) if ((one.loss === "access") === isAccess && !isInside(one.path, left)) add(one.path, one);
    store.seal();
  } catch (error) {
    store.drop();
    throw error;
  }
  return { files, bytes, grown };

  function contentOf(path: BytePath, stats: Stats, blob: string | undefined): Stored {
    const { size } = stats;
    if (blob !== undefined && size > 0 && held.isUnchanged?.(path, stats)) return { git: blob, grown: 0, size };
    if (size > LARGE) return store.putFile(path);
    const content = bytesAt(path, size, store);
    // Git may name an empty file that it has not stored.
    if (blob !== undefined && size > 0 && blobId(content, blob.length) === blob)
      return { git: blob, grown: 0, size: content.length };
    const { hash, grown } = ++small > FEW ? store.pack(content) : store.put(content);
    return { hash, grown, size: content.length };
  }
}

/** Why so much cannot be kept. */
export function tooMuch(what: string, isUnclear = false): string {
  return isUnclear ? `there is more than ${what} that it may destroy` : `it destroys more than ${what}`;
}

/** Where the content of a file is, and by how much the store has grown. */
interface Stored {
  readonly hash?: string;
  readonly git?: string;
  readonly size: number;
  readonly grown: number;
}

/** What a snapshot needs to know. */
export interface SnapshotContext {
  readonly store: ContentStore;
  readonly limits: KeepLimits;
  /** The id under which git holds a file. */
  readonly held: Pick<IndexedFiles, "get"> & Partial<Pick<IndexedFiles, "isUnchanged">>;
  /** The folder that is never kept: the repository of the project itself. */
  readonly left: BytePath;
  /** Whether a folder is left out of one in which some things are lost. */
  readonly leavesOut?: ((path: BytePath) => boolean) | undefined;
  /** Whether a folder is left out of one that is lost as a whole. */
  readonly leavesBelow?: ((path: BytePath) => boolean) | undefined;
}

/** What is at a path; undefined if its folder is a file. Throws `NotKept` if that cannot be read. */
export function entryAt(path: BytePath): Stats | undefined {
  try {
    return lstatSync(bytesOf(path), { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return undefined;
    throw new NotKept(`${pathText(path)} cannot be read (${code})`);
  }
}

function namesIn(path: BytePath): BytePath[] {
  try {
    return readdirSync(bytesOf(path), "buffer").map((name) => bytePath(name));
  } catch (error) {
    throw new NotKept(`${pathText(path)} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The bytes of a small file; all of them, also where it has grown a moment ago. */
function bytesAt(path: BytePath, size: number, store: ContentStore): Buffer {
  let file: number;
  try {
    file = openSync(bytesOf(path), "r");
  } catch (error) {
    throw new NotKept(`${pathText(path)} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    // One byte more than there should be tells whether there is more.
    const content = store.room(size + 1);
    const length = readSync(file, content, 0, content.length, null);
    return length === size ? content.subarray(0, length) : readRegularFile(bytesOf(path));
  } finally {
    closeSync(file);
  }
}

/** Whose something is, where it is not this user's own. */
function ownerOf({ uid, gid }: Stats): KeptFile["owner"] {
  return (uid === OWN_UID && gid === OWN_GID) || OWN_UID === undefined ? undefined : [uid, gid];
}

/** What tells a file from all others, whatever its names are. */
export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${units[power - 1]}`;
}

/** Whether no more is at these paths and below them. */
export function isLittle(lost: readonly Pick<LostPath, "path">[], most = LITTLE): boolean {
  let [files, bytes] = [0, 0];
  const waiting = lost.map(({ path }) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stats = entryAt(path);
    if (stats === undefined) continue;
    bytes += stats.isFile() ? stats.size : 0;
    if (++files > most.files || bytes > most.bytes) return false;
    if (stats.isDirectory()) for (const name of namesIn(path)) waiting.push(`${path}/${name}`);
  }
  return true;
}

const LITTLE = { files: 1000, bytes: 16 * 1024 ** 2 };
const OWN_UID = process.geteuid?.();
const OWN_GID = process.getegid?.();

/** So many small files are stored one by one. */
const FEW = 16;

/** Larger files are copied by the system, without coming through this process. */
export const LARGE = 4 * 1024 * 1024;
