import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { entryAt } from "./resolve-path.ts";

/** What git's index says about the files of a work tree, read without starting git. */
export interface GitIndex {
  /** The folder of the work tree. */
  readonly top: string;
  /** The id of the content that the index has for a file; undefined where it has none, or in a form that is not read here. */
  blobOf(path: Buffer): string | undefined;
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
    if (stats === undefined) return { top, blobOf: () => undefined, holds: () => false };
    return indexIn(top, readFileSync(path));
  } catch {
    return { top, blobOf: () => undefined, holds: () => undefined };
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
  if (!isRead) return { top, blobOf: () => undefined, holds: () => undefined };
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
    holds: (path) => named(path, "\0") !== undefined || named(path, "/") !== undefined,
  };
}

function nameIn(top: string, path: Buffer): Buffer | undefined {
  const base = Buffer.from(top === "/" ? "/" : `${top}/`);
  return path.subarray(0, base.length).equals(base) ? path.subarray(base.length) : undefined;
}

const LONGEST_NAME = 0xfff;
const EXTENDED = 0x4000;
/** The header, and the first entry up to its name. */
const FIRST_NAME = 12 + 62;
