import { FIELD_SPELLINGS } from "../event/field.ts";
import { alternatives } from "../event/pattern.ts";
import type { Hook } from "../hook/hook.ts";
import { type PatternKind, unknownSign } from "../pattern/unknown-signs.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { callFieldNamed, isCommandField, isPathInInput } from "./call-fields.ts";
import { asNumber } from "./compare.ts";
import { contradictionIn, neverInHook } from "./contradiction.ts";
import { CORE_FIELDS } from "./field.ts";
import { implies } from "./implies.ts";
import { placedIn, type RuleFinding, unknownName, unknownNames } from "./names.ts";
import { type NamedOperator, operatorNamed } from "./operator-words.ts";
import type { Operator } from "./operators.ts";
import { deadPath, type PathView, type ProjectPlace } from "./path-shape.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import { SESSION_MINUTES } from "./recent.ts";
import { type Comparison, ownComparisonsIn, type Rule } from "./rule.ts";
import { ruleText } from "./text.ts";

/** What in a rule can be read and does not mean what is written: it could never match, or always would. */
export function lintRule(written: WrittenRule, place: ProjectPlace): Problem[] {
  const names = unknownNames(written);
  const found = ownComparisonsIn(written.rule.when)
    .filter((comparison) => unknownName(comparison).length === 0)
    .flatMap((comparison) => lintComparison(comparison, place));
  const parts = [...names, ...placedIn(written, found)];
  const contradiction = parts.length > 0 ? undefined : contradictionIn(written.rule.when);
  return contradiction === undefined ? parts : placedIn(written, [contradiction]);
}

/** Rules that can never decide in their hook: its events do not have what they ask about, or change nothing. */
export function lintInHook(written: WrittenRule, hook: Pick<Hook, "eventPattern" | "toolsFor">): Problem[] {
  const found = neverInHook(written.rule, hook);
  return found === undefined ? [] : placedIn(written, [found]);
}

/** Rules after a wider one of the same hook, which decides before them; and whether that one decides the same. */
export function lintOrder(
  written: readonly WrittenRule[],
  isAlways: (rule: Rule) => boolean = () => false,
): { readonly problem: Problem; readonly isSame: boolean }[] {
  return written.flatMap((one, index) => {
    const { rule, path, label, line } = one;
    const first = written
      .slice(0, index)
      .find((earlier) => isAlways(earlier.rule) || implies(rule.when, earlier.rule.when));
    if (first === undefined) return [];
    const problem = PROBLEMS.neverReached({ first: ruleText(first.rule) });
    const isSame = first.rule.action === rule.action;
    return [{ problem: problemOf(label, problem, line === undefined ? path : [...path, line, 1]), isSame }];
  });
}

/** The same of what a hook matches: the patterns of its event and of its matcher. */
export function lintMatcher({ name, eventPattern, matcher = {} }: Hook, place: ProjectPlace): Problem[] {
  const label = `hook "${name}"`;
  const entries = Object.entries(MATCHED).flatMap(([key, kind]) =>
    patternsIn(matcher, key).map(([spelled, index, text]) => ({ text, kind, path: ["matcher", spelled, index] })),
  );
  const tools =
    matcher.events === undefined ? alternatives(eventPattern).map((one) => one.split(":").at(-1) ?? "") : [];
  return [...entries, ...tools.map((text) => ({ text, kind: "tools" as const, path: ["event"] }))].flatMap(
    ({ text, kind, path }) => {
      const found = kind === "files" ? pathPatternProblem(text, place) : patternProblem(text, kind);
      return found === undefined ? [] : [problemOf(label, found, path)];
    },
  );
}

/** What the patterns of a matcher are compared with. */
const MATCHED = {
  tools: "tools",
  path_patterns: "files",
  command_patterns: "texts",
  model_patterns: "texts",
} as const satisfies Record<string, PatternKind>;

function patternsIn(matcher: object, key: string): [key: string, index: number, text: string][] {
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.entries(matcher).flatMap(([spelled, list]) =>
    (spelled === key || spelled === camel) && Array.isArray(list)
      ? list.flatMap((text: unknown, index): [string, number, string][] =>
          typeof text === "string" ? [[spelled, index, text]] : [],
        )
      : [],
  );
}

function lintComparison({ field, operator, value }: Comparison, place: ProjectPlace): RuleFinding[] {
  const named = operatorNamed(operator);
  if (named === undefined) return [];
  const senseless = senselessPair(field, operator, named);
  if (senseless !== undefined) return [{ on: "operator", text: operator, problem: senseless }];
  const dead = deadValue(field, named.name, value);
  if (dead !== undefined) return [{ on: "value", text: literal(value), problem: dead }];
  return texts(value).flatMap((text): RuleFinding[] => {
    const kind = kindOf(field, named);
    const problem =
      (kind !== undefined && text.trim() === "" ? PROBLEMS.emptyPattern({ operator }) : undefined) ??
      patternProblem(text, kind) ??
      pathProblem(text, field, named, place) ??
      starProblem(text, field, operator, named.name);
    return problem === undefined ? [] : [{ on: "value", text, problem }];
  });
}

/** A `*` in a value that is compared as it is, where no value has one. */
function starProblem(text: string, field: string, operator: string, name: string): Problem | undefined {
  if (!EXACT.has(name) || !text.includes("*")) return undefined;
  if (isToolField(field)) return PROBLEMS.noStar({ text, operator });
  const isNamed =
    NAMED_THINGS.has(field) || isCommandField(field) || /^(?:args|tool_args|tool_input)\.(?:url|host)$/.test(field);
  // `rm -rf *` is also what a person types, so that a part of a command may have a star.
  const isPart = name === "contains" && !/^\*.*\*$/s.test(text);
  return isNamed && !isPart && text !== "*" ? PROBLEMS.literalStar({ text, operator, field }) : undefined;
}

const NAMED_THINGS: ReadonlySet<string> = new Set(["agent", "event", "type", "model", "llm_model", "branch", "cwd"]);

function isToolField(field: string): boolean {
  return field === "tool" || field === "tool_name";
}

const EXACT: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains"]);

function patternProblem(text: string, kind: PatternKind | undefined): Problem | undefined {
  const found = kind && unknownSign(text, kind);
  return found && PROBLEMS.unknownPattern({ pattern: text, ...found });
}

function pathPatternProblem(text: string, place: ProjectPlace): Problem | undefined {
  const dead = deadPath(text, { view: "pattern", operator: "glob" }, place);
  return patternProblem(text, "files") ?? (dead && PROBLEMS.deadPath({ path: text, ...dead }));
}

function kindOf(field: string, { name, row }: NamedOperator): PatternKind | undefined {
  if (row.patterns !== undefined) return row.patterns === "branches" ? "texts" : row.patterns;
  if (name !== "glob") return undefined;
  return callFieldNamed(field)?.holds === "paths" ? "files" : "texts";
}

function pathProblem(text: string, field: string, { name, row }: NamedOperator, place: ProjectPlace) {
  const view = viewOf(field, row.patterns);
  if (view === undefined || name === "matches") return undefined;
  // A folder can be deleted as a whole.
  const word = view !== "pattern" ? name : name.endsWith("deletes") ? "deletes" : "glob";
  const dead = deadPath(text, { view, operator: word }, place);
  return dead && PROBLEMS.deadPath({ path: text, ...dead });
}

function viewOf(field: string, patterns: Operator["patterns"]): PathView | undefined {
  if (patterns !== undefined) return patterns === "files" ? "pattern" : undefined;
  // The input's own key also has its value as it is written, which may be anything.
  if (callFieldNamed(field)?.holds !== "paths" || isPathInInput(field)) return undefined;
  return field === "path_absolute" ? "absolute" : "path";
}

/** An operator that asks for something else than the field holds. */
function senselessPair(field: string, operator: string, { name, row }: NamedOperator): Problem | undefined {
  const { holds } = callFieldNamed(field) ?? {};
  if (row.onAct !== undefined) {
    const isNoLine = holds === "paths" || holds === "text" || (!isCommandField(field) && holdsNoLine(field));
    return isNoLine ? PROBLEMS.noLine({ field, operator }) : undefined;
  }
  if (name === "exists") return undefined;
  if (row.onRepository !== undefined) {
    const fits = name === "dirty" ? holds === "repository" : holds === "paths";
    return fits
      ? undefined
      : PROBLEMS.noGitFact({ field, operator, meant: name === "dirty" ? "repo dirty" : `path ${name}` });
  }
  if (holds === "repository") return PROBLEMS.noGitFact({ field, operator, meant: "repo dirty" });
  if (holds === "act") return PROBLEMS.noText({ operator });
  if (isNumberField(field) && TEXT_OPERATORS.has(name)) return PROBLEMS.noNumber({ field, operator });
  const isText = holds !== undefined || (CORE_FIELDS.includes(field) && field !== "timestamp" && field !== "data");
  return isText && NUMBER_OPERATORS.has(name) ? PROBLEMS.noCount({ field, operator }) : undefined;
}

/** The whole input or result of a tool, and what in them is known to be something else than a command line. */
function holdsNoLine(field: string): boolean {
  const [first = "", ...rest] = field.split(".");
  const isInput = FIELD_SPELLINGS.tool_args.some((name) => name === first);
  if (isInput) return rest.length === 0 || (rest.length === 1 && NO_LINE_KEYS.has(rest[0] ?? ""));
  return NO_LINES.has(first) || FIELD_SPELLINGS.tool_result.some((name) => name === first);
}

const NO_LINE_KEYS: ReadonlySet<string> = new Set(
  "content contents new_string old_string url query pattern description timeout filename notebook_path".split(" "),
);
const NO_LINES: ReadonlySet<string> = new Set([...CORE_FIELDS, "recent"].filter((name) => name !== "data"));
const TEXT_OPERATORS: ReadonlySet<string> = new Set(["contains", "glob", "matches", "starts_with", "ends_with"]);
const NUMBER_OPERATORS: ReadonlySet<string> = new Set(["gt", "lt", "gte", "lte"]);

function isNumberField(field: string): boolean {
  return field === "timestamp" || field === SESSION_MINUTES || field.startsWith("recent.");
}

/** A value that the field can never have, or a list without a value. */
function deadValue(field: string, name: string, value: unknown): Problem | undefined {
  if (name === "in" && Array.isArray(value) && value.length === 0) return PROBLEMS.emptyList({ field });
  if (name === "matches" && typeof value === "string" && isDeadRegex(value))
    return PROBLEMS.deadRegex({ pattern: value });
  if (!isNumberField(field)) return undefined;
  const numbers = [value].flat().map(asNumber);
  if (numbers.some((number) => !Number.isFinite(number)))
    return PROBLEMS.noNumberValue({ field, value: literal(value) });
  const isBelow = numbers.every((number) => (name === "lt" ? number <= 0 : number < 0));
  return isBelow && BELOW.has(name) ? PROBLEMS.belowZero({ field, value: literal(value) }) : undefined;
}

const BELOW: ReadonlySet<string> = new Set(["lt", "lte", "equals", "in"]);

/** An expression that wants something before the beginning of the text, or after its end. */
function isDeadRegex(pattern: string): boolean {
  if (/\(\?[a-z]*m/.test(pattern)) return false;
  const plain = pattern.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  return /[\w ]\^|\$[\w ]/.test(plain.replaceAll(/[\w ][*?]|[\w ]\{0[^}]*\}/g, ""));
}

function literal(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

const PROBLEMS = problems("rule", {
  noGitFact: ({ field, operator, meant }: { field: string; operator: string; meant: string }) => ({
    what: `\`${operator}\` cannot be asked of ${field}; the rule never matches.`,
    fix: `Write \`${meant}\`.`,
  }),
  neverReached: ({ first }: { first: string }) => ({
    what: `this rule is never reached: where it matches, \`${first}\` has decided before it.`,
    fix: "Put the narrower rule first, or remove it.",
  }),
  unknownPattern: ({ pattern, what, fix }: { pattern: string; what: string; fix: string }) => ({
    what: `the pattern "${pattern}" ${what}; patterns know *, **, ?, […] and {a,b}.`,
    fix,
  }),
  emptyPattern: ({ operator }: { operator: string }) => ({
    what: `\`${operator}\` has an empty pattern, and nothing fits it.`,
    fix: "Write what it should fit, such as `*`.",
  }),
  deadPath: ({ path, what, fix }: { path: string; what: string; fix: string }) => ({
    what: `"${path}" ${what}; no file of a call would ever fit it.`,
    fix,
  }),
  noStar: ({ text, operator }: { text: string; operator: string }) => ({
    what: `\`${operator}\` takes the \`*\` of "${text}" as it is, and no tool has one in its name.`,
    fix: `Write \`tool glob "${text}"\`.`,
  }),
  literalStar: ({ text, operator, field }: { text: string; operator: string; field: string }) => ({
    what: `\`${operator}\` takes the \`*\` of "${text}" as it is; it is a sign of patterns only in \`glob\`.`,
    fix: `Write \`${field} glob "${text}"\`; for the character itself write [*] there.`,
  }),
  emptyList: ({ field }: { field: string }) => ({
    what: `${field} is compared with an empty list, and is never in it.`,
    fix: 'Write the values: ["a", "b"].',
  }),
  deadRegex: ({ pattern }: { pattern: string }) => ({
    what: `the regular expression "${pattern}" wants text before its ^ or after its $, and there is none.`,
    fix: "Put ^ first and $ last, or write \\^ and \\$ for the characters.",
  }),
  noNumberValue: ({ field, value }: { field: string; value: string }) => ({
    what: `${field} is a number, and is compared with ${value}.`,
    fix: `Write \`${field} gte 3\`, for example.`,
  }),
  belowZero: ({ field, value }: { field: string; value: string }) => ({
    what: `${field} is never below zero, so the comparison with ${value} never holds.`,
    fix: `Write \`${field} gte 3\`, for example.`,
  }),
  noLine: ({ field, operator }: { field: string; operator: string }) => ({
    what: `\`${operator}\` asks what a call does, and ${field} holds no command line.`,
    fix: `Write \`call ${operator} …\`.`,
  }),
  noText: ({ operator }: { operator: string }) => ({
    what: `\`call\` is what a call does, and \`${operator}\` compares text.`,
    fix: `Write \`call runs "git push"\` or \`call writes "src/**"\`; for the text of a command, \`args.command ${operator} …\`.`,
  }),
  noNumber: ({ field, operator }: { field: string; operator: string }) => ({
    what: `${field} is a number, and \`${operator}\` compares text.`,
    fix: `Write \`${field} gte 3\`, for example.`,
  }),
  noCount: ({ field, operator }: { field: string; operator: string }) => ({
    what: `${field} is text, and \`${operator}\` compares numbers.`,
    fix: `Write \`${field} equals …\` or \`${field} glob …\`.`,
  }),
});
