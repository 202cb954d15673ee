import { type Dirent, readdirSync } from "node:fs";
import { isNamed, isPattern } from "./glob-names.ts";

/**
 * The paths on disk that a glob names, as a shell would list them, links to folders included; `**` goes down through
 * folders that are no links. Not more than can be looked at within a call: who needs certainty about a place compares
 * the glob with its path.
 */
export function pathsOnDisk(glob: string, findsHidden = false): string[] {
  const look: Look = { found: [], left: MOST_ENTRIES, findsHidden };
  descend("", glob.split("/"), look);
  return look.found;
}

interface Look {
  readonly found: string[];
  /** Entries of folders that may still be looked at. */
  left: number;
  readonly findsHidden: boolean;
}

function descend(at: string, [piece, ...rest]: readonly string[], look: Look): void {
  if (look.left <= 0 || look.found.length >= MOST_FOUND) return;
  if (piece === undefined) look.found.push(at);
  else if (piece === "**") everywhere(at, rest, look);
  else if (isPattern(piece)) {
    for (const entry of entriesOf(at, look))
      if (isNamed(piece, entry.name, look.findsHidden) && (rest.length === 0 || mayBeFolder(entry)))
        descend(`${at}/${entry.name}`, rest, look);
  } else descend(at === "" && piece === "" ? "" : `${at}/${piece}`, rest, look);
}

function everywhere(at: string, rest: readonly string[], look: Look): void {
  if (rest.length > 0) descend(at, rest, look);
  for (const entry of entriesOf(at, look)) {
    if (SKIPPED.has(entry.name)) continue;
    if (rest.length === 0) look.found.push(`${at}/${entry.name}`);
    if (entry.isDirectory()) everywhere(`${at}/${entry.name}`, rest, look);
  }
}

function entriesOf(folder: string, look: Look): Dirent[] {
  if (look.left <= 0 || look.found.length >= MOST_FOUND) return [];
  try {
    const entries = readdirSync(folder === "" ? "/" : folder, { withFileTypes: true });
    look.left -= entries.length + 1;
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
const MOST_FOUND = 1000;
