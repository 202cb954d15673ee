/**
 * A path with one character for each of its bytes: file names need not be UTF-8, and what a call destroys comes back under
 * exactly the name it had.
 */
export type BytePath = string;

/** The bytes of a path, for the file system. */
export function bytesOf(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

/** A path that was read as text, as bytes. */
export function bytePath(text: string | Buffer): BytePath {
  return (typeof text === "string" ? Buffer.from(text) : text).toString("latin1");
}

/** A path for people; bytes that are not valid text are replaced. */
export function pathText(path: BytePath): string {
  return bytesOf(path).toString();
}

/** A path as JSON keeps it: text, or its bytes where it is none. */
export type StoredPath = string | { readonly base64: string };

/** The path to store. */
export function storedPath(path: BytePath): StoredPath {
  if (PLAIN.test(path)) return path;
  const text = pathText(path);
  return bytePath(text) === path ? text : { base64: bytesOf(path).toString("base64") };
}

/** Letters that are one byte in every path. */
const PLAIN = /^[\0-\x7f]*$/;

/** A stored path as it was. */
export function readPath(stored: StoredPath): BytePath {
  return typeof stored === "string" ? bytePath(stored) : Buffer.from(stored.base64, "base64").toString("latin1");
}

/** The folder that holds a path. */
export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Whether the path is this folder or is inside it. */
export function isInside(path: BytePath, folder: BytePath): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
