import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { entryAt } from "./resolve-path.ts";

/** What git's index says about the files of a work tree, read without starting git. */
export interface GitIndex {
  /** The folder of the work tree. */
  readonly top: string;
  /** The id of the content that the index has for a file; undefined where it has none, or in a form that is not read here. */
  blobOf(path: Buffer): string | undefined;
  /** The ids of all files, by their whole paths, one character for each byte. */
  all(): ReadonlyMap<string, string>;
  /** Whether the index has this file, or one in this folder; undefined where its form is not read here. */
  holds(path: Buffer): boolean | undefined;
}

/** The index of the repository in which a folder lies; undefined without one. */
export function gitIndexAt(folder: string): GitIndex | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  try {
    const path = join(gitFolder(top), "index");
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { ...UNREAD, top, holds: () => false };
    return indexIn(top, readFileSync(path));
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
  const stated = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? "";
  return isAbsolute(stated) ? stated : resolve(top, stated);
}

/**
 * Versions 2 and 3 hold each name in full, after the id and two bytes of flags: the length of the name in twelve bits and
 * the stage above them; two more bytes follow where the flags say so. https://git-scm.com/docs/index-format
 */
function indexIn(top: string, index: Buffer): GitIndex {
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
    all: () => entriesIn(top, index),
    holds: (path) => named(path, "\0") !== undefined || named(path, "/") !== undefined,
  };
}

/** Every entry: what is known of the file, its id, the flags, its name, and zeros up to a multiple of eight bytes. */
function entriesIn(top: string, index: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const base = Buffer.from(top === "/" ? "/" : `${top}/`).toString("latin1");
  let at = HEADER;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const name = at + FIRST_NAME - HEADER + (index.readUInt16BE(at + FLAGS) & EXTENDED ? 2 : 0);
    const end = index.indexOf(0, name);
    if (end < 0) break;
    found.set(base + index.toString("latin1", name, end), index.toString("hex", at + 40, at + FLAGS));
    at += (end - at + 8) & ~7;
  }
  return found;
}

const UNREAD = { blobOf: () => undefined, all: () => new Map<string, string>(), holds: () => undefined };

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
