import type { Payload } from "../../../src/adapters/payload.ts";

/** Payloads by a name of their own. */
export type Payloads = Readonly<Record<string, Payload>>;

/** A session in a project. */
export const AT = { session_id: "s-1", cwd: "/home/dev/project" };
/** When it all happened. */
export const TIME = "2026-11-15T00:07:10.906Z";

/** Payloads of agents that speak as Claude Code does. */
export function claudeLike(common: Payload, hookEvents: Payloads): Payloads {
  return named({ ...AT, ...common }, "hook_event_name", hookEvents);
}

/** What comes after a dot in a name only tells cases apart. */
export function named(common: Payload, key: string | undefined, hookEvents: Payloads): Payloads {
  return Object.fromEntries(
    Object.entries(hookEvents).map(([name, more]) => {
      const hookEvent = name.replace(CASE, "");
      return [name, { ...common, ...(key === undefined ? {} : { [key]: hookEvent }), ...more }];
    }),
  );
}

/** Payloads of a bus of events, as the plugin there wraps them. */
export function busEvents(events: Payloads): Payloads {
  return Object.fromEntries(
    Object.entries(events).map(([name, properties]) => [
      `event ${name}`,
      { hook: "event", input: { event: { type: name.replace(/\.no$/, ""), properties } }, cwd: "/home/dev/project" },
    ]),
  );
}

/** The same payloads once more, under names that begin small. */
export function spelledTwice(hookEvents: Payloads): Payloads {
  const older = Object.entries(hookEvents).map(([name, more]) => [name.charAt(0).toLowerCase() + name.slice(1), more]);
  return { ...hookEvents, ...Object.fromEntries(older) };
}

/** Data that an event of our own may have. */
export function ourData(type: string): Payload {
  if (type.startsWith("llm:")) return { data: { llm_model: "m", text: "x" } };
  if (type.startsWith("user:prompt")) return { data: { prompt: "do it" } };
  if (!/^(tool|permission):/.test(type)) return { data: { message: "m" } };
  const result = type === "tool:post_execute" ? { tool_result: "a" } : {};
  return { tool_name: "bash", data: { tool_args: { command: "rm a" }, ...result } };
}

const CASE = /\.(?:mcp|file|continued|failed|several|interrupted)$/;
