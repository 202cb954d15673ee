import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { isInProject } from "../fs/project-bounds.ts";
import { diskEntry, entryAt, resolvePath } from "../fs/resolve-path.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import { isThere } from "./locate.ts";

/** What a path gave: nothing, text, or the reason why there is none. */
export type FileText =
  | { readonly state: "missing" }
  | { readonly state: "ignored"; readonly problem: Problem }
  /** Its text, as far as it can be made out. */
  | { readonly state: "corrupt"; readonly problem: Problem; readonly text?: string }
  | { readonly state: "read"; readonly text: string; readonly hasMark: boolean };

/** Which file may be read. */
export interface ReadBounds {
  /** The only user whose file is accepted. */
  readonly owner?: number | undefined;
  /** The project in which the file has to be after all symlinks are followed. */
  readonly root?: string | undefined;
}

/** Reads a file that a person wrote. */
export function readText(path: string, { owner, root }: ReadBounds = {}): FileText {
  try {
    if (root !== undefined && !isInProject(root, path) && entryAt(path) !== undefined)
      return corrupt(PROBLEMS.outsideProject(undefined, start(path)));
    if (!isThere(path)) return absent(path);
    // Without O_NONBLOCK a named pipe would block this process.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpen(file, path, owner);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
    return unreadable(path, resolvePath(path).is === "hidden" ? HIDDEN : code, error);
  }
}

/** Reports the error of the system: only some of them are about permissions. */
function unreadable(path: string, code: string, cause: unknown): FileText {
  const [why, fix] = UNREADABLE[code] ?? [
    cause instanceof Error ? cause.message.replace(/\.$/, "") : code,
    "End what the system names, and try again: the next call reads the file anew.",
  ];
  return corrupt(PROBLEMS.unreadable({ why, fix }, { ...start(path), cause }));
}

/** A missing file, or a dangling symlink, which is a broken file. */
function absent(path: string): FileText {
  const entry = diskEntry(path);
  if (entry.kind !== "link") return { state: "missing" };
  return corrupt(PROBLEMS.leadsNowhere({ target: entry.target }, start(path)));
}

function readOpen(file: number, path: string, owner: number | undefined): FileText {
  const stats = fstatSync(file);
  if (!stats.isFile()) return corrupt(PROBLEMS.noFile({ is: kindOf(stats) }, start(path)));
  if (owner !== undefined && (stats.uid !== owner || (stats.mode & OTHERS_WRITE) !== 0))
    return { state: "ignored", problem: PROBLEMS.notManaged({ path }, start(path)) };
  if (stats.size > LARGEST) return corrupt(PROBLEMS.tooLarge({ size: stats.size }, start(path)));
  const bytes = readFileSync(file);
  if (bytes.length > LARGEST) return corrupt(PROBLEMS.tooLarge({ size: bytes.length }, start(path)));
  const decoded = bytes.toString("utf8");
  // A text in two bytes for each letter may be UTF-8 too, with a zero in every other byte.
  if (decoded.includes("\0") || (decoded.includes("\uFFFD") && !isUtf8(bytes)))
    return { ...corrupt(PROBLEMS.notUtf8(undefined, { place: firstBadByte(path, decoded) })), text: decoded };
  const hasMark = decoded.startsWith(MARK);
  return { state: "read", text: hasMark ? decoded.slice(1) : decoded, hasMark };
}

function corrupt(problem: Problem) {
  return { state: "corrupt", problem } as const;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFIFO() ? "a named pipe" : "no regular file";
}

function firstBadByte(file: string, decoded: string): Place {
  const before = decoded.slice(0, Math.max(0, decoded.search(/[\uFFFD\0]/)));
  return { file, line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

function start(file: string): { place: Place } {
  return { place: { file, line: 1, column: 1 } };
}

/** The byte order mark that some editors put in front of a text. */
export const MARK = "\uFEFF";
const LARGEST = 1024 * 1024;
const OTHERS_WRITE = 0o022;
/** A folder on the way may not be searched; the system reports the same for the file itself. */
const HIDDEN = "hidden";
/** Why a file could not be read, by the error of the system, and the step that ends that. */
const UNREADABLE: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  EACCES: ["its permissions forbid it", "Make it readable for you, or remove it."],
  EPERM: ["its permissions forbid it", "Make it readable for you, or remove it."],
  [HIDDEN]: ["the permissions of a folder above it forbid it", "Make that folder searchable for you: `chmod u+x`."],
  ELOOP: ["its symbolic links lead in a circle", "Correct the links, or remove them."],
  EISDIR: ["it is a folder", "Put a file in its place, or remove it."],
  ENXIO: ["it is a socket", "Put a file in its place, or remove it."],
  EMFILE: ["this program has too many files open", "Close some, or raise `ulimit -n`, and try again."],
  ENFILE: ["the system has too many files open", "End programs that have many files open, and try again."],
  EIO: ["the disk failed", "Check the disk, and put the file back from a copy."],
};

const PROBLEMS = problems("config", {
  unreadable: ({ why, fix }: { why: string; fix: string }) => ({
    what: `This file cannot be read: ${why}. None of its hooks are active.`,
    fix,
  }),
  outsideProject: () => ({
    what: "This file is outside of the project after its symlinks are followed, so it is not read. None of its hooks are active.",
    fix: "Put a copy of it into the project, or name it in your own configuration.",
  }),
  leadsNowhere: ({ target }: { target: string }) => ({
    what: `This is a symlink to ${target}, which does not exist. None of its hooks are active.`,
    fix: "Put the file there, correct the link, or remove it.",
  }),
  noFile: ({ is }: { is: string }) => ({
    what: `This is ${is}, where a file with hooks is looked for.`,
    fix: "Put a file in its place, or remove it.",
  }),
  notManaged: ({ path }: { path: string }) => ({
    what: "This file is ignored: managed hooks have to belong to root, and no other user may write to them.",
    fix: `Run \`chown root ${path} && chmod go-w ${path}\` as root.`,
  }),
  tooLarge: ({ size }: { size: number }) => ({
    what: `This file has ${size} bytes; ${LARGEST} are read at most. None of its hooks are active.`,
    fix: "Split it, and name the parts in `extends`.",
  }),
  notUtf8: () => ({
    what: "This file is not UTF-8 text. None of its hooks are active.",
    fix: "Save it as UTF-8.",
  }),
});
