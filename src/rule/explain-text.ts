import { jsonSafe } from "../event/json.ts";
import type { ActTarget } from "./act-operators.ts";
import { callFieldNamed } from "./call-fields.ts";
import type { ConditionExplanation, LookedAt, RuleExplanation } from "./explain.ts";
import { valueText } from "./text.ts";

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
  const shown = [...values].sort((one, other) => Number(other.fits) - Number(one.fits)).slice(0, MOST_SHOWN);
  const left = values.length - shown.length;
  const sign = (fits: boolean) => (values.length > 1 && fits ? "  (this one)" : "");
  return [
    ...shown.map(({ value, fits }) => `${indent}      ${field} is ${shortened(value)}${sign(fits)}`),
    ...(left > 0 ? [`${indent}      and ${left} more`] : []),
  ];
}

/** What of the call it was: the path, the program, the host. */
function targetLines(targets: readonly ActTarget[], indent: string): string[] {
  const shown = [...targets].sort((one, other) => Number(other.fits) - Number(one.fits)).slice(0, MOST_SHOWN);
  const left = targets.length - shown.length;
  return [
    ...shown.map(({ target, fits }) => `${indent}      ${fits ? "fits:" : "does not fit:"} ${shortened(target)}`),
    ...(left > 0 ? [`${indent}      and ${left} more`] : []),
  ];
}

function shortened(value: unknown): string {
  const text = valueText(jsonSafe(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}

const MOST_SHOWN = 5;
const LONGEST_SHOWN = 120;
