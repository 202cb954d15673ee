/** Says whether a text fits; compiled once, asked often. */
export type Test = (text: string) => boolean;

/**
 * Compiles `*`, `?`, `[seq]`, `[!seq]` and `{a,b}` into a test that takes time proportional to the text.
 * A wildcard never matches `barrier`, so that `*` stays inside one part of a pattern.
 */
export function compileGlob(pattern: string, barrier = ""): Test {
  const [only = pattern, ...others] = expandBraces(pattern);
  if (others.length === 0) return compilePlain(only, barrier);
  const tests = [only, ...others].map((one) => compilePlain(one, barrier));
  return (text) => tests.some((test) => test(text));
}

function compilePlain(pattern: string, barrier: string): Test {
  const steps = parse(pattern);
  if (steps.every((step) => step.kind === "char")) return (text) => text === pattern;
  return (text) => fits(steps, text, barrier);
}

type Step =
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "set"; readonly has: (char: string) => boolean };

function parse(pattern: string): Step[] {
  const chars = Array.from(pattern);
  const steps: Step[] = [];
  for (let index = 0; index < chars.length; index++) {
    const char = chars[index] ?? "";
    if (char === "*") steps.push({ kind: "any" });
    else if (char === "?") steps.push({ kind: "one" });
    else if (char === "[") {
      const set = readSet(chars, index);
      if (set === undefined) steps.push({ kind: "char", char });
      else {
        steps.push({ kind: "set", has: set.has });
        index = set.end;
      }
    } else steps.push({ kind: "char", char });
  }
  return steps;
}

/** Reads `[abc]`, `[a-z]`, `[!x]`; an unclosed bracket is an ordinary character. */
function readSet(chars: readonly string[], start: number): { has: (char: string) => boolean; end: number } | undefined {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const end = chars.indexOf("]", first + 1);
  if (end === -1) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let index = first; index < end; index++) {
    const low = chars[index] ?? "";
    if (chars[index + 1] === "-" && index + 2 < end) {
      ranges.push([low, chars[index + 2] ?? ""]);
      index += 2;
    } else ranges.push([low, low]);
  }
  const inside = (char: string) => ranges.some(([low, high]) => low <= char && char <= high);
  return { has: negated ? (char) => !inside(char) : inside, end };
}

/** Greedy matching that remembers only the last `*`: linear in practice, quadratic at worst, never exponential. */
function fits(steps: readonly Step[], text: string, barrier: string): boolean {
  const chars = Array.from(text);
  let step = 0;
  let char = 0;
  let star = -1;
  let starChar = 0;
  while (char < chars.length) {
    const current = chars[char] ?? "";
    const wanted = steps[step];
    if (wanted?.kind === "any") {
      star = step++;
      starChar = char;
    } else if (wanted !== undefined && accepts(wanted, current, barrier)) {
      step++;
      char++;
    } else if (star !== -1 && chars[starChar] !== barrier) {
      step = star + 1;
      char = ++starChar;
    } else return false;
  }
  while (steps[step]?.kind === "any") step++;
  return step === steps.length;
}

function accepts(step: Step, char: string, barrier: string): boolean {
  switch (step.kind) {
    case "any":
      return false;
    case "char":
      return step.char === char;
    case "one":
      return char !== barrier;
    case "set":
      return char !== barrier && step.has(char);
  }
}

/**
 * The patterns of `{a,b}`: `src/{a,b}.ts` is `src/a.ts` and `src/b.ts`. Braces without a comma mean
 * themselves, and so does a pattern that would become too many.
 */
export function expandBraces(pattern: string): readonly string[] {
  if (!pattern.includes("{") || pattern.length > LONGEST) return [pattern];
  const found: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (group === undefined) found.push(next);
    else for (const choice of group.choices.toReversed()) waiting.push(group.before + choice + group.after);
    if (found.length + waiting.length > MOST) return [pattern];
  }
  return found;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first braces that have a comma of their own; a brace inside brackets is an ordinary character. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === "[") start = closing(pattern, start);
    const cuts = pattern[start] === "{" ? cutsOf(pattern, start) : undefined;
    if (cuts === undefined || cuts.length < 3) continue;
    const choices = cuts.slice(1).map((cut, index) => pattern.slice((cuts[index] ?? 0) + 1, cut));
    return { before: pattern.slice(0, start), choices, after: pattern.slice((cuts.at(-1) ?? 0) + 1) };
  }
  return undefined;
}

/** Where a brace opens, where its own commas are, and where it closes; undefined if it does not close. */
function cutsOf(pattern: string, start: number): number[] | undefined {
  const cuts = [start];
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "[") at = closing(pattern, at);
    else if (sign === "{") depth++;
    else if (sign === "," && depth === 1) cuts.push(at);
    else if (sign === "}" && --depth === 0) return [...cuts, at];
  }
  return undefined;
}

/** The end of a set in brackets; the bracket itself where it is never closed. */
function closing(pattern: string, start: number): number {
  const first = /^[!^]/.test(pattern.slice(start + 1)) ? start + 3 : start + 2;
  const end = pattern.indexOf("]", first);
  return end === -1 ? start : end;
}

const MOST = 500;
const LONGEST = 4096;
