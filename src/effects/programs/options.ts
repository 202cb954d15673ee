import type { Word } from "../parse/command.ts";

/** How a program reads its arguments: options anywhere, only before the first operand, or `-name` in one piece. */
export type OptionStyle = "anywhere" | "first" | "whole";

/** A program's arguments, told apart. */
export interface Options {
  /** Every option that is given, by its main name; unknown ones by the name that is used. */
  readonly given: ReadonlyMap<string, readonly Word[]>;
  readonly operands: readonly Word[];
}

/**
 * Reads arguments as getopt does: bundled letters, attached values, unambiguous beginnings of long names, `--`.
 * A spec lists options apart by blanks: `force|f` is a flag with two names, `output|o=` takes a value, `color?` may
 * have one attached. The first name is the main one.
 */
export function readOptions(args: readonly Word[], spec: string, style: OptionStyle = "anywhere"): Options {
  let at = 0;
  while (at < args.length && !isOption(args[at] as Word)) at++;
  if (at === args.length || (at > 0 && style === "first")) return { given: NONE, operands: args };
  const syntax = syntaxOf(spec);
  const given = new Map<string, Word[]>();
  const operands = args.slice(0, at);
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    const { text } = word;
    if (text === "--") return { given, operands: operands.concat(args.slice(at + 1)) };
    if (!isOption(word)) {
      if (style === "first") return { given, operands: args.slice(at) };
      operands.push(word);
      continue;
    }
    const isLong = text.charCodeAt(1) === DASH || (style === "whole" && text.length > 2);
    if (isLong ? readLong(word, syntax, given, args[at + 1]) : readLetters(word, syntax, given, args[at + 1])) at++;
  }
  return { given, operands };
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
type Takes = "nothing" | "value" | "maybe";
interface Option {
  readonly name: string;
  readonly takes: Takes;
}
interface Syntax {
  readonly byName: ReadonlyMap<string, Option>;
  readonly longNames: readonly string[];
}

/** Says whether the next argument was its value. */
function readLong(word: Word, syntax: Syntax, given: Given, next: Word | undefined): boolean {
  const text = word.text.slice(word.text.charCodeAt(1) === DASH ? 2 : 1);
  const equals = text.indexOf("=");
  const written = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? undefined : part(word, text.slice(equals + 1));
  const options = optionsFor(written, syntax);
  if (options.length === 0) tell(given, written, value);
  let isTaken = false;
  for (const { name, takes } of options) {
    const needsNext = takes === "value" && value === undefined;
    tell(given, name, needsNext ? next : value);
    isTaken ||= needsNext;
  }
  return isTaken;
}

/** A beginning that several names share is refused by most programs; all of them count, to miss none. */
function optionsFor(written: string, { byName, longNames }: Syntax): readonly Option[] {
  const exact = byName.get(written);
  if (exact !== undefined) return [exact];
  if (written === "") return [];
  return longNames.filter((name) => name.startsWith(written)).map((name) => byName.get(name) as Option);
}

function readLetters(word: Word, syntax: Syntax, given: Given, next: Word | undefined): boolean {
  const text = word.text;
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const option = syntax.byName.get(letter);
    if (option === undefined || option.takes === "nothing") {
      tell(given, option?.name ?? letter, undefined);
      continue;
    }
    const rest = text.slice(at + 1);
    if (rest !== "") tell(given, option.name, part(word, rest));
    else if (option.takes === "value") tell(given, option.name, next);
    else tell(given, option.name, undefined);
    return rest === "" && option.takes === "value";
  }
  return false;
}

function part(word: Word, text: string): Word {
  return { text, isKnown: word.isKnown, isGlob: word.isGlob };
}

function syntaxOf(spec: string): Syntax {
  const known = SYNTAXES.get(spec);
  if (known !== undefined) return known;
  const byName = new Map<string, Option>();
  for (const entry of spec.split(/\s+/)) {
    const takes: Takes = entry.endsWith("=") ? "value" : entry.endsWith("?") ? "maybe" : "nothing";
    const names = (takes === "nothing" ? entry : entry.slice(0, -1)).split("|");
    for (const name of names) if (name !== "") byName.set(name, { name: names[0] ?? name, takes });
  }
  const syntax = { byName, longNames: [...byName.keys()].filter((name) => name.length > 1) };
  SYNTAXES.set(spec, syntax);
  return syntax;
}

/** Specs are read when they are first needed: a call uses a few of hundreds. */
const SYNTAXES = new Map<string, Syntax>();
const DASH = 45;
