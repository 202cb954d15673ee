import { jsonSafe } from "../event/json.ts";
import type { ConditionExplanation, RuleExplanation } from "../rule/explain.ts";
import { valueText } from "../rule/text.ts";
import type { WireCondition, WireRule } from "./wire.ts";

/** Rules beside a call, with every value as text. */
export function wireRules(rules: readonly RuleExplanation[]): WireRule[] {
  return rules.map(({ text, matched, decides, condition }) => ({
    text,
    matched,
    decides,
    condition: wireCondition(condition),
  }));
}

function wireCondition(condition: ConditionExplanation): WireCondition {
  const { kind, text, held } = condition;
  if (condition.kind !== "compare") return { kind, text, held, of: condition.of.map(wireCondition) };
  const values = [...condition.values]
    .sort((one, other) => Number(other.fits) - Number(one.fits))
    .slice(0, MOST_VALUES)
    .map(({ value, fits }) => ({ text: valueText(jsonSafe(value)).slice(0, LONGEST), fits }));
  return { kind, text, held, values };
}

const MOST_VALUES = 12;
const LONGEST = 500;
