import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { sha256Bytes } from "./late-builtins.ts";
import { realPath } from "./resolve-path.ts";

/** The bytes that were found under a path. */
export interface FoundBytes {
  readonly path: string;
  /** The canonical path. */
  readonly real: string;
  /** `unread` if the file exists and could not be read. */
  readonly sha256: string;
  /** Undefined if the file is not text or is too long. */
  readonly text: string | undefined;
  readonly isExecutable: boolean;
}

/** Reads the file under a path. */
export type ReadFile = (path: string) => FoundBytes | undefined;

/** Reads every file once, so that the same bytes are hashed, shown and approved. */
export function readOnce(): ReadFile {
  const known = new Map<string, FoundBytes | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
}

/** The SHA-256 digest in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return sha256Bytes(content);
}

function read(path: string): FoundBytes | undefined {
  let file: number | undefined;
  try {
    // Most paths do not exist, and an `open` that fails costs ten times as much as `stat`.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    // Without O_NONBLOCK a named pipe would block this process.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size, mode } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return undefined;
    const found = { path, real: realPath(path), isExecutable: (mode & 0o111) !== 0 };
    if (size > MAX_BYTES) return { ...found, sha256: UNREAD, text: undefined };
    const bytes = readFileSync(file);
    const isText = bytes.length <= MAX_TEXT && isUtf8(bytes);
    return { ...found, sha256: sha256(bytes), text: isText ? bytes.toString("utf8") : undefined };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (MISSING.has(code)) return undefined;
    return { path, real: realPath(path), sha256: UNREAD, text: undefined, isExecutable: false };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Used as the hash of a file that could not be read. */
export const UNREAD = "unread";
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TEXT = 512 * 1024;
const MISSING = new Set("ENOENT ENOTDIR EISDIR ENXIO ENAMETOOLONG ELOOP ERR_INVALID_ARG_VALUE".split(" "));
