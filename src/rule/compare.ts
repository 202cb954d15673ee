import { isSame } from "../decision/patch.ts";
import { eventsMatchedBy } from "../event/catalogue.ts";
import { toJsonText } from "../event/json.ts";
import type { Test } from "../pattern/glob.ts";

/** A test on the value of a field, made once from what the rule wants. */
export type Holds = (value: unknown) => boolean;

/** By type first, then by text: YAML's `true` is the text "true" where a tool sends text. */
export function equalTo(wanted: unknown): Holds {
  if (typeof wanted === "object" && wanted !== null) return (value) => isSame(value, wanted);
  const text = String(wanted);
  return (value) => value === wanted || (typeof value !== typeof wanted && isScalar(value) && String(value) === text);
}

/** Events go by several names in rules too: `PreToolUse` is `tool:pre_execute`, and `PostToolUse` a failed tool as well. */
export function eventNames(wanted: unknown): unknown[] {
  return [wanted].flat().flatMap((name): readonly unknown[] => {
    const events = typeof name === "string" ? eventsMatchedBy(name) : [];
    return events.length === 0 ? [name] : events;
  });
}

/** A test on the value's text; objects are looked at as JSON. */
export function onText(test: Test): Holds {
  return (value) => test(typeof value === "string" ? value : asText(value));
}

/** A test on the value's number; what is not a number never passes. */
export function onNumber(wanted: unknown, holds: (value: number, limit: number) => boolean): Holds {
  const limit = asNumber(wanted);
  return (value) => holds(asNumber(value), limit);
}

/** A list stands for its items: one that passes is enough. */
export function anyItem(holds: Holds): Holds {
  return (value) => (Array.isArray(value) ? value.some(holds) : holds(value));
}

/** The value as text. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : isScalar(value) ? String(value) : toJsonText(value);
}

/** The value as a number, written as one or as its text; NaN for everything else. */
export function asNumber(value: unknown): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
