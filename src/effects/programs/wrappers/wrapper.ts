import type { Doubt, Word } from "../../parse/command.ts";
import type { Stdin } from "../../parse/run/reader.ts";
import type { Shell } from "../../parse/shell-state.ts";
import type { Field } from "../../parse/value.ts";

/** Languages other than the shell's in which a command line can carry code. */
export type Language =
  | "python"
  | "javascript"
  | "perl"
  | "ruby"
  | "php"
  | "lua"
  | "r"
  | "julia"
  | "groovy"
  | "tcl"
  | "compiled"
  | "awk"
  | "sed"
  | "make";

/** A program that is called, with what it could run. */
export interface Call {
  readonly name: string;
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
  readonly assignments: Readonly<Record<string, Word>>;
  /** What a program asks for by name: `npm run name`. */
  readonly task: (runner: string, name: string) => string | undefined;
  /** A small file that decides what is run. */
  readonly file: (path: Word) => string | undefined;
}

/** Something that a program runs because of how it is called; `via` is how people would call that. */
export type Inner =
  | {
      readonly runs: "words";
      readonly words: readonly Field[];
      readonly via: string;
      readonly assignments?: Readonly<Record<string, Word>>;
      readonly folder?: Word;
      /** Only programs, no functions of this shell. */
      readonly isProgram?: boolean;
      /** The input of the program around it is used up. */
      readonly hasNoInput?: boolean;
    }
  /** `isHere`: in this very shell, as `eval` does. */
  | {
      readonly runs: "shell";
      readonly text: Word;
      readonly via: string;
      readonly args?: readonly Field[];
      /** `$0`. */
      readonly zero?: Field | undefined;
      readonly isHere?: boolean;
    }
  | {
      readonly runs: "file";
      readonly path: Word;
      readonly via: string;
      readonly args?: readonly Field[];
      readonly isHere?: boolean;
      readonly language?: Language;
    }
  | { readonly runs: "input"; readonly via: string; readonly args?: readonly Field[]; readonly language?: Language }
  | { readonly runs: "code"; readonly language: Language; readonly text: Word; readonly via: string }
  | {
      readonly runs: "write";
      readonly path: Word;
      readonly way: "write" | "append" | "read";
      readonly via: string;
      /** Nothing is written into it: what it held is gone. */
      readonly isEmptied?: boolean;
    }
  | { readonly runs: "doubt"; readonly why: Doubt["why"]; readonly what: string };

/** What a program runs; each example is a line and a command that must be found in it. */
export interface Wrapper {
  readonly unwrap: (call: Call) => readonly Inner[];
  readonly examples: readonly (readonly [line: string, runs: string])[];
}

/** The options of a call: those with values, what follows them, and where they end. */
export interface Options {
  /** The value of an option, by any of its names. */
  readonly value: (...names: readonly string[]) => Field | undefined;
  readonly values: (...names: readonly string[]) => readonly Field[];
  readonly has: (...names: readonly string[]) => boolean;
  readonly operands: readonly Field[];
}

/** Reads options up to the first operand; `valued` are those that take a value. */
export function optionsOf(args: readonly Field[], valued: readonly string[], isMixed = false): Options {
  const found: (readonly [string, Field | undefined])[] = [];
  const operands: Field[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    const { text } = arg;
    if (text === "--") {
      at++;
      break;
    }
    if (text.length < 2 || text.charCodeAt(0) !== DASH) {
      if (!isMixed) break;
      operands.push(arg);
    } else if (valued.includes(text)) found.push([text, args[++at]]);
    else if (
      text.startsWith("--") ||
      valued.some((name) => name.length > 2 && name[1] !== "-" && text.startsWith(name))
    )
      found.push(long(arg, valued));
    else at += cluster(arg, args[at + 1], valued, found);
  }
  for (; at < args.length; at++) operands.push(args[at] as Field);
  return {
    value: (...names) => found.findLast(([name]) => names.includes(name))?.[1],
    values: (...names) =>
      found.length === 0 ? [] : found.flatMap(([name, value]) => (names.includes(name) && value ? [value] : [])),
    has: (...names) => found.some(([name]) => names.includes(name)),
    operands,
  };
}

function long(arg: Field, valued: readonly string[]): readonly [string, Field | undefined] {
  const equals = arg.text.indexOf("=");
  if (equals > 0) return [arg.text.slice(0, equals), { ...arg, text: arg.text.slice(equals + 1) }];
  const attached = valued.find((name) => name.length > 2 && name[1] !== "-" && arg.text.startsWith(name));
  return attached ? [attached, { ...arg, text: arg.text.slice(attached.length) }] : [arg.text, undefined];
}

/** `-xvf file`, `-n5`; says how many more words it took. */
function cluster(
  arg: Field,
  next: Field | undefined,
  valued: readonly string[],
  found: (readonly [string, Field | undefined])[],
): number {
  for (let at = 1; at < arg.text.length; at++) {
    const name = `-${arg.text[at]}`;
    if (!valued.includes(name)) found.push([name, undefined]);
    else if (at < arg.text.length - 1) {
      found.push([name, { ...arg, text: arg.text.slice(at + 1) }]);
      return 0;
    } else {
      found.push([name, next]);
      return 1;
    }
  }
  return 0;
}

const DASH = 45;
