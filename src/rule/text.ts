import type { Problem } from "../problem/problem.ts";
import { type RuleLine, readDsl } from "./dsl.ts";
import { isWord } from "./dsl-tokens.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Comparison, Condition, Rule } from "./rule.ts";

/** One rule as a line of the rule language. */
export function ruleText({ when, action, reason, modify }: Rule): string {
  const said = reason === undefined ? [] : [quoted(reason)];
  const inside = modify ? [fieldText(modify.field), valueText(modify.value), ...said] : said;
  return `${conditionText(when)} -> ${action}(${inside.join(", ")})`;
}

/** A condition in the words of the rule language. */
export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case "compare":
      return comparisonText(condition);
    case "count":
      return `count(${conditionText(condition.of)}) per ${condition.per} ${condition.operator} ${condition.value}`;
    case "not":
      return `not ${grouped(condition.of, ["all", "any"])}`;
    case "all":
      return condition.of.map((one) => grouped(one, ["all", "any"])).join(" and ");
    case "any":
      return condition.of.map((one) => grouped(one, ["any"])).join(" or ");
  }
}

/** A value as the rule language writes it. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([key, item]) => `${quoted(key)}: ${valueText(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function comparisonText({ field, operator, value }: Comparison): string {
  const takesNothing = operatorNamed(operator)?.row.takes === "nothing";
  return [fieldText(field), operator, ...(takesNothing ? [] : [valueText(value)])].join(" ");
}

function fieldText(field: string): string {
  return isWord(field) && !RESERVED.has(field) ? field : quoted(field);
}

function grouped(condition: Condition, kinds: readonly Condition["kind"][]): string {
  const text = conditionText(condition);
  return kinds.includes(condition.kind) ? `(${text})` : text;
}

/** A field with such a name has to be in quotes. */
const RESERVED: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** A backslash that means itself stays single, so that regular expressions look as they were written. */
function quoted(text: string): string {
  // Characters that would end a text, or that a line does not show as they are: controls, directions, halves of pairs.
  const unsafe = /["\\\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
  // Before these a single backslash would be read as the beginning of an escape.
  const meansMore = /^(?:$|["'\\ntru\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069])/u;
  const escaped = text.replaceAll(unsafe, (char, at: number) => {
    if (char !== "\\") return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return meansMore.test(text.slice(at + 1)) ? "\\\\" : "\\";
  });
  return `"${escaped}"`;
}

/** Rules in the one way they are written: single blanks, double quotes; comments and empty lines stay. */
export function formatRules(text: string): { readonly text: string } | { readonly problems: readonly Problem[] } {
  const { lines, problems } = readDsl(text);
  if (problems.length > 0) return { problems };
  const formatted = lines.map(lineText).join("\n").trimEnd();
  return { text: formatted === "" ? "" : `${formatted}\n` };
}

function lineText({ rule, comment }: RuleLine): string {
  return [rule && ruleText(rule), comment].filter((part) => part !== undefined).join("  ");
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };
