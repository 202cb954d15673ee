import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { sha256 } from "../../fs/read-once.ts";

/** The file at a path at one hook event. */
export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly hash: string; readonly size: number; readonly text: string }
  /** No text, or too long to compare line by line. */
  | { readonly kind: "bytes"; readonly hash: string; readonly size: number }
  /** A folder, a pipe, or something that may not be read. */
  | { readonly kind: "other" };

/** Looks at a file once; a pipe is not waited for. */
export function stateOf(path: string): FileState {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    if (!found.isFile() || found.size > LARGEST) return { kind: "other" };
    const bytes = readFileSync(file);
    const seen = { hash: `sha256:${sha256(bytes)}`, size: bytes.length };
    const isText = bytes.length <= LONGEST_TEXT && isUtf8(bytes) && !bytes.includes(0);
    return isText ? { kind: "text", ...seen, text: bytes.toString("utf8") } : { kind: "bytes", ...seen };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return GONE.has(code) ? { kind: "missing" } : { kind: "other" };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The hash of a file, where it has one. */
export function hashIn(state: FileState | undefined): string | undefined {
  return state !== undefined && "hash" in state ? state.hash : undefined;
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
const LONGEST_TEXT = 2 * 1024 * 1024;
const LARGEST = 64 * 1024 * 1024;
