import { HookEvent } from "../event/event.ts";
import type { Adapter, Moment } from "./adapter.ts";
import { ADAPTERS, adapterFor, adapterNamed } from "./index.ts";
import { isObject, type Payload, Unreadable } from "./payload.ts";

/** What an agent handed over: its payload, and what is known beside it. */
export interface Call {
  readonly text: string;
  /** The agent, where the command line names it. */
  readonly agent?: string | undefined;
  /** The agent's own name of the moment, where the command line names it. */
  readonly moment?: string | undefined;
}

/** What a call turned out to be. */
export type ReadCall =
  | { readonly kind: "event"; readonly event: HookEvent; readonly native: Native }
  /** A moment that this adapter has no row for: nothing is said about it. */
  | { readonly kind: "unknown moment"; readonly adapter: Adapter; readonly name: string; readonly payload: Payload }
  /** A moment that is known, with a payload that lacks what it stands for. */
  | { readonly kind: "unreadable"; readonly why: string; readonly native: Native }
  /** Nobody can tell what this is, so it counts as a gate. */
  | { readonly kind: "nothing"; readonly why: string };

/** The agent's side of a call. */
export interface Native {
  readonly adapter: Adapter;
  readonly name: string;
  readonly moment: Moment;
  readonly payload: Payload;
}

/** Tells who calls, at which moment, and what that is in our words. */
export function readCall({ text, agent, moment: stated }: Call): ReadCall {
  const payload = objectIn(text);
  if (typeof payload === "string") return { kind: "nothing", why: payload };
  const named = agent === undefined ? undefined : adapterNamed(agent);
  if (agent !== undefined && named === undefined) return { kind: "nothing", why: noAdapter(agent) };
  // Some agents read the settings of others: a payload that only another agent writes is answered in that agent's words.
  const adapter = knows(named, payload, stated) ? named : (adapterFor(payload) ?? named);
  if (adapter === undefined) return { kind: "nothing", why: NO_AGENT };
  const name = nameOf(adapter, payload, stated);
  if (name === undefined) return { kind: "nothing", why: noMoment(adapter) };
  const moment = momentNamed(adapter, name);
  if (moment === undefined) return { kind: "unknown moment", adapter: named ?? adapter, name, payload };
  const native = { adapter, name, moment, payload };
  try {
    const { toolName, data, sessionId, cwd, timestamp } = moment.decode(payload);
    const init = { type: moment.as, agent: adapter.id, toolName, data, sessionId, cwd, timestamp, raw: payload };
    return { kind: "event", event: new HookEvent(init), native };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: "unreadable", why: error.message, native };
  }
}

function knows(adapter: Adapter | undefined, payload: Payload, stated: string | undefined): boolean {
  const name = adapter && nameOf(adapter, payload, stated);
  return adapter !== undefined && name !== undefined && momentNamed(adapter, name) !== undefined;
}

/** What the command line states, unless the payload says more: `AfterTool.error` is a kind of `AfterTool`. */
function nameOf({ momentOf }: Adapter, payload: Payload, stated: string | undefined): string | undefined {
  const told = momentOf(payload);
  return stated === undefined || told?.startsWith(`${stated}.`) ? told : stated;
}

function momentNamed({ moments }: Adapter, name: string): Moment | undefined {
  return Object.hasOwn(moments, name) ? moments[name] : undefined;
}

/** The object that the text is, or why it is none. */
function objectIn(text: string): Payload | string {
  if (text.trim() === "") return `the payload is empty; ${WANTED}`;
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    return isObject(value) ? value : `the payload is JSON and no object; ${WANTED}`;
  } catch (error) {
    return `the payload is no JSON (${error instanceof Error ? error.message : String(error)}); ${WANTED}`;
  }
}

function noAdapter(agent: string): string {
  return `there is no agent "${agent}"; known are ${ADAPTERS.map(({ id }) => id).join(", ")}`;
}

function noMoment({ title, id }: Adapter): string {
  return `the payload does not say which moment of ${title} this is; name it: sluice run ${id} --moment <name>`;
}

const BYTE_ORDER_MARK = 0xfeff;
const WANTED = "an agent sends one JSON object on standard input, and by hand `sluice fire` tries a hook without one";
const NO_AGENT = "the payload does not tell which agent it comes from; name it: sluice run <agent>";
