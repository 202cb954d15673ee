/**
 * The patterns that `{a,b}` stands for: `src/{a,b}.ts` is `src/a.ts` and `src/b.ts`. Braces without a comma stand for
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

/** The first braces that have a comma of their own; what stands in brackets is no brace. */
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

/** Where a brace opens, where its own commas stand, and where it closes; nothing where it does not. */
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
