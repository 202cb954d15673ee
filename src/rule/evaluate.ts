import { type Answer, withRemedy } from "../decision/result.ts";
import type { CallEffects } from "../effects/effect.ts";
import type { EventFacts } from "../event/field.ts";
import { callFieldNamed, isCommandField } from "./call-fields.ts";
import { compileField } from "./field.ts";
import { modifiedData } from "./modify.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Operator, Tools } from "./operators.ts";
import { type Comparison, type Condition, type Rule, regexesIn } from "./rule.ts";
import { conditionText } from "./text.ts";

/**
 * Rules ready to run: no look-up by name is left, and nothing here does I/O. `isLate` is asked behind every rule with a
 * regular expression; no answer when it says so. Throws only the problem of a change that the event does not allow.
 */
export type Evaluate = (event: EventFacts, isLate?: () => boolean) => Answer | undefined;

/** Compiles rules into one function; the first rule that matches decides, no match continues. */
export function compileRules(rules: readonly Rule[], tools: Tools): Evaluate {
  const compiled = rules.map((rule) => ({
    matches: compileCondition(rule.when, tools),
    answer: compileAnswer(rule),
    isSlow: regexesIn(rule.when).length > 0,
  }));
  return (event, isLate) => {
    for (const { matches, answer, isSlow } of compiled) {
      if (matches(event)) return answer(event);
      if (isSlow && isLate?.()) return undefined;
    }
    return CONTINUE;
  };
}

/** Whether a condition holds for an event. */
export type Matches = (event: EventFacts) => boolean;

/** Compiles a condition; what follows from the first parts alone is not asked further. */
export function compileCondition(condition: Condition, tools: Tools): Matches {
  switch (condition.kind) {
    case "compare":
      return compileComparison(condition, tools);
    case "not": {
      const inner = compileCondition(condition.of, tools);
      return (event) => !inner(event);
    }
    case "all":
      return every(condition.of.map((one) => compileCondition(one, tools)));
    case "any":
      return some(condition.of.map((one) => compileCondition(one, tools)));
  }
}

/** Two parts are by far the most frequent, and need no loop. */
function every(parts: readonly Matches[]): Matches {
  const [first, second] = parts;
  if (first && second && parts.length === 2) return (event) => first(event) && second(event);
  return (event) => parts.every((holds) => holds(event));
}

function some(parts: readonly Matches[]): Matches {
  const [first, second] = parts;
  if (first && second && parts.length === 2) return (event) => first(event) || second(event);
  return (event) => parts.some((holds) => holds(event));
}

/** Positive: any value of the field holds. Negated: it has a value, and none holds. */
function compileComparison({ field, operator, value: wanted }: Comparison, tools: Tools): Matches {
  const named = operatorNamed(operator);
  if (named === undefined) return () => false;
  const { one, all } = compileField(field, tools);
  const { negated, row } = named;
  if (named.name === "exists") return (event) => all(event).some(isThere) !== negated;
  if (row.onAct !== undefined) return onActs(field, row.onAct(wanted), negated ? row.isAbout : undefined, tools);
  const holds = (callFieldNamed(field)?.holds === "paths" && row.onPath?.(wanted)) || row.compile(wanted, tools);
  if (one !== undefined && !asksForNull(wanted)) {
    return (event) => {
      const value = one(event);
      return value !== undefined && value !== null && holds(value) !== negated;
    };
  }
  const counts = countsFor(wanted);
  return (event) => {
    const values = all(event).filter(counts);
    return values.length > 0 && values.some(holds) !== negated;
  };
}

/** `call` asks about the act itself, every other field about the command lines that it holds. */
function onActs(
  field: string,
  holds: (act: CallEffects) => boolean,
  isAbout: Operator["isAbout"],
  tools: Tools,
): Matches {
  const matches = (act: CallEffects | undefined) =>
    act !== undefined && (isAbout === undefined ? holds(act) : isAbout(act) && !holds(act));
  if (field === "call") return (event) => matches(tools.act(event));
  if (isCommandField(field)) return (event) => matches(tools.commandLine(event));
  const { all } = compileField(field, tools);
  return (event) => all(event).some((value) => typeof value === "string" && matches(tools.text(event, value)));
}

/** Which values an operator looks at: a null counts as missing, unless the rule asks for null. */
export function countsFor(wanted: unknown): (value: unknown) => boolean {
  return asksForNull(wanted) ? () => true : isThere;
}

function asksForNull(wanted: unknown): boolean {
  return wanted === null || (Array.isArray(wanted) && wanted.includes(null));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function compileAnswer({ when, action, reason, remedy, modify }: Rule): (event: EventFacts) => Answer {
  switch (action) {
    case "continue":
      return always(reason === undefined ? CONTINUE : { action, reason });
    case "warn":
      return once(() => {
        const said = instead(reason ?? `A rule warns: ${shortText(when)}`, remedy);
        return { action: "continue", reason: said, context: said };
      });
    case "deny":
      return once(() => ({ action, reason: instead(reason ?? `Denied by rule: ${shortText(when)}`, remedy) }));
    case "ask":
      return once(() => ({
        action,
        reason: instead(reason ?? `A rule wants this approved: ${shortText(when)}`, remedy),
      }));
    case "modify":
      return (event) => ({
        action,
        ...(reason === undefined ? {} : { reason }),
        modifiedData: modify ? modifiedData(event, modify.field, modify.value) : {},
      });
  }
}

function instead(reason: string, remedy: string | undefined): string {
  return withRemedy(reason, remedy === undefined ? [] : [remedy]) ?? reason;
}

function shortText(condition: Condition): string {
  const text = conditionText(condition);
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}

const LONGEST_REASON = 500;

/** Most rules never match: what one says is put into words when it first does. */
function once(make: () => Answer): () => Answer {
  let made: Answer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function always(answer: Answer): () => Answer {
  return () => answer;
}

/** What rules say when none of them matches. */
export const CONTINUE: Answer = Object.freeze({ action: "continue" });
