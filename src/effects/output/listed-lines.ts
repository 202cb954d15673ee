import { casesOf } from "../any-case.ts";
import { GAP, type SimpleCommand } from "../parse/command.ts";
import type { Shell, Stdin } from "../parse/shell-state.ts";
import { type Field, patternOf } from "../parse/value.ts";
import { has } from "../programs/call.ts";
import { readOptions } from "../programs/options.ts";
import type { Output } from "../programs/program.ts";
import { isProgram, programNamed } from "../programs/program-name.ts";
import { printedByAwk, wrappedLines } from "./text-tools.ts";

/** A program that prints what can be known before it runs. */
export interface Printing {
  readonly name: string;
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
}

/** The files whose names a program prints, as patterns; undefined if it prints something else. */
export function listedBy({ name, args, stdin }: Printing, kind: Output | undefined): readonly Field[] | undefined {
  const { listed } = stdin;
  if (listed !== undefined && changesLines(kind)) return keptBy(kind, listed, args);
  if (listed !== undefined && isProgram("keeps-lines", name)) {
    if (isProgram("prints-files", name) && (readsOthers(name, args) || args.some(({ text }) => PARTS.test(text))))
      return undefined;
    return isProgram("text-search", name) ? chosenAmong(listed, args) : listed;
  }
  if (kind === "words" || kind === "format") return namesAmong(args);
  return programNamed(name)?.lists?.(args);
}

/** Whether a program is given files whose lines it shows beside its input: `cat - other`. */
function readsOthers(name: string, args: readonly Field[]): boolean {
  const given = readOptions(args, programNamed(name)?.options ?? "");
  const isSearch = isProgram("text-search", name) && !has(given, "regexp", "file");
  return given.operands.slice(isSearch ? 1 : 0).some(({ text }) => text !== "-");
}

/**
 * What a search for plain names and endings leaves of everything below a folder: `(__pycache__|\\.pyc$)`. Any other search may
 * leave all of it.
 */
function chosenAmong(listed: readonly Field[], args: readonly Field[]): readonly Field[] {
  const [pattern, ...more] = args.filter(({ text }) => !/^-(?:E|P|i|iE|Ei)$/.test(text));
  if (pattern === undefined || more.length > 0 || !pattern.isKnown) return listed;
  if (!listed.every(({ text }) => /\/\*\*$|(?:^|\/)\.?\*$/.test(text))) return listed;
  const [, inside = pattern.text] = /^\(([^()]+)\)$/.exec(pattern.text) ?? [];
  const names = inside.split("|").map(nameSearched);
  if (names.some((name) => name === undefined)) return listed;
  const isAnyCase = args.some(({ text }) => /^-E?iE?$/.test(text));
  const all = names.flatMap((name = "") => (isAnyCase ? casesOf(name) : [name]));
  return listed.flatMap(({ text }) => all.flatMap((name) => namedAmong(text, name)).map(patternOf));
}

/** Paths of a name below a folder, `a/**`, or directly in it, `a/*` and `a/.*`. */
function namedAmong(listed: string, name: string): readonly string[] {
  if (listed.endsWith("**")) return [`${listed}/${name}`];
  if (!listed.endsWith(".*")) return [listed.slice(0, -1) + name];
  const folder = listed.slice(0, -2);
  return name.startsWith("*.") ? [`${folder}.${name}`, folder + name.slice(1)] : [`${folder}.*${name}*`];
}

/** A path with `__name__` in it is at or below what has that name; one with `.end` in it is almost always a file. */
function nameSearched(text: string): string | undefined {
  const [, whole] = /^\/?(__[a-z]{4,}__)\$?$/.exec(text) ?? [];
  if (whole !== undefined) return whole;
  const [, ending, end] = /^\\\.(\w{2,})(\$?)$/.exec(text) ?? [];
  return ending === undefined ? undefined : `*.${ending}${end === "$" ? "" : "*"}`;
}

/** The patterns among printed words, which the shell has expanded to names of files. */
function namesAmong(args: readonly Field[]): readonly Field[] | undefined {
  const names = args.filter(({ isGlob }) => isGlob);
  return names.length === 0 ? undefined : names;
}

/** What a substitution lists, by the commands that it has added; undefined if it prints something else. */
export function listedAtEnd(commands: readonly SimpleCommand[], from: number): readonly Field[] {
  const last = commands.length > from ? commands.at(-1) : undefined;
  return (last?.program && programNamed(last.program.text)?.lists?.(last.args)) ?? [];
}

/** The kinds of output that are made of the lines of the input. */
type Changed = Extract<Output, "edited" | "code" | "translated">;

/** Whether a program of this kind prints lines of its input that it may have changed. */
export function changesLines(kind: Output | undefined): kind is Changed {
  return kind === "edited" || kind === "code" || kind === "translated";
}

/** Whether such a program prints a text of its own in place of every line. */
export function isText(kind: Changed, args: readonly Field[]): boolean {
  return madeOf(kind, args)?.includes(GAP) === false;
}

/** The names of files that come in, where they go out as they are, or with a text around them; what else becomes of them is not known. */
function keptBy(kind: Changed, listed: readonly Field[], args: readonly Field[]): readonly Field[] | undefined {
  const made = madeOf(kind, args);
  if (made !== undefined) return made.includes(GAP) ? listed : undefined;
  const words = args.map(({ text }) => text);
  return KEEPS_NAMES[kind](words) ? listed : undefined;
}

/** The same for code, given what it prints around them as far as that is known. */
export function keptByCode(
  listed: readonly Field[],
  made: string | undefined,
  args: readonly Field[],
): readonly Field[] | undefined {
  if (made !== undefined) return made.includes(GAP) ? listed : undefined;
  return args.some(({ text }) => CHANGES_NAMES.test(text)) ? undefined : listed;
}

/** What is printed for one line of the input, with a gap for the line itself; undefined if that is not known. */
function madeOf(kind: Changed, args: readonly Field[]): string | undefined {
  const words = args.map(({ text }) => text);
  return kind === "edited" ? wrappedLines(words)?.(GAP) : kind === "code" ? printedByAwk(words) : undefined;
}

/** Whether the arguments of a program let lines through as they are, or leave some of them out. */
const KEEPS_NAMES: Readonly<Record<Changed, (words: readonly string[]) => boolean>> = {
  edited: (words) =>
    words.every((word) => /^-(?:[nErsuz]+|e|-\w[\w-]*)$/.test(word) || CHOOSES_LINES.test(word) || STRIPS.test(word)),
  code: (words) => !words.some((word) => /^-F|^-v|["']|sub\(|split\(|\bFS\b|=(?!=)/.test(word)),
  translated: (words) => words.every((word) => /^-\w+$|^(?:\\(?:n|r|0+)|[\s"'])*$/.test(word)),
};
/** `5q`, `/x/d`, `1,3p`. */
const CHOOSES_LINES = /^(?:(?:\d+|\$|\/(?:\\.|[^/\\])*\/)(?:,(?:\d+|\$))?!?\s*)?[dpq=]$/;
/** `s/^\.\///`, and blanks with a backslash in front. */
const STRIPS = /^s([/|#,:!])(?:\^?\\?\.\\?\/\1\1|(?: |\[\[:space:\]\])\1(?:\\+ |\\+&)\1g?)$/;
const CHANGES_NAMES =
  /(?<![\w$])(?:[sy][/|#{!,]|tr[/|#{!,])|\b(?:replace|[rg]?sub|r?split|(?:dir|base)name|parent|join(?:path)?|substr|format|s?printf|with_\w+)\b|\[[^\][]*:|\.\.|%s/;
/** Options by which a program prints parts of lines, or counts bytes. */
const PARTS = /^-[a-zA-Z]*[oc][a-zA-Z]*\d*$|^--(?:only-matching|bytes|count)/;
