import { GAP, type Word } from "./parse/command.ts";

/** The path that a word names, seen from where the line starts: `..` and `.` taken out, `~` and gaps kept. */
export function pathFrom(folder: string, word: Word): Word {
  const text = resolvedPath(folder, word.text);
  return text === word.text ? word : { text, isKnown: word.isKnown && !text.includes(GAP), isGlob: word.isGlob };
}

/** Resolves a path by its letters alone, without looking at the disk. */
export function resolvedPath(folder: string, path: string): string {
  const isFree = path.startsWith("/") || path.startsWith("~") || path.startsWith(GAP) || DRIVE.test(path);
  const whole = isFree || folder === "" || folder === "." ? path : `${folder}/${path}`;
  if (!NEEDS_CARE.test(whole)) return whole;
  const isRooted = whole.startsWith("/");
  const kept: string[] = [];
  for (const piece of whole.split("/")) {
    if (piece === "" || piece === ".") continue;
    const last = kept.at(-1);
    if (piece !== ".." || (last === undefined && !isRooted) || last === ".." || isOpen(last)) kept.push(piece);
    else kept.pop();
  }
  return isRooted ? `/${kept.join("/")}` : kept.join("/") || ".";
}

/** Whether `..` stands behind a name: that may be a link, and then `..` leads on from where the link leads. */
export function climbsBehindName(path: string): boolean {
  return path.includes("..") && CLIMBS_BEHIND_NAME.test(path);
}

/** What a word may name as a path: itself, what stands behind its `=`, what stands behind a short option. */
export function pathsInWord(text: string): readonly string[] {
  const found = [text, text.slice(text.indexOf("=") + 1), text.slice(text.lastIndexOf("=") + 1)];
  if (/^-\w./.test(text)) found.push(text.slice(2));
  return [...new Set(found)];
}

/** Is the path this place, or does it lie under it? Both as `resolvedPath` gives them. */
export function isAtOrUnder(path: string, place: string): boolean {
  if (place === "/") return path.startsWith("/");
  if (place === ".") return !path.startsWith("/") && !path.startsWith("~") && path !== ".." && !path.startsWith("../");
  return path === place || (path.startsWith(place) && path.charCodeAt(place.length) === SLASH);
}

/** The last piece of a path. */
export function nameOf(path: string): string {
  if (!path.includes("/")) return path;
  const trimmed = withoutLastSlash(path);
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** A path without slashes at its end; the root keeps its own. */
export function withoutLastSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}

/** What lies above a gap or a home cannot be told by letters. */
function isOpen(piece: string | undefined): boolean {
  return piece !== undefined && (piece.includes(GAP) || piece.startsWith("~"));
}

const NEEDS_CARE = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)|.\/$/;
const CLIMBS_BEHIND_NAME = /(?:^|\/)(?!\.{1,2}(?:\/|$))[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/;
const DRIVE = /^[A-Za-z]:[\\/]/;
const SLASH = 47;
