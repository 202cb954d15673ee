import { type EventName, eventNamed } from "../event/catalogue.ts";
import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import type { CountPeriod } from "./rule.ts";

/** What calls are counted under that met a condition. */
export type CountKey = `count ${string}`;

/** Where data entered the step, and the call that brought it. */
export interface FlowLabel {
  /** A short form of the call: its command, its file, or its tool. */
  readonly call: string;
  /** A host, a file, a server, or the kind of data. */
  readonly source: string;
}

/** What has entered the step of a session since the last prompt of its user. */
export interface SessionFlow {
  /** Content from outside: the web, an MCP server, an issue, a file outside of the project. */
  readonly untrusted: readonly FlowLabel[];
  /** Private data that was read: keys, personal folders, tables about people. */
  readonly private: readonly FlowLabel[];
}

/** What a rule can ask about the past of an event's session. */
export interface SessionPast {
  /**
   * How often something happened lately: an event, with this tool or with any, within so many seconds, in the session or in a
   * team.
   */
  readonly count: (event: EventName, tool: string | undefined, seconds: number, scope?: RecentScope) => number;
  /** How many earlier calls were counted under a key, in this session or in a period. */
  readonly counted?: (key: CountKey, per: CountPeriod) => number;
  /** When the first event of the session came that is remembered, in seconds since 1970. */
  readonly began: () => number | undefined;
  /** What has entered the step since the last prompt. */
  readonly flow?: () => SessionFlow;
}

/** Where events are counted: in the session, or in all sessions of all machines that count together. */
type RecentScope = "session" | "team";

/** Lets rules that look at this event ask about the past of its session. */
export function attachRecent(event: EventFacts, past: SessionPast): void {
  RECENT.set(event, past);
}

/** What rules may ask about the past of an event; undefined if nothing is remembered. */
export function pastOfEvent(event: EventFacts): SessionPast | undefined {
  return RECENT.get(event);
}

/** The field that says how long a session has lasted. */
export const SESSION_MINUTES = "session_minutes";

/** Minutes since the first event of the session that is remembered; undefined if none is known. */
export function sessionMinutes(event: EventFacts): number | undefined {
  const began = RECENT.get(event)?.began();
  return began === undefined ? undefined : Math.max(0, (event.timestamp - began) / 60);
}

/** Whether a hook's rules ask about the past. */
export function asksAboutRecent(hook: Rules): boolean {
  return textsOf(hook).some((text) =>
    /\brecent\.\w|\bsession_minutes\b|\bcount\s*\(|\bsession\.(?:untrusted|private)\b/.test(text),
  );
}

/** Whether a hook's rules count calls. */
export function countsCalls(hook: Rules): boolean {
  return hook.rules !== undefined && /\bcount\s*\(/.test(hook.rules);
}

/** How many calls before this event were counted under a key; undefined if nothing is remembered. */
export function countedBefore(event: EventFacts, key: CountKey, per: CountPeriod): number | undefined {
  return RECENT.get(event)?.counted?.(key, per);
}

/** The events of a team whose number a hook's rules use. */
export function eventsOfTeam(hook: Rules): EventName[] {
  return textsOf(hook).flatMap((text) =>
    [...text.matchAll(/\brecent\.(\w+)\.\w+(?:\.all)?\.team\b/g)].flatMap(([, name = ""]) => counted(name) ?? []),
  );
}

type Rules = Pick<Hook, "rules" | "inlineRules">;

function textsOf({ rules = "", inlineRules = [] }: Rules): string[] {
  return [rules, ...inlineRules.map(({ field }) => String(field))];
}

function counted(name: string): EventName | undefined {
  return eventNamed(name) ?? eventNamed(name.replace("_", ":"));
}

/**
 * Compiles what follows `recent.`: `tool_error.10m` counts failures of this event's tool in the last ten minutes,
 * `tool_error.10m.all` those of every tool; events without a tool count whatever the tool. `.team` at the end means those of all
 * sessions of all machines that count together, for a day at most. `undefined` for a path that says none of these.
 */
export function compileRecent(keys: readonly string[]): ((event: EventFacts) => number | undefined) | undefined {
  const [name = "", window = "", ...words] = keys;
  const [asked, seconds, about] = [counted(name), secondsOf(window), words.join(".")];
  if (asked === undefined || seconds === undefined || !/^(?:|all|team|all\.team)$/.test(about)) return undefined;
  const scope = about.endsWith("team") ? "team" : "session";
  if (scope === "team" && seconds > LONGEST_OF_TEAM) return undefined;
  const isOfAny = about.startsWith("all") || !/^(?:tool|permission):/.test(asked);
  return (event) => RECENT.get(event)?.count(asked, isOfAny ? undefined : event.toolName, seconds, scope);
}

function secondsOf(window: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(window) ?? [];
  const size = UNITS[unit];
  return amount === undefined || size === undefined ? undefined : Number(amount) * size;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_OF_TEAM = 86_400;
const RECENT = new WeakMap<EventFacts, SessionPast>();
