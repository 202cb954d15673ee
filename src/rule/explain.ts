import type { EventFacts } from "../event/field.ts";
import type { CallEffects } from "../effects/effect.ts";
import type { ActTarget } from "./act-operators.ts";
import { callFieldNamed, isCommandField } from "./call-fields.ts";
import { compileCondition, countsFor } from "./evaluate.ts";
import { compileField } from "./field.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Tools } from "./operators.ts";
import type { Comparison, Condition, Rule } from "./rule.ts";
import { conditionText, ruleText } from "./text.ts";

/** One rule beside one event: did it match, and because of what. */
export interface RuleExplanation {
  readonly rule: Rule;
  /** The rule in the rule language. */
  readonly text: string;
  readonly matched: boolean;
  /** The first rule that matches decides; later ones are never asked. */
  readonly decides: boolean;
  readonly condition: ConditionExplanation;
}

/** A condition, whether it held, and what it looked at. */
export type ConditionExplanation =
  | {
      readonly kind: "compare";
      readonly text: string;
      readonly field: string;
      readonly held: boolean;
      /** Every value that the field has; none when it is missing. */
      readonly values: readonly LookedAt[];
      /** Where the operator asks about what a call does: the paths, programs or hosts that it looked at. */
      readonly targets?: readonly ActTarget[];
    }
  | {
      readonly kind: "all" | "any" | "not";
      readonly text: string;
      readonly held: boolean;
      readonly of: readonly ConditionExplanation[];
    };

/** One value of a field, and whether it is what the operator, read without its `not_`, looks for. */
export interface LookedAt {
  readonly value: unknown;
  readonly fits: boolean;
}

/** Says for every rule which part of it held on which value. */
export function explainRules(rules: readonly Rule[], event: EventFacts, tools: Tools): RuleExplanation[] {
  let isDecided = false;
  return rules.map((rule) => {
    const condition = explain(rule.when, event, tools);
    const decides = condition.held && !isDecided;
    isDecided ||= condition.held;
    return { rule, text: ruleText(rule), matched: condition.held, decides, condition };
  });
}

function explain(condition: Condition, event: EventFacts, tools: Tools): ConditionExplanation {
  const text = conditionText(condition);
  const held = compileCondition(condition, tools)(event);
  if (condition.kind === "compare") {
    const targets = targetsOf(condition, event, tools);
    const values = lookedAt(condition, event, tools);
    return { kind: "compare", text, field: condition.field, held, values, ...(targets.length > 0 ? { targets } : {}) };
  }
  const parts = condition.kind === "not" ? [condition.of] : condition.of;
  return { kind: condition.kind, text, held, of: parts.map((part) => explain(part, event, tools)) };
}

/** What of the call the operator looked at; each once. */
function targetsOf({ field, operator, value: wanted }: Comparison, event: EventFacts, tools: Tools): ActTarget[] {
  const targetsIn = operatorNamed(operator)?.row.targetsIn?.(wanted);
  if (targetsIn === undefined) return [];
  const acts = compileField(field, tools)
    .all(event)
    .map((value) => actAt(field, value, event, tools));
  const all = acts.flatMap((act) => (act === undefined ? [] : targetsIn(act)));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** The call, its command line, or what a text of it would do. */
function actAt(field: string, value: unknown, event: EventFacts, tools: Tools): CallEffects | undefined {
  if (callFieldNamed(field)?.holds === "act") return tools.act(event);
  if (isCommandField(field)) return tools.commandLine(event);
  return typeof value === "string" ? tools.text(event, value) : undefined;
}

function lookedAt({ field, operator, value: wanted }: Comparison, event: EventFacts, tools: Tools): LookedAt[] {
  const { row } = operatorNamed(operator) ?? {};
  const counts = countsFor(wanted);
  const values = compileField(field, tools).all(event);
  const { holds: kind } = callFieldNamed(field) ?? {};
  if (row?.onAct !== undefined) {
    const holds = row.onAct(wanted);
    return values.map((value) => {
      const act = actAt(field, value, event, tools);
      return { value, fits: act !== undefined && holds(act) };
    });
  }
  const holds = (kind === "paths" && row?.onPath?.(wanted)) || (row?.compile(wanted, tools) ?? (() => false));
  return values.map((value) => ({ value, fits: counts(value) && holds(value) }));
}
