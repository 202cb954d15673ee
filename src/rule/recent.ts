import { type EventName, eventNamed } from "../event/catalogue.ts";
import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";

/** What a rule can ask about the past of an event's session. */
export interface SessionPast {
  /** How often something happened lately: an event, with this tool or with any, within so many seconds. */
  readonly count: (event: EventName, tool: string | undefined, seconds: number) => number;
  /** When the first event of the session came that is remembered, in seconds since 1970. */
  readonly began: () => number | undefined;
}

/** Lets rules that look at this event ask about the past of its session. */
export function attachRecent(event: EventFacts, past: SessionPast): void {
  RECENT.set(event, past);
}

/** The field that says how long a session has lasted. */
export const SESSION_MINUTES = "session_minutes";

/** Minutes since the first event of the session that is remembered; nothing where no past is known. */
export function sessionMinutes(event: EventFacts): number | undefined {
  const began = RECENT.get(event)?.began();
  return began === undefined ? undefined : Math.max(0, (event.timestamp - began) / 60);
}

/** Whether a hook's rules ask about the past. */
export function asksAboutRecent({ rules = "", inlineRules = [] }: Pick<Hook, "rules" | "inlineRules">): boolean {
  return [rules, ...inlineRules.map(({ field }) => String(field))].some((text) =>
    /\brecent\.\w|\bsession_minutes\b/.test(text),
  );
}

/**
 * Compiles what stands behind `recent.`: `tool_error.10m` counts failures of this event's tool in the last ten minutes,
 * `tool_error.10m.all` those of every tool; events without a tool count whatever the tool. `undefined` for a path that
 * says neither.
 */
export function compileRecent(keys: readonly string[]): ((event: EventFacts) => number | undefined) | undefined {
  const [name = "", window = "", scope] = keys;
  const counted = eventNamed(name) ?? eventNamed(name.replace("_", ":"));
  const seconds = secondsOf(window);
  if (counted === undefined || seconds === undefined || (scope !== undefined && scope !== "all")) return undefined;
  const isOfAny = scope === "all" || !/^(?:tool|permission):/.test(counted);
  return (event) => RECENT.get(event)?.count(counted, isOfAny ? undefined : event.toolName, seconds);
}

function secondsOf(window: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(window) ?? [];
  const size = UNITS[unit];
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const RECENT = new WeakMap<EventFacts, SessionPast>();
