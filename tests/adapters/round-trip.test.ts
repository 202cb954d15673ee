import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Payload } from "../../src/adapters/payload.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import type { HookEvent } from "../../src/event/event.ts";
import { isOfKind } from "../../src/event/tool-kinds.ts";
import { isObject } from "./agents/agent.ts";
import { payloadsOf, type Sent } from "./payloads.ts";

const CALLS = ADAPTERS.flatMap((adapter) => payloadsOf(adapter).map((sent) => [adapter.id, sent.name, sent] as const));

describe("a payload in our words", () => {
  it.each(ADAPTERS)("keeps the original of $title, and loses nothing of it", ({ id }) => {
    for (const [agent, name, sent] of CALLS) if (agent === id) expect(lostOf(id, name, sent), name).toEqual([]);
  });

  /** What the event has lost of a payload. */
  function lostOf(id: string, name: string, sent: Sent): unknown[] {
    const event = eventOf(id, sent);
    expect(event.raw, name).toEqual(sent.payload);
    expect(JSON.parse(JSON.stringify(event)), name).toMatchObject({ type: event.type, agent: id });
    const kept = new Set(scalarsIn({ ...event.data, ...facts(event) }));
    const named = event.toolName?.split("__") ?? [];
    const isKept = (value: unknown) =>
      kept.has(value) ||
      String(value)
        .split(/[@/]/)
        .every((word) => !word || named.includes(word));
    const lost = scalarsIn(withoutEnvelope(sent.payload)).filter((value) => !isKept(value));
    return lost.filter((value) => !isLeftOut(id, name, value));
  }

  it("a shell call of every agent carries its text", () => {
    const silent = CALLS.filter(([id, , sent]) => isShell(id, sent)).filter(([id, , sent]) => {
      const { tool_args } = eventOf(id, sent).data;
      return !isObject(tool_args) || typeof tool_args.command !== "string" || tool_args.command === "";
    });
    expect(silent).toEqual([]);
  });

  it("every agent has a shell call here", () => {
    const ids = new Set(CALLS.filter(([id, , sent]) => isShell(id, sent)).map(([id]) => id));
    expect(ADAPTERS.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  });
});

function eventOf(agent: string, { payload, hookEvent }: Sent): HookEvent {
  const read = readCall({ text: JSON.stringify(payload), agent, hookEvent });
  if (read.kind !== "event") throw new Error(`${read.kind}: ${JSON.stringify(payload)}`);
  return read.event;
}

function isShell(id: string, sent: Sent): boolean {
  const { toolName, type } = eventOf(id, sent);
  return toolName !== undefined && type === "tool:pre_execute" && isOfKind(toolName, "@shell");
}

function facts({ toolName, sessionId, cwd, agent, timestamp }: HookEvent): object {
  return { toolName, sessionId, cwd, agent, timestamp, milliseconds: Math.round(timestamp * 1000) };
}

/** Texts, numbers and yes or no, wherever they lie; JSON inside of a text counts as what it is. */
function scalarsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn);
  if (isObject(value)) return Object.values(value).flatMap(scalarsIn);
  if (typeof value === "string" && /^[{[]/.test(value)) return [...scalarsIn(parsed(value)), value];
  return value === null || value === undefined ? [] : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How an agent names its hook events is what tells the type of the event. */
function withoutEnvelope(payload: Payload): Payload {
  const { hook_event_name, agent_action_name, hookName, hook, timestamp, type, agent, event, ...rest } = payload;
  return { ...rest, ...(typeof event === "object" ? { event } : {}) };
}

/** What is left out for a reason. */
function isLeftOut(id: string, name: string, value: unknown): boolean {
  const text = String(value);
  if (id === "opencode" && name === "chat.params") return true;
  if (id === "opencode") return /^evt_/.test(text) || name.includes("event") || text === "ask";
  return typeof value === "string" && /^[{[]/.test(value) && parsed(value) !== undefined;
}
