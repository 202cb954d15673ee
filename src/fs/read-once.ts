import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { createHash } from "./late-builtins.ts";
import { realPath } from "./resolve-path.ts";

/** The bytes that were found under a path, and where they really lie. */
export interface FoundBytes {
  readonly path: string;
  /** The path without any link in it, in the case that the disk knows. */
  readonly real: string;
  /** `unread` for a file that is there and whose bytes could not be read. */
  readonly sha256: string;
  /** Nothing for what is no text, or too long to look at. */
  readonly text: string | undefined;
  readonly isExecutable: boolean;
}

/** Finds the bytes under a path. */
export type ReadFile = (path: string) => FoundBytes | undefined;

/** Reads every file once, so that what is hashed, shown and approved are the same bytes. */
export function readOnce(): ReadFile {
  const known = new Map<string, FoundBytes | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
}

/** The hash of a text or of bytes, in hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function read(path: string): FoundBytes | undefined {
  let file: number | undefined;
  try {
    // Most names lead nowhere, and an open that fails costs ten times as much.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    // Without O_NONBLOCK a named pipe would block this process.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size, mode } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return undefined;
    const found = { path, real: realPath(path), isExecutable: (mode & 0o111) !== 0 };
    if (size > LARGEST) return { ...found, sha256: UNREAD, text: undefined };
    const bytes = readFileSync(file);
    const isText = bytes.length <= LONGEST_TEXT && isUtf8(bytes);
    return { ...found, sha256: sha256(bytes), text: isText ? bytes.toString("utf8") : undefined };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (NOTHING_THERE.has(code)) return undefined;
    return { path, real: realPath(path), sha256: UNREAD, text: undefined, isExecutable: false };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Stands for the hash of a file that could not be read. */
export const UNREAD = "unread";
const LARGEST = 64 * 1024 * 1024;
const LONGEST_TEXT = 512 * 1024;
const NOTHING_THERE = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ENXIO",
  "ENAMETOOLONG",
  "ELOOP",
  "ERR_INVALID_ARG_VALUE",
]);
