import type { Adapter, AgentHookEvent } from "./adapter.ts";
import { type Payload, textAt } from "./payload.ts";

/** The agent's side of a call. */
export interface Native {
  readonly adapter: Adapter;
  readonly name: string;
  readonly hookEvent: AgentHookEvent;
  /** As it was sent, or as it reads where it says itself that it is of this hook event. */
  readonly payload: Payload;
}

/** The hook event that a payload names; else the one that the command line states; else the one that its fields suggest. */
export function toldHookEvent(
  adapter: Adapter | undefined,
  payload: Payload,
  stated: string | undefined,
): Native | undefined {
  if (adapter === undefined) return undefined;
  const own = told(adapter, adapter.hookEventOf(payload), payload);
  if (stated === undefined || (own !== undefined && isNamed(adapter, payload))) return own;
  return renamed(adapter, stated, payload) ?? own;
}

/** The hook event that was meant by a name in other letters, or with other marks between its words. */
export function meantHookEvent(
  adapter: Adapter | undefined,
  payload: Payload,
  stated: string | undefined,
): Native | undefined {
  if (adapter === undefined) return undefined;
  for (const spelled of [adapter.hookEventOf(payload), stated]) {
    const name = spelled && Object.keys(adapter.hookEvents).find((known) => letters(known) === letters(spelled));
    if (name) return renamed(adapter, name, payload);
  }
  return undefined;
}

/** A payload without a name, or with another, is given this one: answers repeat it, and its fields may say more. */
function renamed(adapter: Adapter, name: string, payload: Payload): Native | undefined {
  const [key] = adapter.nameKeys ?? [];
  if (key === undefined) return told(adapter, name, payload);
  const kindOf = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const named = { ...payload, [key]: Object.hasOwn(adapter.hookEvents, kindOf) ? kindOf : name };
  const more = adapter.hookEventOf(named);
  // `AfterTool.error` is a kind of `AfterTool`.
  return told(adapter, more?.startsWith(`${name}.`) ? more : name, named);
}

function told(adapter: Adapter, name: string | undefined, payload: Payload): Native | undefined {
  if (name === undefined || !Object.hasOwn(adapter.hookEvents, name)) return undefined;
  const hookEvent = adapter.hookEvents[name];
  return hookEvent && { adapter, name, hookEvent, payload };
}

function isNamed({ nameKeys }: Adapter, payload: Payload): boolean {
  return nameKeys === undefined || textAt(payload, ...nameKeys) !== undefined;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
