import { compilePath, isRooted, normalisePath, relativePath } from "../pattern/path.ts";
import type { CallPlace } from "./effect.ts";
import { globsMeet } from "./globs-meet.ts";
import { GAP, type Word } from "./parse/command.ts";
import { isAtOrUnder } from "./paths.ts";

/** Whether a path that a call touches is one that a rule means. */
export type PathTest = (path: Word, isTree: boolean, place: CallPlace) => boolean;

/**
 * Compiles a file pattern for paths of calls: as written, from the root, from the call's folder, with `~` opened.
 * Whoever touches a whole tree touches what the pattern means inside it; a glob means every name that it may become.
 */
export function compilePathTest(pattern: string): PathTest {
  const tests = new Map<string | undefined, Compiled>();
  return (path, isTree, place) => {
    const compiled = tests.get(place.home) ?? compiledFor(pattern, place.home);
    tests.set(place.home, compiled);
    const spellings = spellingsOf(path.text, place);
    if (spellings.some(compiled.fits)) return true;
    if (isTree && spellings.some((spelling) => isAtOrUnder(compiled.base, spelling))) return true;
    return path.isGlob && spellings.some((spelling) => isNamed(spelling, compiled));
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

/** A path under every name that a pattern may know it by. */
function spellingsOf(text: string, { cwd, home }: CallPlace): string[] {
  const path = normalisePath(home !== undefined && /^~(?=\/|$)/.test(text) ? home + text.slice(1) : text) || ".";
  if (cwd === undefined || path.startsWith(GAP) || path.startsWith("~")) return [path];
  const whole = isRooted(path) ? path : normalisePath(`${cwd}/${path}`);
  return [...new Set([path, whole, relativePath(whole, cwd)])];
}

/** Could a glob of the shell become a path that is meant, or the folder that it lies in? */
function isNamed(glob: string, { base, whole }: Compiled): boolean {
  return (base !== "" && compilePath(glob)(base)) || globsMeet(glob, whole);
}
