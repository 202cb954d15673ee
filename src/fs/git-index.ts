import { existsSync, type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readRegularFile } from "./regular-file.ts";
import { entryAt } from "./resolve-path.ts";

/** What git's index says about the files of a work tree, read without starting git. */
export interface GitIndex {
  /** The folder of the work tree. */
  readonly top: string;
  /** The id of the content that the index has for a file; undefined where it has none, or in a form that is not read here. */
  blobOf(path: Buffer): string | undefined;
  /** All files, by their whole paths, one character for each byte. */
  all(): IndexedFiles;
  /** Whether the index has this file, or one in this folder; undefined where its form is not read here. */
  holds(path: Buffer): boolean | undefined;
}

/** Every file that an index has. */
export interface IndexedFiles {
  readonly size: number;
  /** The id of its content. */
  get(path: string): string | undefined;
  /** Whether a file holds the bytes of that content for certain, by its size, times and number, as git tells it. */
  isUnchanged(path: string, stats: Stats): boolean;
}

/** The index of the repository in which a folder lies; undefined without one. */
export function gitIndexAt(folder: string): GitIndex | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  try {
    const repository = gitFolder(top);
    const path = join(repository, "index");
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { ...UNREAD, top, holds: () => false };
    return indexIn(top, readRegularFile(path), { repository, writtenMs: stats.mtimeMs });
  } catch {
    return { ...UNREAD, top };
  }
}

/** The nearest folder that holds `.git`, from this one upwards. */
export function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (entryAt(join(at, ".git")) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Where the repository of a work tree lies: in `.git`, or where that file says. */
function gitFolder(top: string): string {
  const path = join(top, ".git");
  if (statSync(path).isDirectory()) return path;
  const stated = /^gitdir: (.+)$/m.exec(readRegularFile(path).toString())?.[1] ?? "";
  return isAbsolute(stated) ? stated : resolve(top, stated);
}

/**
 * Versions 2 and 3 hold each name in full, after the id and two bytes of flags: the length of the name in twelve bits and
 * the stage above them; two more bytes follow where the flags say so. https://git-scm.com/docs/index-format
 */
function indexIn(top: string, index: Buffer, about: IndexFile): GitIndex {
  const version = index.readUInt32BE(4);
  const isRead = index.toString("latin1", 0, 4) === "DIRC" && (version === 2 || version === 3);
  if (!isRead) return { ...UNREAD, top };
  const find = (name: Buffer): number | undefined => {
    for (let at = index.indexOf(name, FIRST_NAME); at >= 0; at = index.indexOf(name, at + 1)) {
      const length = Math.min(index.indexOf(0, at) - at, LONGEST_NAME);
      if (index.readUInt16BE(at - 2) === length) return at;
      if ((index.readUInt16BE(at - 4) & (EXTENDED | LONGEST_NAME)) === (EXTENDED | length)) return at;
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
  readonly repository: string;
  readonly writtenMs: number;
}

/** Every entry: what is known of the file, its id, the flags, its name, and zeros up to a multiple of eight bytes. */
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
      // A file that was written while the index was may have been written once more.
      if (!isTime(entry, ctimeMs) || !isTime(entry + 8, mtimeMs) || mtimeMs >= writtenMs - CLOCK_MS) return false;
      isConverted ??= mayConvert(
        repository,
        [...found.keys(), `${base}${ATTRIBUTES}`].filter((name) => name.endsWith(`/${ATTRIBUTES}`)),
      );
      return !isConverted;
    },
  };
}

/** Whether git may hold files in other bytes than the work tree: line ends, encodings and filters, by attributes or settings. */
function mayConvert(repository: string, inWorkTree: readonly string[]): boolean {
  if (process.platform === "win32" || Object.keys(process.env).some((name) => name.startsWith("GIT_CONFIG")))
    return true;
  try {
    return isConversionSaid(repository, inWorkTree);
  } catch {
    // A file that cannot be read may say anything.
    return true;
  }
}

/** Whether a file of settings or attributes says that files are converted. */
function isConversionSaid(repository: string, inWorkTree: readonly string[]): boolean {
  const { HOME = "/", XDG_CONFIG_HOME = `${HOME}/.config` } = process.env;
  const shared = resolve(repository, textAt(join(repository, "commondir")).trim());
  const user = `${XDG_CONFIG_HOME}/git`;
  const settings = [
    ...[join(shared, "config"), join(repository, "config.worktree"), join(HOME, ".gitconfig"), join(user, "config")],
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
/** Settings by which bytes are converted, or that lead to other files with settings. */
const CONVERTING_SETTING = /autocrlf|attributesfile|\beol\b|\binclude/i;
/** Attributes by which they are; without a sign before it, or with a value. */
const CONVERTING_ATTRIBUTE = /\s(?:text|eol|crlf|filter|ident|working-tree-encoding)\b|\[attr\]/;
/** Times with nanoseconds are numbers that are so far from them. */
const CLOSE_MS = 0.001;
/** The system's clock for files may be so far behind. */
const CLOCK_MS = 20;

const NO_FILES: IndexedFiles = { size: 0, get: () => undefined, isUnchanged: () => false };
const UNREAD = { blobOf: () => undefined, all: () => NO_FILES, holds: () => undefined };

function nameIn(top: string, path: Buffer): Buffer | undefined {
  const base = Buffer.from(top === "/" ? "/" : `${top}/`);
  return path.subarray(0, base.length).equals(base) ? path.subarray(base.length) : undefined;
}

const LONGEST_NAME = 0xfff;
const EXTENDED = 0x4000;
const HEADER = 12;
/** Where the flags of an entry stand: behind ten numbers and the id. */
const FLAGS = 60;
/** The header, and the first entry up to its name. */
const FIRST_NAME = HEADER + 62;
