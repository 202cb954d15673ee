import { GAP } from "../parse/command.ts";
import { joinPath } from "../join-path.ts";
import { KNOWN_PROGRAMS } from "./known-programs.ts";
import type { Field } from "../parse/value.ts";
import { patternTest } from "../parse/words/pattern.ts";

/** The program that a word names, and whether that is certain. */
export interface NamedProgram {
  readonly field: Field;
  readonly isCertain: boolean;
}

/** A program's name without the folder, where that is one of the system's; patterns and gaps are filled in where one program fits. */
export function namedProgram(word: Field): NamedProgram {
  const { text } = word;
  // A list or a parameter that was filled from a pattern remembers no more than its text.
  if (word.isGlob || (!word.isKnown && PATTERN.test(text))) return matched(word);
  if (text.includes(GAP)) {
    const likely = text.replaceAll(GAP, "");
    return { field: KNOWN.has(withoutFolder(likely)) ? plain(withoutFolder(likely)) : word, isCertain: false };
  }
  if (!text.includes("/")) return { field: word, isCertain: word.isKnown };
  const name = withoutFolder(text);
  return {
    field: name === text ? word : { ...word, text: name },
    isCertain: word.isKnown || text.startsWith("~") || text.startsWith("./"),
  };
}

/** Is it one of the programs that are found on most machines? */
export function isKnownProgram(name: string): boolean {
  return KNOWN.has(name);
}

function plain(text: string): Field {
  return { text, isKnown: true, isGlob: false };
}

function withoutFolder(path: string): string {
  if (!path.startsWith("/")) return path;
  const whole = joinPath("/", path);
  const end = whole.lastIndexOf("/");
  return FOLDERS.has(whole.slice(0, end)) && end < whole.length - 1 ? whole.slice(end + 1) : path;
}

function matched(word: Field): NamedProgram {
  const pattern = (word.pattern ?? word.text).replaceAll(/\/{2,}/g, "/");
  const end = pattern.lastIndexOf("/");
  const folder = end < 0 ? undefined : patternTest(pattern.slice(0, end));
  const name = patternTest(pattern.slice(end + 1));
  if (folder === undefined || name === undefined || ![...FOLDERS].some(folder))
    return { field: word, isCertain: false };
  const fitting = KNOWN_PROGRAMS.filter(name);
  const [first] = fitting;
  return first === undefined
    ? { field: word, isCertain: false }
    : { field: plain(first), isCertain: fitting.length === 1 };
}

const PATTERN = /^[^\uFFFC]*\/[^\uFFFC]*[*?[]|^[^\uFFFC]*[*?[][^\uFFFC]*\//;
const FOLDERS: ReadonlySet<string> = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
  "/opt/local/bin",
  "/snap/bin",
  "/usr/games",
  "/run/current-system/sw/bin",
  "/usr/lib/git-core",
  "/usr/libexec/git-core",
  "/system/bin",
]);
const KNOWN: ReadonlySet<string> = new Set(KNOWN_PROGRAMS);
