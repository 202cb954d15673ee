import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { isNamed, isPattern, piecesOf } from "./glob-names.ts";

/**
 * The paths on disk that a glob matches, as a shell would list them, including links to folders; `**` does not follow links.
 * The number of entries is limited: to be certain about a place, compare the glob with its path.
 */
export function pathsOnDisk(glob: string, findsHidden = false): string[] {
  const pieces = piecesOf(glob);
  const look: Look = { pieces, found: [], left: MAX_ENTRIES, findsHidden };
  if (pieces.length <= MAX_PIECES) descend("", 0, look);
  return look.found;
}

interface Look {
  readonly pieces: readonly string[];
  readonly found: string[];
  /** How many entries of folders may still be read. */
  left: number;
  readonly findsHidden: boolean;
}

/** Continues in a folder with the pieces of the glob from an index. */
function descend(at: string, index: number, look: Look): void {
  const piece = look.pieces[index];
  const next = index + 1;
  if (piece === undefined) keepNamed(at, look);
  else if (piece === "**") everywhere(at, next, look);
  else if (isPattern(piece)) {
    const findsHidden = look.findsHidden || look.pieces[index - 1] === "**";
    for (const entry of entriesOf(at, look))
      if (isNamed(piece, entry.name, findsHidden) && (next === look.pieces.length || mayBeFolder(entry)))
        descend(`${at}/${entry.name}`, next, look);
  } else descend(at === "" && piece === "" ? "" : `${at}/${piece}`, next, look);
}

function everywhere(at: string, next: number, look: Look): void {
  const isLast = next === look.pieces.length;
  if (!isLast) descend(at, next, look);
  for (const entry of entriesOf(at, look)) {
    if (SKIPPED.has(entry.name)) continue;
    if (isLast) keep(`${at}/${entry.name}`, look);
    if (entry.isDirectory()) everywhere(`${at}/${entry.name}`, next, look);
  }
}

/** A last piece without a pattern has not been looked up: after a pattern, a shell lists only existing paths. */
function keepNamed(path: string, look: Look): void {
  const isSpelled = !look.pieces.some(isPattern);
  const isRead = isPattern(look.pieces.at(-1) ?? "");
  if (isSpelled || isRead || lstatSync(path, { throwIfNoEntry: false }) !== undefined) keep(path, look);
}

function keep(path: string, { found }: Look): void {
  if (found.length < MAX_FOUND) found.push(path);
}

function entriesOf(folder: string, look: Look): Dirent[] {
  if (look.left-- <= 0) return [];
  try {
    const entries = readdirSync(folder === "" ? "/" : folder, { withFileTypes: true });
    look.left -= entries.length;
    return entries;
  } catch {
    return [];
  }
}

function mayBeFolder(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink();
}

/** Large folders; protected places in them have their own paths. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const MAX_ENTRIES = 5000;
/** No path has this many. */
const MAX_PIECES = 4096;
const MAX_FOUND = 1000;
