import { isCallField } from "./call-fields.ts";
import { operatorNamed } from "./operator-words.ts";

/** One comparison: a field, an operator, what it is held against. */
export interface Comparison {
  readonly kind: "compare";
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** What has to hold for a rule to match. */
export type Condition =
  | Comparison
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

/** Every comparison in a condition, in the order in which they are written. */
export function comparisonsIn(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case "compare":
      return [condition];
    case "not":
      return comparisonsIn(condition.of);
    case "all":
    case "any":
      return condition.of.flatMap(comparisonsIn);
  }
}
