import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { isNamed, isPattern, piecesOf } from "./glob-names.ts";

/**
 * The paths on disk that a glob names, as a shell would list them, links to folders included; `**` goes down through
 * folders that are no links. Not more than can be looked at within a call: who needs certainty about a place compares
 * the glob with its path.
 */
export function pathsOnDisk(glob: string, findsHidden = false): string[] {
  const pieces = piecesOf(glob);
  const look: Look = { pieces, found: [], left: MOST_ENTRIES, findsHidden };
  if (pieces.length <= MOST_PIECES) descend("", 0, look);
  return look.found;
}

interface Look {
  readonly pieces: readonly string[];
  readonly found: string[];
  /** Entries of folders that may still be looked at. */
  left: number;
  readonly findsHidden: boolean;
}

/** Goes on at a folder with the pieces of the glob from an index on. */
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

/** A name without a pattern was read in no folder: behind a pattern, a shell lists only what is there. */
function keepNamed(path: string, look: Look): void {
  const isSpelled = !look.pieces.some(isPattern);
  const isRead = isPattern(look.pieces.at(-1) ?? "");
  if (isSpelled || isRead || lstatSync(path, { throwIfNoEntry: false }) !== undefined) keep(path, look);
}

function keep(path: string, { found }: Look): void {
  if (found.length < MOST_FOUND) found.push(path);
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

/** Large, and what is protected in them has a path of its own. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const MOST_ENTRIES = 5000;
/** No path has so many. */
const MOST_PIECES = 4096;
const MOST_FOUND = 1000;
