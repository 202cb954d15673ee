import type { Test } from "./glob.ts";
import { costsAtMost, isFound, type Nfa, nfaOf } from "./nfa.ts";

/** A regular expression that takes time proportional to the text; or why there is none, and what to write instead. */
type Regex = { readonly test: Test } | { readonly refused: string; readonly instead: string };

/** Compiles expressions; `test` finds a match anywhere in the text. */
export type CompileRegex = (pattern: string) => Regex;

/** Loads the engine, which only a rule with a regular expression pays for. */
export async function loadRegex(): Promise<CompileRegex> {
  const { RE2JS } = await import("re2js");
  return compileWith(RE2JS);
}

/** Compiles with an engine that is loaded already. */
export function compileWith(engine: Engine): CompileRegex {
  return (pattern) => {
    const known = compiled.get(pattern);
    if (known !== undefined) return known;
    const regex = whyRefused(pattern) ?? compile(engine, pattern);
    if (compiled.size >= MAX_KEPT) compiled.clear();
    compiled.set(pattern, regex);
    return regex;
  };
}

const compiled = new Map<string, Regex>();
const MAX_KEPT = 1000;

type Engine = typeof import("re2js")["RE2JS"];

function compile(engine: Engine, pattern: string): Regex {
  try {
    const regex = engine.compile(engine.translateRegExp(pattern));
    const size = regex.programSize();
    if (size > MAX_STEPS) return { refused: `comes to ${size} steps, and ${MAX_STEPS} are the most`, instead: SMALLER };
    const { prog, dfa, prefilter } = regex.re2();
    let nfa: Nfa | undefined;
    const prepared = () => (nfa ??= nfaOf(prog, dfa.classBounds));
    if (size > ALWAYS_QUICK && !costsAtMost(prepared(), MAX_COST))
      return { refused: "is too large to be quick on a long text", instead: SMALLER };
    const hasWords = wordsTest(prefilter);
    return {
      test: (text) => (text.length <= SHORT ? regex.test(text) : hasWords(text) && isFound(prepared(), text)),
    };
  } catch (error) {
    return explained(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The engine itself is quick on short texts. On long ones it can slow down a hundredfold, so that these have an
 * nfa of ours, in which a character has one price, whatever the text.
 */
const SHORT = 500;
const MAX_STEPS = 1000;
/** In nanoseconds for one character: 100 KB within 50 ms, with something to spare. */
const MAX_COST = 350;
/** So few steps cannot cost more. */
const ALWAYS_QUICK = 128;
const LONGEST = 1000;
const SMALLER = "Write a shorter one, with smaller counts in {…}, or several rules.";

/** What no engine can do in linear time, and what would take long to find out, is reported before compiling. */
function whyRefused(pattern: string): Regex | undefined {
  if (pattern.length > LONGEST)
    return { refused: `is ${pattern.length} characters long, and ${LONGEST} are the most`, instead: SMALLER };
  let isInClass = false;
  let repeated = 0;
  for (let at = 0; at < pattern.length; at++) {
    const rest = pattern.slice(at, at + LONGEST_SIGN);
    const sign = isInClass ? undefined : REFUSED.find(({ begins }) => begins.test(rest));
    if (sign !== undefined) return { refused: sign.what, instead: sign.instead };
    const [, least = 0, most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(rest) ?? [];
    repeated += isInClass ? 0 : Math.max(Number(least), Number(most));
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") isInClass = true;
    else if (pattern[at] === "]") isInClass = false;
  }
  return repeated > MAX_REPEATED ? { refused: "repeats too much", instead: SMALLER } : undefined;
}

const LONGEST_SIGN = 16;
const MAX_REPEATED = 1000;

const REFUSED = [
  {
    begins: /^\(\?[=!]/,
    what: "looks ahead with (?= or (?!, which cannot be done in linear time",
    instead: "Write two conditions: one `matches`, and one `not_matches` for what must not follow.",
  },
  {
    begins: /^\(\?<[=!]/,
    what: "looks behind with (?<= or (?<!, which cannot be done in linear time",
    instead: "Match the text before it as well; a rule only asks whether there is a match.",
  },
  {
    begins: /^(?:\\[1-9]|\\k<|\(\?P=)/,
    what: "refers back to a group, which cannot be done in linear time",
    instead: "Write out what the group may be.",
  },
] as const;

/** The engine's errors, translated to ours. */
function explained(message: string): Regex {
  const [fact, part] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(message)?.slice(1) ?? [message];
  const row = FACTS.find(([said]) => fact?.includes(said));
  const where = part ? ` at ${part.slice(0, 40)}` : "";
  return row
    ? { refused: `${row[1]}${where}`, instead: row[2] }
    : { refused: `cannot be read${where}`, instead: "Look it up: it has to be written in the syntax of RE2." };
}

const FACTS: readonly (readonly [said: string, what: string, instead: string])[] = [
  ["missing closing )", 'has a "(" without its ")"', "Close it, or write \\( for the character."],
  ["missing closing ]", 'has a "[" without its "]"', "Close it, or write \\[ for the character."],
  ["unexpected )", 'has a ")" without its "("', "Remove it, or write \\) for the character."],
  ["missing argument", "repeats nothing", "Put something before the *, + or ?; write \\* for the character."],
  ["nested repetition", "repeats a repetition", "Put the inner one into (?:…)."],
  ["repeat count", "has a repeat count that is not a number, or over 1000", SMALLER],
  ["trailing backslash", "ends in a backslash", "Write \\\\ for the character."],
  ["escape sequence", "has an escape that means nothing", "Remove the backslash, or double it."],
  ["class range", "has a class that means nothing", "Ranges go from low to high: [a-z]; scripts are \\p{Greek}."],
  ["nests too deeply", "is nested too deep", SMALLER],
  ["too large", "is too large", SMALLER],
];

/** What a text must hold for an expression to match, as re2js works it out; none when it is any text. */
interface MustHold {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly MustHold[];
}

/** Looks for these literals before anything is matched: most texts do not contain any of them. */
function wordsTest(filter: MustHold | null): (text: string) => boolean {
  return filter === null || wordsIn(filter) > FEW ? () => true : (text) => holds(filter, text);
}

function wordsIn({ type, subs }: MustHold): number {
  return subs.reduce((sum, sub) => sum + wordsIn(sub), type === TYPE.word ? 1 : 0);
}

function holds({ type, str, subs }: MustHold, text: string): boolean {
  if (type === TYPE.word) return text.includes(str);
  if (type === TYPE.all) return subs.every((sub) => holds(sub, text));
  return type === TYPE.any ? subs.some((sub) => holds(sub, text)) : true;
}

/** How re2js numbers them. */
const TYPE = { word: 1, all: 2, any: 3 } as const;
const FEW = 8;
