import { alternatives } from "../event/pattern.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { type PatternKind, unknownSign } from "../pattern/unknown-signs.ts";
import { callFieldNamed, isCommandField, isPathInInput } from "./call-fields.ts";
import { CORE_FIELDS } from "./field.ts";
import { meantField, meantTarget } from "./known-fields.ts";
import { type NamedOperator, operatorNamed } from "./operator-words.ts";
import { deadPath, type PathView, type ProjectPlace } from "./path-shape.ts";
import { problemOf, type WrittenRule } from "./read.ts";
import { SESSION_MINUTES } from "./recent.ts";
import { type Comparison, comparisonsIn } from "./rule.ts";

/** What in a rule can be read and does not mean what it says: it could never match, or always would. */
export function lintRule({ rule, path, label, line, source = "" }: WrittenRule, place: ProjectPlace): Problem[] {
  const { modify } = rule;
  const target = modify && misnamed(modify.field, meantTarget);
  const found: Found[] = [
    ...comparisonsIn(rule.when).flatMap((comparison) => lintComparison(comparison, place)),
    ...(target === undefined ? [] : [{ on: "modify_field" as const, text: modify?.field ?? "", problem: target }]),
  ];
  return found.map(({ on, text, problem }) => {
    const column = Math.max(source.indexOf(text), 0) + 1;
    return problemOf(label, problem, line === undefined ? [...path, on] : [...path, line, column]);
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

interface Found {
  /** The key of a rule in a list. */
  readonly on: "field" | "operator" | "value" | "modify_field";
  /** What it is about, as it is written in a line. */
  readonly text: string;
  readonly problem: Problem;
}

function lintComparison(comparison: Comparison, place: ProjectPlace): Found[] {
  const { field, operator, value } = comparison;
  const named = operatorNamed(operator);
  if (named === undefined) return [];
  const wrongField = misnamed(field);
  if (wrongField !== undefined) return [{ on: "field", text: field, problem: wrongField }];
  const senseless = senselessPair(field, operator, named);
  if (senseless !== undefined) return [{ on: "operator", text: operator, problem: senseless }];
  return texts(value).flatMap((text): Found[] => {
    const problem =
      patternProblem(text, kindOf(field, named)) ??
      pathProblem(text, field, named, place) ??
      (isToolField(field) && EXACT.has(named.name) && text.includes("*")
        ? PROBLEMS.noStar({ text, operator })
        : undefined);
    return problem === undefined ? [] : [{ on: "value", text, problem }];
  });
}

function isToolField(field: string): boolean {
  return field === "tool" || field === "tool_name";
}

const EXACT: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains"]);

function misnamed(field: string, meantBy = meantField): Problem | undefined {
  const meant = meantBy(field);
  return meant === undefined ? undefined : PROBLEMS.nearField({ field, meant });
}

function patternProblem(text: string, kind: PatternKind | undefined): Problem | undefined {
  const found = kind && unknownSign(text, kind);
  return found && PROBLEMS.unknownPattern({ pattern: text, ...found });
}

function pathPatternProblem(text: string, place: ProjectPlace): Problem | undefined {
  const dead = deadPath(text, { view: "pattern", operator: "glob" }, place);
  return patternProblem(text, "files") ?? (dead && PROBLEMS.deadPath({ path: text, ...dead }));
}

function kindOf(field: string, { name, row }: NamedOperator): PatternKind | undefined {
  if (row.patterns !== undefined) return row.patterns;
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

function viewOf(field: string, patterns: PatternKind | undefined): PathView | undefined {
  if (patterns !== undefined) return patterns === "files" ? "pattern" : undefined;
  // The input's own key also has its value as it is written, which may be anything.
  if (callFieldNamed(field)?.holds !== "paths" || isPathInInput(field)) return undefined;
  return field === "path_absolute" ? "absolute" : "path";
}

/** An operator that says nothing about what the field holds. */
function senselessPair(field: string, operator: string, { name, row }: NamedOperator): Problem | undefined {
  const { holds } = callFieldNamed(field) ?? {};
  if (row.onAct !== undefined) {
    const [first = ""] = field.split(".");
    const isNoLine = holds === "paths" || holds === "text" || (!isCommandField(field) && NO_LINES.has(first));
    return isNoLine ? PROBLEMS.noLine({ field, operator }) : undefined;
  }
  if (name === "exists") return undefined;
  if (holds === "act") return PROBLEMS.noText({ operator });
  const isNumber = field === "timestamp" || field === SESSION_MINUTES || field.startsWith("recent.");
  if (isNumber && TEXT_OPERATORS.has(name)) return PROBLEMS.noNumber({ field, operator });
  const isText = holds !== undefined || (CORE_FIELDS.includes(field) && field !== "timestamp" && field !== "data");
  return isText && NUMBER_OPERATORS.has(name) ? PROBLEMS.noCount({ field, operator }) : undefined;
}

const NO_LINES: ReadonlySet<string> = new Set([...CORE_FIELDS, "recent"].filter((name) => name !== "data"));
const TEXT_OPERATORS: ReadonlySet<string> = new Set(["contains", "glob", "matches", "starts_with", "ends_with"]);
const NUMBER_OPERATORS: ReadonlySet<string> = new Set(["gt", "lt", "gte", "lte"]);

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

const PROBLEMS = problems("rule", {
  nearField: ({ field, meant }: { field: string; meant: string }) => ({
    what: `no event is known to have the field ${field}; without it the rule never matches.`,
    fix: `Did you mean "${meant}"?`,
  }),
  unknownPattern: ({ pattern, what, fix }: { pattern: string; what: string; fix: string }) => ({
    what: `the pattern "${pattern}" ${what}; patterns know *, **, ?, […] and {a,b}.`,
    fix,
  }),
  deadPath: ({ path, what, fix }: { path: string; what: string; fix: string }) => ({
    what: `"${path}" ${what}; no file of a call would ever fit it.`,
    fix,
  }),
  noStar: ({ text, operator }: { text: string; operator: string }) => ({
    what: `\`${operator}\` takes the \`*\` of "${text}" as it is, and no tool has one in its name.`,
    fix: `Write \`tool glob "${text}"\`.`,
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
