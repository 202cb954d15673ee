import { type EventName, eventNamed } from "../event/catalogue.ts";
import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";

/** How often something happened lately: an event, with this tool or with any, within so many seconds. */
export type CountRecent = (event: EventName, tool: string | undefined, seconds: number) => number;

/** Lets rules that look at this event ask about the past of its session. */
export function attachRecent(event: EventFacts, count: CountRecent): void {
  RECENT.set(event, count);
}

/** Whether a hook's rules ask about the past. */
export function asksAboutRecent({ rules = "", inlineRules = [] }: Pick<Hook, "rules" | "inlineRules">): boolean {
  return [rules, ...inlineRules.map(({ field }) => String(field))].some((text) => /\brecent\.\w/.test(text));
}

/**
 * Compiles what stands behind `recent.`: `tool_error.10m` counts failures of this event's tool in the last ten minutes,
 * `tool_error.10m.all` those of every tool. `undefined` for a path that says neither.
 */
export function compileRecent(keys: readonly string[]): ((event: EventFacts) => number | undefined) | undefined {
  const [name = "", window = "", scope] = keys;
  const counted = eventNamed(name) ?? eventNamed(name.replace("_", ":"));
  const seconds = secondsOf(window);
  if (counted === undefined || seconds === undefined || (scope !== undefined && scope !== "all")) return undefined;
  return (event) => RECENT.get(event)?.(counted, scope === "all" ? undefined : event.toolName, seconds);
}

function secondsOf(window: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(window) ?? [];
  const size = UNITS[unit];
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const RECENT = new WeakMap<EventFacts, CountRecent>();
