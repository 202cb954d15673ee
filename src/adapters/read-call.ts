import { eventSpec } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import { duplicateKey, MAX_VALUES, SHORTEST_SCANNED, scanJson } from "../event/json-scan.ts";
import { errorText } from "../problem/problem.ts";
import type { Adapter, AgentHookEvent } from "./adapter.ts";
import { ADAPTERS, adapterFor, adapterNamed } from "./index.ts";
import { type Payload, textAt, Unreadable } from "./payload.ts";

/** What an agent handed over: its payload, and what is known beside it. */
export interface AgentCall {
  readonly text: string;
  /** The text as a value, where the caller has read it already. */
  readonly value?: unknown;
  /** The agent, where the command line names it. */
  readonly agent?: string | undefined;
  /** The agent's own name of the hook event, where the command line names it. */
  readonly hookEvent?: string | undefined;
}

/** What a call turned out to be. */
export type ReadCall =
  | { readonly kind: "event"; readonly event: HookEvent; readonly native: Native }
  /** A hook event that this adapter does not have a row for: it is not decided. */
  | { readonly kind: "unknown hook event"; readonly adapter: Adapter; readonly name: string; readonly payload: Payload }
  /** A known hook event, with a payload that lacks a field that it needs. */
  | { readonly kind: "unreadable"; readonly why: string; readonly native: Native }
  /** It is unknown what this is, so it is handled as a gate. */
  | { readonly kind: "nothing"; readonly why: string };

/**
 * Returns who calls, at which hook event, and that event in our names. If a key is there twice, the agent may act on the
 * other one: the call is then unknown, so a gate stays shut.
 */
export function readCall(call: AgentCall): ReadCall {
  const read = readOnce(call);
  if (read.kind !== "event" && read.kind !== "unknown hook event") return read;
  const twice = duplicateKey(call.text);
  if (twice === undefined) return read;
  const why = `the payload has ${JSON.stringify(shown(twice.slice(0, 80)))} twice`;
  if (read.kind !== "event") return { kind: "nothing", why };
  const { native } = read;
  return eventSpec(native.hookEvent.as).gate ? { kind: "unreadable", why, native } : { kind: "nothing", why };
}

function readOnce({ text, value, agent, hookEvent: stated }: AgentCall): ReadCall {
  const payload = isObject(value) ? value : objectIn(text);
  if (typeof payload === "string") return { kind: "nothing", why: payload };
  const named = agent === undefined ? undefined : adapterNamed(agent);
  if (agent !== undefined && named === undefined) return { kind: "nothing", why: noAdapter(agent) };
  const own = toldHookEvent(named, payload, stated);
  if (own !== undefined) return decoded(own, payload);
  // Some agents read the settings of others: a payload that only another agent writes is answered in that agent's format.
  const other = adapterFor(payload);
  const native =
    toldHookEvent(other, payload, stated) ??
    meantHookEvent(named, payload, stated) ??
    meantHookEvent(other, payload, stated);
  return native === undefined ? ofNoHookEvent(payload, named, other, stated) : decoded(native, payload);
}

function decoded(native: Native, raw: Payload): ReadCall {
  const { adapter, hookEvent, payload } = native;
  try {
    const { toolName, data, sessionId, cwd, timestamp } = hookEvent.decode(payload);
    const init = { type: hookEvent.as, agent: adapter.id, toolName, data, sessionId, cwd, timestamp, raw };
    return { kind: "event", event: new HookEvent(init), native };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: "unreadable", why: error.message, native };
  }
}

function ofNoHookEvent(
  payload: Payload,
  named: Adapter | undefined,
  other: Adapter | undefined,
  stated: string | undefined,
): ReadCall {
  const adapter = named ?? other;
  if (adapter === undefined) return { kind: "nothing", why: NO_AGENT };
  const name = named?.hookEventOf(payload) ?? other?.hookEventOf(payload);
  if (name !== undefined && adapter.whyUnknown !== undefined)
    return { kind: "nothing", why: adapter.whyUnknown(shown(name)) };
  if (name !== undefined) return { kind: "unknown hook event", adapter, name, payload };
  return { kind: "nothing", why: stated === undefined ? noHookEvent(adapter) : noSuchHookEvent(adapter, stated) };
}

/** The object that the text is, or why it is none. */
function objectIn(text: string): Payload | string {
  if (text.trim() === "") return `the payload is empty; ${WANTED}`;
  if (text.length > SHORTEST_SCANNED && scanJson(text, MAX_VALUES).isTooMuch)
    return `the payload has more than ${MAX_VALUES} values, so it is not read, and the call does not pass`;
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    return isObject(value) ? value : `the payload is JSON, but not an object; ${WANTED}`;
  } catch (error) {
    return `the payload is not JSON (${shown(errorText(error))}); ${WANTED}`;
  }
}

function noAdapter(agent: string): string {
  return `unknown agent "${agent}"; known are ${ADAPTERS.map(({ id }) => id).join(", ")}`;
}

function noHookEvent({ title, id }: Adapter): string {
  return `the payload does not name a hook event of ${title}; name it: sluice run ${id} --moment <name>`;
}

function noSuchHookEvent({ title, hookEvents }: Adapter, stated: string): string {
  return `the payload does not name its hook event, and ${title} has no "${shown(stated)}"; it has ${Object.keys(hookEvents).join(", ")}`;
}

/** What would write over a terminal is spelled out. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** The agent's side of a call. */
export interface Native {
  readonly adapter: Adapter;
  readonly name: string;
  readonly hookEvent: AgentHookEvent;
  /** The payload as it was sent, or with this hook event's name if it names the same event in another spelling. */
  readonly payload: Payload;
}

/** The hook event that a payload names; else the one that the command line states; else the one that its fields suggest. */
function toldHookEvent(adapter: Adapter | undefined, payload: Payload, stated: string | undefined): Native | undefined {
  if (adapter === undefined) return undefined;
  const own = nativeOf(adapter, adapter.hookEventOf(payload), payload);
  if (stated === undefined || (own !== undefined && isNamed(adapter, payload))) return own;
  return renamed(adapter, stated, payload) ?? own;
}

/** The hook event that was meant by a name in other case, or with other separators. */
function meantHookEvent(
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

/** A payload without a name, or with another one, gets this name: answers repeat it. */
function renamed(adapter: Adapter, name: string, payload: Payload): Native | undefined {
  const [key] = adapter.nameKeys ?? [];
  if (key === undefined) return nativeOf(adapter, name, payload);
  const kindOf = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const named = { ...payload, [key]: Object.hasOwn(adapter.hookEvents, kindOf) ? kindOf : name };
  const more = adapter.hookEventOf(named);
  // `AfterTool.error` is a kind of `AfterTool`.
  return nativeOf(adapter, more?.startsWith(`${name}.`) ? more : name, named);
}

function nativeOf(adapter: Adapter, name: string | undefined, payload: Payload): Native | undefined {
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

const BYTE_ORDER_MARK = 0xfeff;
const WANTED = "an agent sends one JSON object on standard input, and by hand `sluice fire` tries a hook without one";
const NO_AGENT = "the payload does not show which agent it comes from; name it: sluice run <agent>";
