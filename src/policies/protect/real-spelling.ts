import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

/** What is a link, and where it points, or that there is nothing; remembered for as long as one call is looked at. */
export type Links = Map<string, { readonly target?: string } | undefined>;

/** A path by its letters and by where it leads. */
export function bothSpellings(path: string, links: Links): string[] {
  const lexical = resolve(path);
  const real = process.platform === "win32" ? lexical : whereItLeads(path, links);
  return real === lexical ? [lexical] : [lexical, real];
}

/** Where an absolute path leads, link by link, as the system follows it; what is not there yet is kept as it is. */
export function whereItLeads(path: string, links: Links): string {
  let at: string = sep;
  const rest = piecesOf(path);
  let followed = 0;
  for (let piece = rest.shift(); piece !== undefined; piece = rest.shift()) {
    if (piece === ".") continue;
    const next = piece === ".." ? dirname(at) : at === sep ? at + piece : at + sep + piece;
    const found = piece === ".." ? PLAIN : entryAt(next, links);
    if (found === undefined) return join(next, ...rest);
    const { target } = found;
    if (target === undefined || followed >= MOST_LINKS) at = next;
    else {
      followed++;
      rest.unshift(...piecesOf(target));
      if (isAbsolute(target)) at = sep;
    }
  }
  return at;
}

function piecesOf(path: string): string[] {
  return path.split(sep).filter((piece) => piece !== "");
}

/** What lies under a path, as far as links go. */
export function entryAt(path: string, links: Links): { readonly target?: string } | undefined {
  if (links.has(path)) return links.get(path);
  const entry = readEntry(path);
  links.set(path, entry);
  return entry;
}

/** Below what is not there, or is no folder, there is nothing to follow. */
function readEntry(path: string): { readonly target?: string } | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isSymbolicLink() ? { target: readlinkSync(path) } : PLAIN;
  } catch {
    return undefined;
  }
}

const PLAIN: { readonly target?: string } = {};
const MOST_LINKS = 40;
