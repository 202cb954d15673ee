import type { CallEffects } from "../effects/effect.ts";
import type { EventFacts } from "../event/field.ts";
import { jsonSafe } from "../event/json.ts";
import type { ActTarget } from "./act-targets.ts";
import { callFieldNamed, isCommandField } from "./call-fields.ts";
import { countKey } from "./count-key.ts";
import { compileCondition, countsFor, withEventNames } from "./evaluate.ts";
import { compileField } from "./field.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Tools } from "./operators.ts";
import { countedBefore } from "./recent.ts";
import type { Comparison, Condition, Rule } from "./rule.ts";
import { conditionText, ruleText, valueText } from "./text.ts";

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
interface LookedAt {
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
  if (condition.kind === "count") {
    const counted = countedBefore(event, countKey(condition.of), condition.per);
    const values = counted === undefined ? [] : [{ value: counted, fits: held }];
    return { kind: "compare", text, field: `the count per ${condition.per}`, held, values };
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

function lookedAt(comparison: Comparison, event: EventFacts, tools: Tools): LookedAt[] {
  const { field, operator, value: wanted } = withEventNames(comparison);
  const { row } = operatorNamed(operator) ?? {};
  const counts = countsFor(wanted);
  const values = compileField(field, tools).all(event);
  const { holds: kind } = callFieldNamed(field) ?? {};
  if (row?.onRepository !== undefined) {
    const asks = row.onRepository(wanted);
    const repository = tools.repository(event, true);
    return values.map((value) => ({ value, fits: repository !== undefined && asks(value, repository) }));
  }
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

/**
 * Explanations as plain text: every rule, the parts of its condition, and the values they looked at. Rules that are not shown
 * count all the same, so that a rule has one number everywhere.
 */
export function explanationText(
  explanations: readonly RuleExplanation[],
  isShown: (rule: RuleExplanation) => boolean = () => true,
): string {
  if (explanations.length === 0) return "no rules\n";
  const end = explanations.some(({ decides }) => decides) ? [] : ["no rule matches: continue"];
  const shown = explanations.flatMap((rule, index) => (isShown(rule) ? ruleLines(rule, index) : []));
  return `${[...shown, ...end].join("\n")}\n`;
}

function ruleLines({ text, matched, decides, condition }: RuleExplanation, index: number): string[] {
  const verdict = decides ? "matches and decides" : matched ? "would match, too late" : "does not match";
  return [`rule ${index + 1} ${verdict}`, `  ${text}`, ...conditionLines(condition, 1)];
}

function conditionLines(explanation: ConditionExplanation, depth: number): string[] {
  const indent = "  ".repeat(depth + 1);
  const mark = explanation.held ? "yes" : "no ";
  if (explanation.kind === "compare")
    return [
      `${indent}${mark} ${explanation.text}`,
      // What of the call was looked at says more than all that it does.
      ...(explanation.targets !== undefined && callFieldNamed(explanation.field)?.holds === "act"
        ? []
        : valueLines(explanation.field, explanation.values, indent)),
      ...targetLines(explanation.targets ?? [], indent),
    ];
  return [
    `${indent}${mark} ${JOINS[explanation.kind]}`,
    ...explanation.of.flatMap((inner) => conditionLines(inner, depth + 1)),
  ];
}

const JOINS = { all: "all of", any: "any of", not: "not" } as const;

function valueLines(field: string, values: readonly LookedAt[], indent: string): string[] {
  if (values.length === 0) return [`${indent}      ${field} is missing`];
  const shown = [...values].sort((one, other) => Number(other.fits) - Number(one.fits)).slice(0, MAX_SHOWN);
  const left = values.length - shown.length;
  const sign = (fits: boolean) => (values.length > 1 && fits ? "  (this one)" : "");
  return [
    ...shown.map(({ value, fits }) => `${indent}      ${field} is ${shortened(value)}${sign(fits)}`),
    ...(left > 0 ? [`${indent}      and ${left} more`] : []),
  ];
}

/** What of the call it was: the path, the program, the host. */
function targetLines(targets: readonly ActTarget[], indent: string): string[] {
  const shown = [...targets].sort((one, other) => Number(other.fits) - Number(one.fits)).slice(0, MAX_SHOWN);
  const left = targets.length - shown.length;
  return [
    ...shown.map(
      ({ target, fits, doubt }) =>
        `${indent}      ${fits ? "fits:" : "does not fit:"} ${shortened(target)}${doubt === undefined ? "" : ` (compared as a pattern: ${doubt})`}`,
    ),
    ...(left > 0 ? [`${indent}      and ${left} more`] : []),
  ];
}

function shortened(value: unknown): string {
  const text = valueText(jsonSafe(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}

const MAX_SHOWN = 5;
const LONGEST_SHOWN = 120;
