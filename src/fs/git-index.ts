import { existsSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type GitFolders, gitFoldersAt } from "./git-folders.ts";
import { readRegularFile } from "./regular-file.ts";
import { entryAt } from "./resolve-path.ts";

/** Git's index of a work tree, read without starting git. */
export interface GitIndex {
  /** The folder of the work tree. */
  readonly top: string;
  /** The id of the content that the index has for a file; undefined if it has none or the format is not supported here. */
  blobOf(path: Buffer): string | undefined;
  /** All files by their absolute paths, one character for each byte. */
  all(): IndexedFiles;
  /** Whether the index has this file, or one in this folder; undefined if the format is not supported here. */
  holds(path: Buffer): boolean | undefined;
}

/** All files of an index. */
export interface IndexedFiles {
  readonly size: number;
  /** The id of its content. */
  get(path: string): string | undefined;
  /** Whether a file certainly has that content, by its size, times and inode, as git determines it. */
  isUnchanged(path: string, stats: Stats): boolean;
}

/** The index of the repository that contains a folder; undefined if there is none. */
export function gitIndexAt(folder: string): GitIndex | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const repository = gitFoldersAt(top);
  if (repository === undefined) return { ...UNREAD, top };
  try {
    const path = join(repository.own, "index");
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { ...UNREAD, top, holds: () => false };
    return indexIn(top, readRegularFile(path), { repository, writtenMs: stats.mtimeMs });
  } catch {
    return { ...UNREAD, top };
  }
}

/** The nearest folder with a `.git`, from this one upwards. */
export function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (entryAt(join(at, ".git")) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Versions 2 and 3 store each name in full, after the id and two bytes of flags: the length of the name in twelve bits, the
 * stage above them. An extended entry has two more bytes of flags. https://git-scm.com/docs/index-format
 */
function indexIn(top: string, index: Buffer, about: IndexFile): GitIndex {
  const version = index.readUInt32BE(4);
  const isRead = index.toString("latin1", 0, 4) === "DIRC" && (version === 2 || version === 3);
  if (!isRead) return { ...UNREAD, top };
  const find = (name: Buffer): number | undefined => {
    for (let at = index.indexOf(name, FIRST_NAME); at >= 0; at = index.indexOf(name, at + 1)) {
      const length = Math.min(index.indexOf(0, at) - at, MAX_NAME);
      if (index.readUInt16BE(at - 2) === length) return at;
      if ((index.readUInt16BE(at - 4) & (EXTENDED | MAX_NAME)) === (EXTENDED | length)) return at;
    }
    return undefined;
  };
  const named = (path: Buffer, end: string) => {
    const name = nameIn(top, path);
    return name === undefined ? undefined : find(Buffer.concat([name, Buffer.from(end)]));
  };
  return {
    top,
    blobOf: (path) => {
      const at = named(path, "\0");
      return at === undefined ? undefined : index.toString("hex", at - 22, at - 2);
    },
    all: () => entriesIn(top, index, about),
    holds: (path) => named(path, "\0") !== undefined || named(path, "/") !== undefined,
  };
}

interface IndexFile {
  readonly repository: GitFolders;
  readonly writtenMs: number;
}

/** An entry has the file's attributes, its id, the flags, its name, and zeros up to a multiple of eight bytes. */
function entriesIn(top: string, index: Buffer, { repository, writtenMs }: IndexFile): IndexedFiles {
  const found = new Map<string, number>();
  const base = Buffer.from(top === "/" ? "/" : `${top}/`).toString("latin1");
  let at = HEADER;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const name = at + FIRST_NAME - HEADER + (index.readUInt16BE(at + FLAGS) & EXTENDED ? 2 : 0);
    const end = index.indexOf(0, name);
    if (end < 0) break;
    found.set(base + index.toString("latin1", name, end), at);
    at += (end - at + 8) & ~7;
  }
  const timeAt = (from: number) => index.readUInt32BE(from) * 1000 + index.readUInt32BE(from + 4) / 1e6;
  const isTime = (from: number, ms: number) => Math.abs(timeAt(from) - ms) < CLOSE_MS;
  let isConverted: boolean | undefined;
  return {
    size: found.size,
    get: (path) => {
      const entry = found.get(path);
      return entry === undefined ? undefined : index.toString("hex", entry + 40, entry + FLAGS);
    },
    isUnchanged: (path, { size, ino, mtimeMs, ctimeMs }) => {
      const entry = found.get(path);
      if (entry === undefined) return false;
      if (index.readUInt32BE(entry + 36) !== size || index.readUInt32BE(entry + 20) !== ino % 2 ** 32) return false;
      // A file that was written at the same time as the index may have been written again.
      if (!isTime(entry, ctimeMs) || !isTime(entry + 8, mtimeMs) || mtimeMs >= writtenMs - CLOCK_MS) return false;
      isConverted ??= mayConvert(
        repository,
        [...found.keys(), `${base}${ATTRIBUTES}`].filter((name) => name.endsWith(`/${ATTRIBUTES}`)),
      );
      return !isConverted;
    },
  };
}

/** Whether git may store files with other bytes than the work tree has: line ends, encodings, filters. */
function mayConvert(repository: GitFolders, inWorkTree: readonly string[]): boolean {
  if (process.platform === "win32" || Object.keys(process.env).some((name) => name.startsWith("GIT_CONFIG")))
    return true;
  try {
    return isConversionConfigured(repository, inWorkTree);
  } catch {
    // A file that cannot be read may configure a conversion.
    return true;
  }
}

function isConversionConfigured({ own, shared }: GitFolders, inWorkTree: readonly string[]): boolean {
  const { HOME = "/", XDG_CONFIG_HOME = `${HOME}/.config` } = process.env;
  const user = `${XDG_CONFIG_HOME}/git`;
  const settings = [
    ...[join(shared, "config"), join(own, "config.worktree"), join(HOME, ".gitconfig"), join(user, "config")],
    ...["/etc", "/usr/etc", "/usr/local/etc", "/opt/homebrew/etc"].map((folder) => `${folder}/gitconfig`),
  ];
  const attributes = [
    ...[join(shared, "info/attributes"), join(user, "attributes"), "/etc/gitattributes"],
    ...inWorkTree.map((path) => Buffer.from(path, "latin1")),
  ];
  return (
    settings.some((path) => CONVERTING_SETTING.test(textAt(path))) ||
    attributes.some((path) => CONVERTING_ATTRIBUTE.test(textAt(path)))
  );
}

function textAt(path: string | Buffer): string {
  return existsSync(path) ? readRegularFile(path).toString() : "";
}

const ATTRIBUTES = ".gitattributes";
/** Settings that convert bytes, or that name other files with settings. */
const CONVERTING_SETTING = /autocrlf|attributesfile|\beol\b|\binclude/i;
/** Attributes that convert bytes; without a sign before them, or with a value. */
const CONVERTING_ATTRIBUTE = /\s(?:text|eol|crlf|filter|ident|working-tree-encoding)\b|\[attr\]/;
/** The rounding error of times with nanoseconds as numbers. */
const CLOSE_MS = 0.001;
/** The file system's clock may be this much slower. */
const CLOCK_MS = 20;

const NO_FILES: IndexedFiles = { size: 0, get: () => undefined, isUnchanged: () => false };
const UNREAD = { blobOf: () => undefined, all: () => NO_FILES, holds: () => undefined };

function nameIn(top: string, path: Buffer): Buffer | undefined {
  const base = Buffer.from(top === "/" ? "/" : `${top}/`);
  return path.subarray(0, base.length).equals(base) ? path.subarray(base.length) : undefined;
}

const MAX_NAME = 0xfff;
const EXTENDED = 0x4000;
const HEADER = 12;
/** The offset of an entry's flags, after ten numbers and the id. */
const FLAGS = 60;
/** The header, and the first entry up to its name. */
const FIRST_NAME = HEADER + 62;
