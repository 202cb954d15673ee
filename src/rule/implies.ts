import { operatorNamed } from "./operator-words.ts";
import type { Comparison, Condition } from "./rule.ts";
import { conditionText } from "./text.ts";

/**
 * Whether a condition can only hold where another holds, too, as far as their texts tell: yes is certain, no is not. It knows
 * `and`, `or`, the same comparison, and texts that are parts of one another.
 */
export function implies(one: Condition, other: Condition): boolean {
  if (one.kind === "any") return one.of.every((part) => implies(part, other));
  if (other.kind === "all") return other.of.every((part) => implies(one, part));
  if (one.kind === "all" && one.of.some((part) => implies(part, other))) return true;
  if (other.kind === "any") return other.of.some((part) => implies(one, part));
  if (one.kind === "compare" && other.kind === "compare" && isWithin(one, other)) return true;
  return conditionText(one) === conditionText(other);
}

/** Whether a text that fits the first comparison fits the second: `starts with "git push"` is within `contains "git"`. */
function isWithin(one: Comparison, other: Comparison): boolean {
  const { value: known } = one;
  const { value: wanted } = other;
  if (one.field !== other.field || typeof known !== "string" || typeof wanted !== "string" || wanted === "")
    return false;
  const [has, asks] = [operatorNamed(one.operator)?.name ?? "", operatorNamed(other.operator)?.name ?? ""];
  if (!TEXT_OPERATORS.has(has)) return false;
  if (asks === "contains") return known.includes(wanted);
  if (asks === "starts_with") return (has === "equals" || has === asks) && known.startsWith(wanted);
  if (asks === "ends_with") return (has === "equals" || has === asks) && known.endsWith(wanted);
  return false;
}

const TEXT_OPERATORS: ReadonlySet<string> = new Set(["equals", "contains", "starts_with", "ends_with"]);
