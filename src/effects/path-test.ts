import { expandBraces } from "../pattern/glob.ts";
import { isRooted, normalisePath, relativePath } from "../pattern/path.ts";
import { compilePath } from "../pattern/path-pattern.ts";
import type { CallPlace } from "./effect.ts";
import { GAP, type Word } from "./parse/command.ts";
import { isAtOrUnder } from "./paths.ts";

/** The files that the shell puts in the place of a word. */
export interface NamedFiles {
  /** The names that are on disk now, as seen from the folder of the call. */
  readonly names: readonly string[];
  /** Why there may be other names when the command runs; undefined if these are all. */
  readonly doubt: string | undefined;
}

/** Whether a path that a call touches is one that a rule means. */
type PathTest = (path: Word, isTree: boolean, place: CallPlace, named?: NamedFiles) => boolean;

/** A file pattern of a rule, compiled for paths of calls: seen from the project's folder, or whole, with `~` opened. */
export interface PathPattern {
  /** What is touched may be what the pattern means: also a tree that holds it, and a glob that may become its name. */
  readonly meets: PathTest;
  /** What is touched is certainly what the pattern means, with everything in it and every name that a glob may become. */
  readonly covers: PathTest;
}

/** Compiles a file pattern of a rule. */
export function compilePathPattern(pattern: string): PathPattern {
  const byHome = new Map<string | undefined, readonly Compiled[]>();
  const patternsFor = ({ home }: CallPlace) => {
    const known = byHome.get(home) ?? expandBraces(pattern).map((one) => compiledFor(one, home));
    byHome.set(home, known);
    return known;
  };
  return {
    meets: (path, isTree, place, named) => {
      const isMeant = (text: string, isGlob: boolean) => {
        const spellings = spellingsOf(text, place);
        return patternsFor(place).some((compiled) => {
          if (isGlob && path.files !== undefined)
            return spellings.some((spelling) => isNamed(spelling, compiled, isTree, true));
          if (spellings.some(compiled.fits)) return true;
          if (isTree && spellings.some((spelling) => isAtOrUnder(compiled.base, spelling))) return true;
          return isGlob && spellings.some((spelling) => isNamed(spelling, compiled, isTree, false));
        });
      };
      if (named?.names.some((name) => isMeant(name, false))) return true;
      return (named === undefined || named.doubt !== undefined) && isMeant(path.text, path.isGlob);
    },
    covers: (path, isTree, place, named) => {
      const isCovered = (text: string) => {
        const spellings = spellingsOf(text, place);
        return patternsFor(place).some(({ fits }) =>
          spellings.some((spelling) => fits(spelling) || (isTree && fits(`${spelling}/${ANY}/${ANY}`))),
        );
      };
      if (named !== undefined && named.doubt === undefined) return named.names.every(isCovered);
      return !path.text.includes(GAP) && isCovered(path.isGlob ? anyName(path.text) : path.text);
    },
  };
}

interface Compiled {
  readonly fits: (path: string) => boolean;
  /** What the pattern means before its first wildcard. */
  readonly base: string;
  /** The pattern from its first folder on. */
  readonly whole: string;
}

function compiledFor(pattern: string, home: string | undefined): Compiled {
  const opened = home !== undefined && /^~(?=\/|$)/.test(pattern) ? home + pattern.slice(1) : pattern;
  const parts = opened.split("/");
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  const base = parts.slice(0, wild === -1 ? parts.length : wild).join("/");
  const whole = parts.length === 1 ? `**/${opened}` : opened.replace(/^(?:\.\/)+/, "");
  return { fits: compilePath(opened), base: base === "" && opened.startsWith("/") ? "/" : base, whole };
}

/** A path under every name that a pattern may know it by; what is seen from another folder than the project's is opened. */
function spellingsOf(text: string, { cwd, root = cwd, home }: CallPlace): string[] {
  const path = normalisePath(home !== undefined && /^~(?=\/|$)/.test(text) ? home + text.slice(1) : text) || ".";
  const folder = cwd ?? root;
  if (folder === undefined || root === undefined || path.startsWith(GAP) || path.startsWith("~")) return [path];
  const whole = isRooted(path) ? path : normalisePath(`${folder}/${path}`);
  const seen = whole === root ? "." : relativePath(whole, root);
  return folder === root ? [...new Set([path, whole, seen])] : [...new Set([whole, seen])];
}

/** Could a glob become a path that is meant, or the folder that it is in? The shell gives no hidden name to a wildcard. */
function isNamed(glob: string, { base, whole }: Compiled, isTree: boolean, isOfShell: boolean): boolean {
  if (!isOfShell) return (base !== "" && compilePath(glob)(base)) || globsMeet(glob, whole);
  if (globsMeet(glob, whole, "shell") || (base !== "" && globsMeet(glob, base, "shell"))) return true;
  const parts = whole.split("/");
  return isTree && parts.some((_, length) => length > 0 && globsMeet(glob, parts.slice(0, length).join("/"), "shell"));
}

/** A name that only the wildcards of a pattern represent, as long as no `?` does. */
function anyName(glob: string): string {
  return glob.replaceAll(/\*+/g, ANY).replaceAll(/\?|\[[^\]]*\]/g, ANY.slice(0, 1));
}

/**
 * Is there a path that fits both patterns? `**` represents any folders; brackets and braces represent anything. A wildcard at the
 * beginning of a name does not match a dot in a pattern of the `shell`.
 */
export function globsMeet(one: string, other: string, by?: "shell"): boolean {
  if (by === undefined) return meet(one.split("/"), other.split("/"), "**", namesMeet);
  // In most shells `**` is a single name, and in some it is any folders.
  return meet(
    one.split("/"),
    other.split("/"),
    "**",
    (a, b) => !(/^[*?[]/.test(a) && b.startsWith(".")) && namesMeet(a, b),
  );
}

function namesMeet(one: string, other: string): boolean {
  return one === other || meet(signsOf(one), signsOf(other), "*", (a, b) => a === b || a === "?" || b === "?");
}

function signsOf(name: string): readonly string[] {
  return Array.from(name.replaceAll(/\[[^\]]*\]?|\{[^}]*\}?|\*+/g, "*"));
}

/** Compares two lists in which one sign represents any number of the other's; each pair of places is looked at once. */
function meet(
  one: readonly string[],
  other: readonly string[],
  any: string,
  same: (a: string, b: string) => boolean,
): boolean {
  if (one.length > MAX_LENGTH || other.length > MAX_LENGTH) return true;
  let row = [true];
  for (const sign of other) row.push(sign === any && row.at(-1) === true);
  for (const sign of one) {
    const next = [sign === any && row[0] === true];
    for (const [at, against] of other.entries()) {
      const isAny = sign === any || against === any;
      next.push(isAny ? row[at + 1] === true || next[at] === true : row[at] === true && same(sign, against));
    }
    row = next;
  }
  return row.at(-1) === true;
}

const MAX_LENGTH = 300;

const ANY = "\u0001\u0001";
