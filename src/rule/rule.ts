import { isCallField } from "./call-fields.ts";
import { operatorNamed } from "./operator-words.ts";

/** One comparison: a field, an operator, what it is held against. */
export interface Comparison {
  readonly kind: "compare";
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** How many earlier calls met a condition, in the session or in a period. */
export interface Count {
  readonly kind: "count";
  readonly of: Condition;
  readonly per: CountPeriod;
  readonly operator: string;
  readonly value: number;
}

/** The periods in which calls are counted, in seconds; the session lasts as long as it is remembered. */
export const COUNT_PERIODS = {
  session: Number.POSITIVE_INFINITY,
  minute: 60,
  hour: 3600,
  day: 86_400,
} as const;
export type CountPeriod = keyof typeof COUNT_PERIODS;

/** What has to hold for a rule to match. */
export type Condition =
  | Comparison
  | Count
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition };

/** One rule: when it matches, what it says. The first that matches decides. */
export interface Rule {
  readonly when: Condition;
  readonly action: RuleAction;
  readonly reason?: string | undefined;
  /** What to do instead: a shell command. */
  readonly remedy?: string | undefined;
  readonly modify?: { readonly field: string; readonly value: unknown } | undefined;
}

/** What a rule can say. */
export const ACTIONS = ["continue", "deny", "ask", "modify", "warn"] as const;
export type RuleAction = (typeof ACTIONS)[number];

/** Whether a word is something a rule can say. */
export function isAction(word: unknown): word is RuleAction {
  return ACTIONS.some((action) => action === word);
}

/** The regular expressions in a condition. */
export function regexesIn(condition: Condition): string[] {
  return comparisonsIn(condition)
    .filter(({ operator }) => operatorNamed(operator)?.name === "matches")
    .map(({ value }) => String(value));
}

/** Whether a condition asks what a call does, or which files and texts it is about. */
export function looksAtActs(condition: Condition): boolean {
  return comparisonsIn(condition).some(
    ({ field, operator }) => isCallField(field) || operatorNamed(operator)?.row.onAct !== undefined,
  );
}

/** Every comparison in a condition, in the order in which they are written, those about counted calls included. */
export function comparisonsIn(condition: Condition): readonly Comparison[] {
  return partsOf(condition, true).filter((part) => part.kind === "compare");
}

/** Every comparison that looks at the event itself, and not at the calls that are counted. */
export function ownComparisonsIn(condition: Condition): readonly Comparison[] {
  return partsOf(condition, false).filter((part) => part.kind === "compare");
}

/** Every `count(…)` of a condition. */
export function countsIn(condition: Condition): readonly Count[] {
  return partsOf(condition, true).filter((part) => part.kind === "count");
}

function partsOf(condition: Condition, isDeep: boolean): readonly (Comparison | Count)[] {
  switch (condition.kind) {
    case "compare":
      return [condition];
    case "count":
      return isDeep ? [condition, ...partsOf(condition.of, isDeep)] : [condition];
    case "not":
      return partsOf(condition.of, isDeep);
    case "all":
    case "any":
      return condition.of.flatMap((part) => partsOf(part, isDeep));
  }
}
