import type { EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { countersOf } from "../rule/counts.ts";
import type { CountKey, SessionFlow, SessionPast } from "../rule/recent.ts";
import { COUNT_PERIODS } from "../rule/rule.ts";
import { diskLookups } from "../runners/disk-lookups.ts";

/** What is asked about the past: how many such events a session had lately. */
export interface HistoryQuestion {
  readonly sessionId: string | undefined;
  readonly event: EventName | CountKey;
  /** Only events with this tool; any, when left out. */
  readonly tool?: string | undefined;
  /** Seconds since 1970: events from then on are counted. */
  readonly since: number;
  /** Whether the events of all sessions are counted, until this time: of this machine, and of those that share its counts. */
  readonly ofTeamUntil?: number | undefined;
}

/** Remembers what happened, per session, so that rules can ask about it. */
export interface History {
  record(event: HookEvent): void;
  count(question: HistoryQuestion): number;
  /** Remembers that a call was counted; without it, nothing is counted. */
  recordCount?(event: HookEvent, key: CountKey): void;
  /** When the first event of a session came, in seconds since 1970. */
  began?(sessionId: string | undefined): number | undefined;
  /** What has entered the step of a session since the last prompt of its user. */
  flow?(sessionId: string | undefined): SessionFlow;
}

/** What rules may ask a history about the past of an event, which may have been `counted` under some keys already. */
export function pastOf(
  { sessionId, timestamp }: HookEvent,
  history: History,
  counted?: ReadonlySet<CountKey>,
): SessionPast {
  return {
    counted: (key, per) => {
      const seconds = COUNT_PERIODS[per];
      const ofTeamUntil = per === "session" ? undefined : timestamp;
      const since = Math.max(0, timestamp - seconds);
      const all = history.count({ sessionId, event: key, since, ofTeamUntil });
      // The call itself has been counted already, so that calls that run side by side count each other.
      return all - (counted?.has(key) ? 1 : 0);
    },
    count: (event, tool, seconds, scope) => {
      const ofTeamUntil = scope === "team" ? timestamp : undefined;
      return history.count({ sessionId, event, tool, since: timestamp - seconds, ofTeamUntil });
    },
    began: () => history.began?.(sessionId),
    ...(history.flow === undefined ? {} : { flow: () => history.flow?.(sessionId) ?? NO_FLOW }),
  };
}

/** Counts an event under every condition that these hooks count and that it meets, each once; adds what it was counted under. */
export async function countEvent(
  event: HookEvent,
  hooks: readonly Hook[],
  history: History,
  counted: Set<CountKey>,
): Promise<void> {
  if (history.recordCount === undefined) return;
  for (const hook of hooks)
    for (const { key, meets } of await countersOf(hook, diskLookups)) {
      if (counted.has(key) || !meets(event)) continue;
      history.recordCount(event, key);
      counted.add(key);
    }
}

const NO_FLOW: SessionFlow = { untrusted: [], private: [] };

/** One event that is remembered. */
export interface Remembered {
  readonly event: string;
  readonly tool: string | undefined;
  readonly at: number;
}

/** How many of these answer the question. */
export function countOf(remembered: readonly Remembered[], { event, tool, since }: HistoryQuestion): number {
  return remembered.filter((one) => one.event === event && (tool === undefined || one.tool === tool) && one.at >= since)
    .length;
}

/** A history in memory, for as long as the program runs; bounded in sessions and in events. */
export class SessionHistory implements History {
  readonly #sessions = new Map<string, Remembered[]>();
  readonly #began = new Map<string, number>();
  /** When calls were counted, for each key and session: other events of a long session do not push them out. */
  readonly #counted = new Map<string, readonly number[]>();
  #latest: string | undefined;
  #events: Remembered[] = [];

  record({ type, toolName, sessionId = "", timestamp }: HookEvent): void {
    const events = this.#latest === sessionId ? this.#events : this.#moveToEnd(sessionId);
    if (events.length === 0) this.#began.set(sessionId, timestamp);
    events.push({ event: type, tool: toolName, at: timestamp });
    if (events.length > MAX_EVENTS) events.splice(0, MAX_EVENTS / 2);
  }

  recordCount({ sessionId = "", timestamp }: HookEvent, key: CountKey): void {
    const name = `${key}\n${sessionId}`;
    const times = this.#counted.get(name) ?? [];
    this.#counted.delete(name);
    this.#counted.set(name, [...times.slice(-MAX_COUNTED), timestamp]);
    for (const oldest of [...this.#counted.keys()].slice(0, -MAX_COUNTERS)) this.#counted.delete(oldest);
  }

  /** The session that was used last is the last one, so that the first is the one to forget. */
  #moveToEnd(sessionId: string): Remembered[] {
    const events = this.#sessions.get(sessionId) ?? [];
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, events);
    for (const oldest of [...this.#sessions.keys()].slice(0, -MAX_SESSIONS)) {
      this.#sessions.delete(oldest);
      this.#began.delete(oldest);
    }
    this.#latest = sessionId;
    this.#events = events;
    return events;
  }

  began(sessionId = ""): number | undefined {
    return this.#began.get(sessionId);
  }

  count(question: HistoryQuestion): number {
    if (question.event.startsWith("count ")) return this.#countOfCalls(question);
    if (question.ofTeamUntil === undefined)
      return countOf(this.#sessions.get(question.sessionId ?? "") ?? [], question);
    return [...this.#sessions.values()].reduce((sum, events) => sum + countOf(events, question), 0);
  }

  #countOfCalls({ event, sessionId = "", since, ofTeamUntil }: HistoryQuestion): number {
    const isAsked = (name: string) =>
      ofTeamUntil === undefined ? name === `${event}\n${sessionId}` : name.startsWith(`${event}\n`);
    return [...this.#counted].reduce(
      (sum, [name, times]) => sum + (isAsked(name) ? times.filter((at) => at >= since).length : 0),
      0,
    );
  }
}

const MAX_EVENTS = 2000;
const MAX_COUNTED = 10_000;
const MAX_COUNTERS = 2000;
const MAX_SESSIONS = 500;
