import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { isObject } from "../event/json.ts";

/** What an agent sends about one hook event, under the names that agents use. */
export type RequestPayload = Readonly<Record<string, unknown>>;

/** Anything as a payload; anything but an object is an empty one, and an event's own JSON is translated to an agent's format. */
export function asPayload(data: unknown): RequestPayload {
  const payload = isObject(data) ? data : {};
  const named = payload.hook_event_name ?? payload.hookEventName;
  if (named !== undefined || typeof payload.type !== "string" || !isObject(payload.data)) return payload;
  const type = eventNamed(payload.type);
  if (type === undefined) return payload;
  const { data: said, tool_name: toolName, session_id: sessionId, cwd, agent } = payload;
  const facts = Object.entries({ toolName, sessionId, cwd, agent }).filter(([, value]) => typeof value === "string");
  return payloadOf(new HookEvent({ type, data: said as object, ...Object.fromEntries(facts) }));
}

/** The payload that an event came as, with what hooks have made of it since; else one made from the event. */
export function payloadOf(event: HookEvent): RequestPayload {
  const raw = isObject(event.raw) && typeof event.raw.hook_event_name === "string" ? event.raw : undefined;
  const known = {
    session_id: event.sessionId,
    cwd: event.cwd,
    agent: event.agent,
    tool_name: event.toolName,
    tool_input: dataField(event, "tool_args"),
    tool_response: dataField(event, "tool_result"),
    prompt: dataField(event, "prompt"),
    error: dataField(event, "error"),
  };
  return {
    ...(raw ?? { ...event.data, hook_event_name: nativeName(event.type) }),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** What agents call an event in their payloads and answers: `PreToolUse` for `tool:pre_execute`. */
export function nativeName(name: string): string {
  const event = name.includes(":") ? eventNamed(name) : undefined;
  return (event && eventSpec(event).aliases[0]) ?? name;
}

/** The value of the first of these keys that is a string. */
export function textAt(payload: RequestPayload, ...keys: readonly string[]): string | undefined {
  const key = keys.find((candidate) => typeof valueAt(payload, candidate) === "string");
  return key === undefined ? undefined : (payload[key] as string);
}

/** The value under the first of these keys that is there. */
export function valueAt(payload: RequestPayload, ...keys: readonly string[]): unknown {
  const key = keys.find((candidate) => Object.hasOwn(payload, candidate) && payload[candidate] != null);
  return key === undefined ? undefined : payload[key];
}
