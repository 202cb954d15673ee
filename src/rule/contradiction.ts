import { EVENT_NAMES, type EventName, eventNamed, eventSpec } from "../event/catalogue.ts";
import { FIELD_SPELLINGS } from "../event/field.ts";
import { neverHasTool } from "../hook/event-problems.ts";
import type { Hook } from "../hook/hook.ts";
import { compileGlob } from "../pattern/glob.ts";
import { problems } from "../problem/problem.ts";
import { CALL_FIELDS, isCommandField } from "./call-fields.ts";
import { asNumber } from "./compare.ts";
import { EVENT_NAME_FIELDS } from "./field.ts";
import type { RuleFinding } from "./names.ts";
import { operatorNamed } from "./operator-words.ts";
import { type Comparison, type Condition, comparisonsIn, type Rule } from "./rule.ts";
import { conditionText } from "./text.ts";

/** Two parts of a condition that never hold together, as far as their texts show. */
export function contradictionIn(condition: Condition): RuleFinding | undefined {
  if (condition.kind === "any") {
    // One part that can hold is enough for the rule; the others are still mistakes.
    return condition.of.map(contradictionIn).find((found) => found !== undefined);
  }
  if (condition.kind !== "all") return undefined;
  const parts = condition.of.flatMap((part) => (part.kind === "all" ? part.of : [part]));
  for (const [index, one] of parts.entries())
    for (const other of parts.slice(index + 1)) {
      const on = excludes(one, other);
      if (on === undefined) continue;
      const problem = PROBLEMS.contradiction({ one: conditionText(one), other: conditionText(other) });
      return { on: "operator", text: on.field, problem };
    }
  return parts.map(contradictionIn).find((found) => found !== undefined);
}

function excludes(one: Condition, other: Condition): Comparison | undefined {
  const [first, second] = [plainly(one), plainly(other)];
  if (first === undefined || second === undefined || fieldOf(first) !== fieldOf(second)) return undefined;
  if (conditionText(first.of) === conditionText(second.of)) return first.isNot === second.isNot ? undefined : first.of;
  if (first.isNot || second.isNot || !hasOneValue(first.of.field)) return undefined;
  const range = [rangeOf(first.of), rangeOf(second.of)];
  if (range[0] !== undefined && range[1] !== undefined) return meets(range[0], range[1]) ? undefined : first.of;
  const [values, otherValues] = [valuesOf(first.of), valuesOf(second.of)];
  const fits = (comparison: Comparison) => (value: string) => mayFit(comparison, value);
  if (values !== undefined) return values.some(fits(second.of)) ? undefined : first.of;
  if (otherValues !== undefined) return otherValues.some(fits(first.of)) ? undefined : first.of;
  return beginnings(first.of, second.of) ? undefined : first.of;
}

interface Plain {
  readonly of: Comparison;
  readonly isNot: boolean;
}

/** A comparison, or one after `not`; a `not_` operator is the same with the field present. */
function plainly(condition: Condition): Plain | undefined {
  if (condition.kind === "not") {
    const inner = plainly(condition.of);
    return inner && { ...inner, isNot: !inner.isNot };
  }
  if (condition.kind !== "compare") return undefined;
  const named = operatorNamed(condition.operator);
  if (named === undefined) return undefined;
  return { of: { ...condition, operator: named.name }, isNot: named.negated };
}

/** One name for every spelling of a field. */
function fieldOf({ of: { field } }: Plain): string {
  const [first = "", ...rest] = field.split(".");
  const group = Object.entries(FIELD_SPELLINGS).find(([, names]) => names.some((name) => name === first))?.[0];
  return [EVENT_NAME_FIELDS.has(first) ? "event" : (group ?? first), ...rest].join(".");
}

/** Fields of files and lists may have several values, of which one is enough for each comparison. */
function hasOneValue(field: string): boolean {
  return (
    !field.includes("*") &&
    !Object.hasOwn(CALL_FIELDS, field) &&
    !/(?:^|\.)(?:file_)?paths?$|files|edits|tags/.test(field)
  );
}

function valuesOf({ field, operator, value }: Comparison): string[] | undefined {
  if (operator !== "equals" && operator !== "in") return undefined;
  const all = [value].flat();
  if (!all.every((one) => typeof one === "string" || typeof one === "number" || typeof one === "boolean"))
    return undefined;
  return all.map((one) => (EVENT_NAME_FIELDS.has(field) ? (eventNamed(String(one)) ?? String(one)) : String(one)));
}

function mayFit(comparison: Comparison, value: string): boolean {
  const { operator, value: wanted } = comparison;
  const range = rangeOf(comparison);
  if (range !== undefined)
    return Number.isFinite(asNumber(value)) && meets(range, [asNumber(value), asNumber(value), true]);
  const listed = valuesOf(comparison);
  if (listed !== undefined) return listed.includes(value);
  if (typeof wanted !== "string") return true;
  if (operator === "contains") return value.includes(wanted);
  if (operator === "starts_with") return value.startsWith(wanted);
  if (operator === "ends_with") return value.endsWith(wanted);
  return operator === "glob" ? compileGlob(wanted)(value) : true;
}

/** Two beginnings, or two ends, of one text: one has to begin with the other. */
function beginnings(one: Comparison, other: Comparison): boolean {
  const [a, b] = [one.value, other.value];
  if (one.operator !== other.operator || typeof a !== "string" || typeof b !== "string") return true;
  if (one.operator === "starts_with") return a.startsWith(b) || b.startsWith(a);
  if (one.operator === "ends_with") return a.endsWith(b) || b.endsWith(a);
  return true;
}

type Range = readonly [low: number, high: number, isClosed: boolean];

function rangeOf({ operator, value }: Comparison): Range | undefined {
  const limit = asNumber(value);
  if (operator === "gt" || operator === "gte") return [limit, Number.POSITIVE_INFINITY, operator === "gte"];
  if (operator === "lt" || operator === "lte") return [Number.NEGATIVE_INFINITY, limit, operator === "lte"];
  return undefined;
}

function meets([low, high, closed]: Range, [otherLow, otherHigh, otherClosed]: Range): boolean {
  const [from, to] = [Math.max(low, otherLow), Math.min(high, otherHigh)];
  return from < to || (from === to && closed && otherClosed);
}

/** What keeps a rule from ever deciding in its hook. */
export function neverInHook(
  { when, modify, action }: Rule,
  hook: Pick<Hook, "eventPattern" | "toolsFor">,
): RuleFinding | undefined {
  const { eventPattern } = hook;
  const events = eventsOf(hook);
  if (events.length === 0) return undefined;
  if (action === "modify" && events.every((event) => eventSpec(event).modifies === null))
    return {
      on: "modify_field",
      text: modify?.field ?? "",
      problem: PROBLEMS.nothingToModify({ pattern: eventPattern }),
    };
  const needed = requiredIn(when);
  const about = { pattern: eventPattern, field: "" };
  const noTool = neverHasTool(eventPattern) ? needed.find(isAboutTool) : undefined;
  if (noTool !== undefined)
    return { on: "field", text: noTool.field, problem: PROBLEMS.noToolHere({ ...about, field: noTool.field }) };
  const narrowed = events.filter((event) => needed.every((one) => valuesOfEvent(one)?.includes(event) !== false));
  const early = narrowed.length === 0 ? undefined : asked(when).find(({ field }) => isLater(field, narrowed));
  if (early !== undefined)
    return { on: "field", text: early.field, problem: PROBLEMS.notYet({ ...about, field: early.field }) };
  const other = needed.find((comparison) => isElsewhere(comparison, events, hook));
  return (
    other && {
      on: "value",
      text: typeof other.value === "string" ? other.value : JSON.stringify(other.value),
      problem: PROBLEMS.otherEvent({ condition: conditionText(other), pattern: eventPattern }),
    }
  );
}

function eventsOf(hook: Pick<Hook, "toolsFor">): EventName[] {
  return EVENT_NAMES.filter((event) => hook.toolsFor(event) !== "never");
}

/** The comparisons that have to hold for the rule to match. */
function requiredIn(condition: Condition): readonly Comparison[] {
  if (condition.kind === "all") return condition.of.flatMap(requiredIn);
  if (condition.kind !== "compare") return [];
  const named = operatorNamed(condition.operator);
  return named === undefined || named.negated ? [] : [{ ...condition, operator: named.name }];
}

function isAboutTool({ field }: Comparison): boolean {
  return field === "tool" || field === "tool_name" || field === "call" || isCommandField(field);
}

/** The comparisons that need their field: what is after `not` also holds without it. */
function asked(condition: Condition): readonly Comparison[] {
  if (condition.kind === "all" || condition.kind === "any") return condition.of.flatMap(asked);
  return condition.kind === "compare" && condition.operator !== "not_exists" ? [condition] : [];
}

/** What comes of a call is not there before the call, and a call that succeeded has no error. */
function isLater(field: string, events: readonly EventName[]): boolean {
  const [first = ""] = field.split(".");
  const isError = FIELD_SPELLINGS.error.some((name) => name === first);
  if (!isError && !FIELD_SPELLINGS.tool_result.some((name) => name === first)) return false;
  return events.every((event) => BEFORE_RESULT.has(event) || (isError && event === "tool:post_execute"));
}

const BEFORE_RESULT: ReadonlySet<EventName> = new Set<EventName>([
  ...(["tool:pre_execute", "permission:check", "permission:prompt", "memory:update"] as const),
  ...(["user:prompt_submit", "user:prompt_expand", "llm:pre_request", "session:start", "subagent:start"] as const),
]);

/** The events that a comparison names. */
function valuesOfEvent(comparison: Comparison): string[] | undefined {
  return EVENT_NAME_FIELDS.has(comparison.field) ? valuesOf(comparison) : undefined;
}

/** An event or a tool that the hook never matches. */
function isElsewhere(comparison: Comparison, events: readonly EventName[], hook: Pick<Hook, "toolsFor">): boolean {
  const values = valuesOf(comparison);
  if (values === undefined || values.length === 0) return false;
  if (EVENT_NAME_FIELDS.has(comparison.field)) return values.every((value) => !events.some((event) => event === value));
  if (comparison.field !== "tool" && comparison.field !== "tool_name") return false;
  return events.every((event) => {
    const tools = hook.toolsFor(event);
    return Array.isArray(tools) && values.every((value) => !tools.includes(value));
  });
}

/** Whether a condition holds for every event that a hook matches. */
export function alwaysHolds(condition: Condition, hook: Pick<Hook, "toolsFor">): boolean {
  if (condition.kind === "all") return condition.of.every((part) => alwaysHolds(part, hook));
  if (condition.kind === "any") return condition.of.some((part) => alwaysHolds(part, hook));
  if (condition.kind === "count") return false;
  const [comparison] = comparisonsIn(condition);
  const named = comparison && operatorNamed(comparison.operator);
  if (condition.kind === "not" || comparison === undefined || named === undefined || named.negated) return false;
  const { field, value } = comparison;
  const isThere =
    EVENT_NAME_FIELDS.has(field) ||
    field === "timestamp" ||
    (field === "tool" && eventsOf(hook).every((event) => event.startsWith("tool:")));
  return isThere && (ALL_TEXTS[named.name]?.includes(String(value)) ?? named.name === "exists");
}

/** Values that fit every text. */
const ALL_TEXTS: Readonly<Record<string, readonly string[]>> = {
  glob: ["*", "**"],
  contains: [""],
  starts_with: [""],
  ends_with: [""],
  matches: ["", ".*", "^", "$", "^.*$", ".+", "^.+$"],
};

const PROBLEMS = problems("rule", {
  contradiction: ({ one, other }: { one: string; other: string }) => ({
    what: `\`${one}\` and \`${other}\` never hold together, so the rule never matches.`,
    fix: "Join them with `or`, or write two rules.",
  }),
  noToolHere: ({ field, pattern }: { field: string; pattern: string }) => ({
    what: `${field} is about a tool, and the hook matches ${pattern}, which has none; the rule never matches.`,
    fix: "Match an event of a tool, such as tool:pre_execute.",
  }),
  notYet: ({ field, pattern }: { field: string; pattern: string }) => ({
    what: `${field} comes of a call, and the hook matches ${pattern}, which does not have it; the rule never matches.`,
    fix: field.startsWith("err")
      ? "Match tool:error."
      : "Match tool:post_execute, or PostToolUse for failed calls too.",
  }),
  otherEvent: ({ condition, pattern }: { condition: string; pattern: string }) => ({
    what: `\`${condition}\` never holds in this hook, which matches ${pattern} alone.`,
    fix: "Correct the condition, or the hook's event.",
  }),
  nothingToModify: ({ pattern }: { pattern: string }) => ({
    what: `the rule modifies, and nothing can be changed at ${pattern}.`,
    fix: "Use `deny` or `warn`, or match an event whose input can be changed, such as tool:pre_execute.",
  }),
});
