import { EVENT_NAMES, type EventName, eventsDerivedFrom } from "../event/catalogue.ts";
import type { Hook } from "../hook/hook.ts";
import type { Adapter } from "./adapter.ts";

/** The hooks that match only events which no agent sends, whichever are installed: a program of one's own has to fire those. */
export function neverSent(agents: readonly Adapter[], hooks: readonly Hook[]): readonly Hook[] {
  const sent = new Set(agents.flatMap(eventsOf));
  return hooks.filter((hook) => !EVENT_NAMES.some((event) => sent.has(event) && hook.toolsFor(event) !== "never"));
}

/** Every event that follows from an agent's calls: what it sends by itself or within another hook event, and what is derived. */
export function eventsOf({ hookEvents }: Adapter): EventName[] {
  const rows = Object.entries(hookEvents);
  const asked = rows.filter(([, { installed }]) => installed !== "never").map(([name]) => name);
  // `AfterTool.error` comes as `AfterTool`, which is asked for.
  const isWithin = (name: string) => asked.some((other) => name.startsWith(`${other}.`));
  const own = rows.filter(([name]) => asked.includes(name) || isWithin(name)).map(([, { as }]) => as);
  return [...own, ...own.flatMap(eventsDerivedFrom)];
}
