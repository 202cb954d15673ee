import { type Problem, problems } from "../problem/problem.ts";
import { readCondition, readLine } from "./dsl-line.ts";
import { RuleSyntax } from "./dsl-tokens.ts";
import type { ReadRules, WrittenRule } from "./read.ts";
import type { Rule } from "./rule.ts";

/** One line of rules as written: a rule, a comment, both, or nothing. */
export interface RuleLine {
  readonly rule?: Rule | undefined;
  readonly comment?: string | undefined;
  /** Counted from 1. */
  readonly line: number;
  readonly source: string;
}

/** What was made of a text of rules: every line that can be read, and a problem for every other. */
export interface ReadLines {
  readonly lines: readonly RuleLine[];
  readonly problems: readonly Problem[];
}

/** Reads rules in the rule language, one a line; a problem says line and column and points at the place. */
export function readDsl(text: string): ReadLines {
  if (text.length > LONGEST) return { lines: [], problems: [PROBLEMS.tooLong({ length: text.length }, AT)] };
  const lines: RuleLine[] = [];
  const found: Problem[] = [];
  for (const [index, source] of text.split("\n").entries()) {
    try {
      lines.push({ ...readLine(source), line: index + 1, source });
    } catch (error) {
      if (!(error instanceof RuleSyntax)) throw error;
      found.push(PROBLEMS.syntax({ source, line: index + 1, error }, { path: [...AT.path, index + 1, error.column] }));
      if (found.length >= MOST_PROBLEMS) break;
    }
  }
  return { lines, problems: found };
}

/** The rules alone, with where they stand. */
export function rulesIn(lines: readonly RuleLine[]): WrittenRule[] {
  return lines.flatMap(({ rule, line, source }) =>
    rule ? [{ rule, ...AT, label: `Rules, line ${line}`, line, source }] : [],
  );
}

/** Reads a condition that stands alone, in one line or several, as the rule that denies where it holds. */
export function readConditionText(text: string): Pick<ReadRules, "written" | "problems"> {
  try {
    const rule: Rule = { when: readCondition(text.replaceAll("\n", " ")), action: "deny", reason: undefined };
    return { written: [{ rule, path: ["if"], label: "The condition" }], problems: [] };
  } catch (error) {
    if (!(error instanceof RuleSyntax)) throw error;
    const before = text.slice(0, error.column - 1).split("\n");
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
    const source = text.split("\n")[line - 1] ?? "";
    return {
      written: [],
      problems: [PROBLEMS.condition({ source, line, column, error }, { path: ["if", line, column] })],
    };
  }
}

const AT = { path: ["rules"] } as const;
const LONGEST = 256 * 1024;
const MOST_PROBLEMS = 20;

const PROBLEMS = problems("rule", {
  syntax: ({ source, line, error }: { source: string; line: number; error: RuleSyntax }) => ({
    what: `Rules, line ${line}, column ${error.column}: ${shown(error.message)}.\n${pointed(source, error.column)}`,
    fix: error.fix ?? 'A rule reads: args.command contains "rm -rf" -> deny("too dangerous")',
  }),
  condition: ({
    source,
    line,
    column,
    error,
  }: {
    source: string;
    line: number;
    column: number;
    error: RuleSyntax;
  }) => ({
    what: `The condition, line ${line}, column ${column}: ${shown(error.message)}.\n${pointed(source, column)}`,
    fix: error.fix ?? 'A condition reads: args.command contains "rm -rf"',
  }),
  tooLong: ({ length }: { length: number }) => ({
    what: `The rules are ${length} characters long, and ${LONGEST} are the most.`,
    fix: "Spread them over several hooks.",
  }),
});

/** The line, or the part of it that matters, with a caret below. */
function pointed(source: string, column: number): string {
  const start = Math.max(0, column - 1 - AROUND);
  const part = source.slice(start, column - 1 + AROUND).trimEnd();
  const before = `${start > 0 ? "…" : ""}${source.slice(start, column - 1)}`;
  return `    ${start > 0 ? "…" : ""}${shown(part)}\n    ${before.replaceAll(/[^\t]/g, " ")}^`;
}

const AROUND = 80;

/** What a terminal would obey instead of showing becomes a blank. */
function shown(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, " ");
}
