import { isObject } from "../event/json.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { comparisonProblem, fieldProblem, targetProblem } from "./check.ts";
import { ACTIONS, isAction, type Rule } from "./rule.ts";

/** A rule, and where it was written. */
export interface WrittenRule {
  readonly rule: Rule;
  /** The keys that lead to it inside its hook. */
  readonly path: readonly (string | number)[];
  /** The line of the text under `rules`, counted from 1. */
  readonly line?: number;
  /** That line. */
  readonly source?: string;
  /** What a message calls it. */
  readonly label: string;
}

/** What was made of rules as written; a rule with a problem is left out and told. */
export interface ReadRules {
  readonly written: readonly WrittenRule[];
  /** What makes a rule unusable. */
  readonly problems: readonly Problem[];
  /** What is most likely a mistake, and does no harm. */
  readonly warnings: readonly Problem[];
}

/** Reads `inline_rules`. */
export function readRules(entries: readonly unknown[]): ReadRules {
  const read = entries.map(readRule);
  return {
    written: read.flatMap(({ written }) => written ?? []),
    problems: read.flatMap(({ problems }) => problems),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
}

/** The same problem, told of one rule. */
export function problemOf(label: string, problem: Problem, path: WrittenRule["path"]): Problem {
  const fix = problem.fix === undefined ? {} : { fix: problem.fix };
  return new Problem(problem.code, { what: `${label}: ${problem.message}`, ...fix }, { path });
}

function readRule(entry: unknown, index: number) {
  const [path, label] = [["inline_rules", index], `Rule ${index + 1}`];
  if (!isObject(entry)) return { problems: [problemOf(label, PROBLEMS.noObject({}), path)], warnings: [] };
  const given = byName(entry);
  const strangers = Object.keys(entry).filter((key) => !KEYS.includes(snake(key)));
  // A missing key that is there under a misspelt name is one mistake.
  const meant = new Map(
    strangers.map((key) => [
      nearest(
        key,
        KEYS.filter((known) => !(known in given)),
      ),
      key,
    ]),
  );
  const found = problemsIn(given).map(({ on, problem }) => {
    const key = meant.get(on);
    if (key === undefined) return problemOf(label, problem, [...path, on]);
    return problemOf(label, PROBLEMS.misspelt({ key, on }), [...path, key]);
  });
  const told = new Set(found.map((problem) => problem.path?.at(-1)));
  const warnings = strangers
    .filter((key) => !told.has(key))
    .map((key) => problemOf(label, PROBLEMS.unknownKey({ key }), [...path, key]));
  return found.length > 0
    ? { problems: found, warnings }
    : { written: [{ rule: ruleOf(given), path, label }], problems: [], warnings };
}

type Given = Readonly<Record<string, unknown>>;

/** Keys in either spelling. */
function byName(entry: object): Given {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [snake(key), value]));
}

function problemsIn({ field, operator, value, action, modify_field: target }: Given) {
  const compared = comparisonProblem(operator, value);
  const isTargeted = target !== undefined && target !== null;
  const found: readonly (readonly [on: string, problem: Problem | undefined])[] = [
    ["field", fieldProblem(field)],
    [compared?.on ?? "operator", compared?.problem],
    ["action", isAction(action) ? undefined : PROBLEMS.unknownAction({ action })],
    ["action", action === "modify" && !isTargeted ? PROBLEMS.noTarget({}) : undefined],
    ["modify_field", isTargeted ? targetProblem(target) : undefined],
  ];
  return found.flatMap(([on, problem]) => (problem === undefined ? [] : [{ on, problem }]));
}

/** Called where there are no problems. */
function ruleOf({ field, operator, value, action, reason, remedy, modify_field: target, modify_value }: Given): Rule {
  return {
    when: { kind: "compare", field: String(field), operator: String(operator), value },
    action: isAction(action) ? action : "deny",
    reason: reason === undefined || reason === null || reason === "" ? undefined : String(reason),
    ...(typeof remedy === "string" && remedy !== "" ? { remedy } : {}),
    modify: action === "modify" ? { field: String(target), value: modify_value ?? null } : undefined,
  };
}

function snake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a rule of a list says, by key. */
export const RULE_KEYS = {
  field: "what is looked at, such as path, content, call or args.command",
  operator: "how it is compared; each operator has a not_ form",
  value: "what it is compared with",
  action: "what happens when the rule matches",
  reason: "what the agent and the user are told",
  remedy: "what to do instead: a shell command",
  modify_field: "the field that `modify` changes",
  modify_value: "its new value",
} as const;
const KEYS = Object.keys(RULE_KEYS);

const PROBLEMS = problems("rule", {
  noObject: (_: object) => ({
    what: "it is not an object.",
    fix: "Write { field, operator, value, action }.",
  }),
  noTarget: (_: object) => ({
    what: "it modifies, and does not say what.",
    fix: "Add `modify_field: args.command` and `modify_value`, for example.",
  }),
  unknownAction: ({ action }: { action: unknown }) => ({
    what: action === undefined ? "it names no action." : `${JSON.stringify(action)} is not an action.`,
    fix: didYouMean(String(action), ACTIONS) || `It can be ${ACTIONS.join(", ")}.`,
  }),
  misspelt: ({ key, on }: { key: string; on: string }) => ({
    what: `it has a key \`${key}\`, which no rule has, and no \`${on}\`.`,
    fix: `Rename \`${key}\` to \`${on}\`.`,
  }),
  unknownKey: ({ key }: { key: string }) => ({
    what: `it has a key \`${key}\`, which no rule has. It does nothing.`,
    fix: didYouMean(key, KEYS) || `A rule has ${KEYS.join(", ")}.`,
  }),
});
