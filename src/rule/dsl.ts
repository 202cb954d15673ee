import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { comparisonProblem, fieldProblem, operatorList, targetProblem } from "./check.ts";
import { correctedCondition, correctedRule } from "./corrected.ts";
import { RuleSyntax, type Token, tokens } from "./dsl-tokens.ts";
import { operatorNamed, operatorWords } from "./operator-words.ts";
import type { ReadRules, WrittenRule } from "./read.ts";
import { ACTIONS, COUNT_PERIODS, type Condition, type CountPeriod, isAction, type Rule } from "./rule.ts";

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
      if (found.length >= MAX_PROBLEMS) break;
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

/** Reads a condition without a verdict, in one line or several, as the rule that denies where it holds. */
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
const MAX_PROBLEMS = 20;

const PROBLEMS = problems("rule", {
  syntax: ({ source, line, error }: { source: string; line: number; error: RuleSyntax }) => ({
    what: `Rules, line ${line}, column ${error.column}: ${shown(error.message)}.\n${pointed(source, error.column)}`,
    fix: meantRule(source) ?? error.fix ?? 'A rule reads: args.command contains "rm -rf" -> deny("too dangerous")',
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
    fix: meantCondition(source) ?? error.fix ?? 'A condition reads: args.command contains "rm -rf"',
  }),
  tooLong: ({ length }: { length: number }) => ({
    what: `The rules are ${length} characters long, and ${LONGEST} are the most.`,
    fix: "Spread them over several hooks.",
  }),
});

/** The line in our notation, where it is written in another one. */
function meantRule(source: string): string | undefined {
  const meant = correctedRule(source, (text) => isRead(() => readLine(text)));
  return meant === undefined ? undefined : `Write: ${meant}`;
}

function meantCondition(source: string): string | undefined {
  const meant = correctedCondition(source, (text) => isRead(() => readCondition(text)));
  return meant === undefined ? undefined : `Write: ${meant}`;
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof RuleSyntax)) throw error;
    return false;
  }
}

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

/** Reads one line: a rule, a comment, both, or nothing. Throws where it has to stop. */
function readLine(line: string): { readonly rule?: Rule | undefined; readonly comment?: string | undefined } {
  const reader = new Reader(tokens(line));
  const rule = reader.isAt("comment") || reader.isAt("end") ? undefined : reader.rule();
  const comment = reader.isAt("comment") ? reader.take().text.trimEnd() : undefined;
  if (!reader.isAt("end")) throw reader.unexpected("the end of the line", "Begin a new line for the next rule.");
  return { rule, comment };
}

/** Reads a condition without a verdict. Throws at the first mistake. */
function readCondition(text: string): Condition {
  const reader = new Reader(tokens(text));
  const condition = reader.condition();
  if (!reader.isAt("end")) throw reader.unexpected('"and", "or" or the end', "A condition has no verdict.");
  return condition;
}

/** Reads tokens from left to right; a method takes what it is named after. `not` binds before `and`, `and` before `or`. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  isAt(kind: Token["kind"], text?: string): boolean {
    const next = this.#next();
    return next.kind === kind && (text === undefined || next.text === text);
  }

  take(): Token {
    const token = this.#next();
    this.#at++;
    return token;
  }

  unexpected(wanted: string, fix?: string, token = this.#next()): RuleSyntax {
    const isOver = token.kind === "end" || token.kind === "comment";
    const found = isOver ? "the rule ends" : `there is ${token.text.slice(0, 40)}`;
    return new RuleSyntax(`${found} where ${wanted} is expected`, token.column, fix);
  }

  condition(): Condition {
    return this.#any();
  }

  rule(): Rule {
    const when = this.#any();
    if (!this.isAt("mark", "->")) throw this.unexpected('"->", "and" or "or"', ARROW);
    this.take();
    return { when, ...this.#action() };
  }

  #any(): Condition {
    const of = [this.#all()];
    while (this.#takes("word", "or")) of.push(this.#all());
    return of.length === 1 && of[0] ? of[0] : { kind: "any", of };
  }

  #all(): Condition {
    const of = [this.#one()];
    while (this.#takes("word", "and")) of.push(this.#one());
    return of.length === 1 && of[0] ? of[0] : { kind: "all", of };
  }

  #one(): Condition {
    return this.#deeper<Condition>(() => {
      if (this.#takes("word", "not")) return { kind: "not", of: this.#one() };
      if (this.isAt("word", "count") && this.#tokens[this.#at + 1]?.text === "(") return this.#count();
      if (!this.#takes("mark", "(")) return this.#comparison();
      const inner = this.#any();
      this.#mark(")", 'a closing ")"');
      return inner;
    });
  }

  #count(): Condition {
    this.take();
    this.#mark("(", '"(" after count');
    const of = this.#any();
    this.#mark(")", 'a closing ")"');
    if (!this.#takes("word", "per")) throw this.unexpected('"per"', COUNTED);
    const per = this.take();
    if (!Object.hasOwn(COUNT_PERIODS, per.text)) {
      const periods = Object.keys(COUNT_PERIODS);
      throw this.unexpected("a period", didYouMean(per.text, periods) || `Write one of ${periods.join(", ")}.`, per);
    }
    const word = this.take();
    const named = word.kind === "word" ? operatorNamed(word.text) : undefined;
    if (named === undefined || !COUNT_OPERATORS.has(named.name))
      throw this.unexpected("gt, lt or equals", COUNTED, word);
    const number = this.take();
    if (number.kind !== "number" || typeof number.value !== "number")
      throw this.unexpected("a number", "Write it in digits.", number);
    // One of the periods: it was just looked up.
    return { kind: "count", of, per: per.text as CountPeriod, operator: word.text, value: number.value };
  }

  #comparison(): Condition {
    const field = this.#field("a field such as args.command");
    const word = this.take();
    const named = word.kind === "word" ? operatorNamed(word.text) : undefined;
    if (named === undefined) throw this.unexpected("an operator", operatorHint(word), word);
    const at = this.#next();
    const value = named.row.takes === "nothing" ? undefined : this.#value();
    check(comparisonProblem(word.text, value)?.problem, at);
    return { kind: "compare", field, operator: word.text, value };
  }

  #field(wanted: string, problemOf = fieldProblem): string {
    const token = this.take();
    if (token.kind !== "word" && token.kind !== "text") throw this.unexpected(wanted, undefined, token);
    const field = String(token.value ?? token.text);
    check(problemOf(field), token);
    return field;
  }

  #action(): Omit<Rule, "when"> {
    const word = this.take();
    if (word.kind !== "word" || !isAction(word.text)) {
      const hint = didYouMean(word.text, ACTIONS) || `Write ${ACTIONS.map((action) => `${action}(…)`).join(", ")}.`;
      throw this.unexpected("an action", hint, word);
    }
    this.#mark("(", `"(" behind ${word.text}`);
    if (word.text === "modify") return this.#modification();
    const reason = this.isAt("text") ? String(this.take().value) : undefined;
    this.#mark(")", reason === undefined ? 'a reason in quotes, or ")",' : 'a closing ")"');
    return { action: word.text, reason: reason || undefined };
  }

  #modification(): Omit<Rule, "when"> {
    const field = this.#field("the field to change", targetProblem);
    this.#mark(",", '"," and the new value');
    const value = this.#value();
    let reason: string | undefined;
    if (this.#takes("mark", ",")) {
      if (!this.isAt("text")) throw this.unexpected("a reason in quotes");
      reason = String(this.take().value) || undefined;
    }
    this.#mark(")", 'a closing ")"');
    return { action: "modify", reason, modify: { field, value } };
  }

  #value(): unknown {
    return this.#deeper<unknown>(() => {
      const token = this.take();
      if (token.kind === "text" || token.kind === "number") return token.value;
      if (token.kind === "word" && CONSTANTS.has(token.text)) return CONSTANTS.get(token.text);
      if (token.kind === "mark" && token.text === "[") return this.#listed("]", () => this.#value());
      if (token.kind === "mark" && token.text === "{")
        return Object.fromEntries(this.#listed("}", () => this.#member()));
      const fix = token.kind === "word" ? `Put it in quotes: "${token.text}".` : VALUES;
      throw this.unexpected("a value", fix, token);
    });
  }

  #member(): [string, unknown] {
    if (!this.isAt("text")) throw this.unexpected("a name in quotes");
    const key = String(this.take().value);
    this.#mark(":", '":"');
    return [key, this.#value()];
  }

  #listed<Item>(end: string, item: () => Item): Item[] {
    const list: Item[] = [];
    while (!this.#takes("mark", end)) {
      list.push(item());
      if (!this.#takes("mark", ",") && !this.isAt("mark", end)) throw this.unexpected(`"," or "${end}"`);
    }
    return list;
  }

  #deeper<Read>(read: () => Read): Read {
    if (++this.#depth > DEEPEST)
      throw new RuleSyntax(`this is nested more than ${DEEPEST} deep`, this.#next().column, "Write several rules.");
    const result = read();
    this.#depth--;
    return result;
  }

  #next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] ?? END;
  }

  #takes(kind: Token["kind"], text: string): boolean {
    if (!this.isAt(kind, text)) return false;
    this.take();
    return true;
  }

  #mark(text: string, wanted: string): void {
    if (!this.#takes("mark", text))
      throw this.unexpected(wanted, wanted.startsWith("a closing") ? `Add "${text}" before it.` : undefined);
  }
}

function check(problem: Problem | undefined, { column }: Token): void {
  if (problem !== undefined) throw new RuleSyntax(problem.message.replace(/\.$/, ""), column, problem.fix);
}

function operatorHint({ text }: Token): string {
  return didYouMean(text, operatorWords()) || operatorList();
}

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const END: Token = { kind: "end", text: "", column: 1 };
const DEEPEST = 64;
const COUNT_OPERATORS: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte", "equals"]);
const COUNTED = 'Write count(call network "*") per session gt 5, for example.';
const ARROW = 'Write what to do: -> deny("why"), for example.';
const VALUES = 'Write a text in quotes, a number, true, false, null, or a list: ["a", "b"].';
