import { oncePerText } from "../../event/once.ts";
import type { Word } from "../parse/command.ts";

/**
 * How a program reads its arguments: options anywhere, only before the first operand, `-name` as one option, or both of
 * the latter.
 */
export type OptionStyle = "anywhere" | "first" | "whole" | "whole first";

/** A program's arguments, split into options and operands. */
export interface Options {
  /** Every option that is given, by its main name; an unknown option by the name that is written. */
  readonly given: ReadonlyMap<string, readonly Word[]>;
  readonly operands: readonly Word[];
}

/**
 * Reads arguments as getopt does: bundled letters, attached values, unambiguous beginnings of long names, `--`.
 * The options of a spec are separated by blanks: `force|f` is a flag with two names, `output|o=` takes a value, `arg==`
 * takes two, and `color?` may have one attached. The first name is the main one.
 */
export function readOptions(args: readonly Word[], spec = "", style: OptionStyle = "anywhere"): Options {
  let at = 0;
  while (at < args.length && !isOption(args[at] as Word)) at++;
  const isFirst = style === "first" || style === "whole first";
  if (at === args.length || (at > 0 && isFirst)) return { given: NONE, operands: args };
  const isWhole = style === "whole" || style === "whole first";
  const syntax = syntaxOf(spec);
  const given = new Map<string, Word[]>();
  const operands = args.slice(0, at);
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    const { text } = word;
    if (text === "--") return { given, operands: operands.concat(args.slice(at + 1)) };
    if (!isOption(word)) {
      if (isFirst) return { given, operands: args.slice(at) };
      operands.push(word);
      continue;
    }
    const isLong = text.charCodeAt(1) === DASH || (isWhole && text.length > 2);
    at += (isLong ? readLong : readLetters)(word, syntax, given, args, at);
  }
  return { given, operands };
}

/** Whether a spec lists an option of this name. */
export function knowsOption(spec: string, name: string): boolean {
  return syntaxOf(spec).byName.has(name);
}

function isOption({ text }: Word): boolean {
  return text.length > 1 && text.charCodeAt(0) === DASH;
}

function tell(given: Given, name: string, value: Word | undefined): void {
  const values = given.get(name);
  if (values === undefined) given.set(name, value === undefined ? [] : [value]);
  else if (value !== undefined) values.push(value);
}

const NONE: ReadonlyMap<string, readonly Word[]> = new Map();
type Given = Map<string, Word[]>;
type Takes = "nothing" | "value" | "two" | "maybe";
interface Option {
  readonly name: string;
  readonly takes: Takes;
}
interface Syntax {
  readonly byName: ReadonlyMap<string, Option>;
  readonly longNames: readonly string[];
}

/** Returns how many of the next arguments are its values. */
function readLong(word: Word, syntax: Syntax, given: Given, args: readonly Word[], at: number): number {
  const text = word.text.slice(word.text.charCodeAt(1) === DASH ? 2 : 1);
  const equals = text.indexOf("=");
  const written = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? undefined : part(word, text.slice(equals + 1));
  const options = optionsFor(written, syntax);
  if (options.length === 0) tell(given, written, value);
  let taken = 0;
  for (const { name, takes } of options) {
    const needsNext = (takes === "value" || takes === "two") && value === undefined;
    tell(given, name, needsNext ? args[at + 1] : value);
    if (needsNext) taken = Math.max(taken, takes === "two" ? 2 : 1);
    if (needsNext && takes === "two") tell(given, name, args[at + 2]);
  }
  return taken;
}

/** Most programs refuse an ambiguous beginning of a name; all options with that beginning apply here, to miss none. */
function optionsFor(written: string, { byName, longNames }: Syntax): readonly Option[] {
  const exact = byName.get(written);
  if (exact !== undefined) return [exact];
  if (written === "") return [];
  return longNames.filter((name) => name.startsWith(written)).map((name) => byName.get(name) as Option);
}

function readLetters(word: Word, syntax: Syntax, given: Given, args: readonly Word[], at: number): number {
  const text = word.text;
  for (let index = 1; index < text.length; index++) {
    const letter = text.charAt(index);
    const option = syntax.byName.get(letter);
    if (option === undefined || option.takes === "nothing") {
      tell(given, option?.name ?? letter, undefined);
      continue;
    }
    const rest = text.slice(index + 1);
    if (rest !== "") tell(given, option.name, part(word, rest));
    else if (option.takes === "value") tell(given, option.name, args[at + 1]);
    else tell(given, option.name, undefined);
    return rest === "" && option.takes === "value" ? 1 : 0;
  }
  return 0;
}

function part(word: Word, text: string): Word {
  return { text, isKnown: word.isKnown, isGlob: word.isGlob };
}

/** Specs are parsed at first use: a call needs a few of hundreds. */
const syntaxOf = oncePerText((spec: string): Syntax => {
  const byName = new Map<string, Option>();
  for (const entry of spec.split(/\s+/)) {
    const takes = takenBy(entry);
    const names = entry.replace(/=+$|\?$/, "").split("|");
    for (const name of names) if (name !== "") byName.set(name, { name: names[0] ?? name, takes });
  }
  const syntax = { byName, longNames: [...byName.keys()].filter((name) => name.length > 1) };
  return syntax;
});

function takenBy(entry: string): Takes {
  if (entry.endsWith("==")) return "two";
  return entry.endsWith("=") ? "value" : entry.endsWith("?") ? "maybe" : "nothing";
}

const DASH = 45;
