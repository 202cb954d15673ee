import type { Payload } from "../../../src/adapters/payload.ts";

/** What a hook of the agent left behind when it ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What the agent had handed to that hook. */
export interface Handed {
  /** The agent's own name of the hook event, without what we add to tell hook events apart. */
  readonly hookEvent: string;
  readonly payload: Payload;
}

/** What the agent does then. */
export interface Does {
  /** With what was about to happen: a tool, a prompt, the end of a turn. */
  readonly then: "goes on" | "is stopped" | "asks its user";
  /** What the tool, the turn or the request gets, in the agent's own words; as it came when nothing changed it. */
  readonly input?: unknown;
  /** What the model gets as the result, where it is another one. */
  readonly result?: unknown;
  /** What the model hears of the hook. */
  readonly told: string;
  /** The model is told that what it did is objected to, and not merely given words beside the result. */
  readonly objected?: boolean;
  /** What the user gets to read of the hook. */
  readonly shown: string;
  /** The agent does not ask its user although it would have. */
  readonly approved: boolean;
}

/** A small model of how one agent reads the answers of its hooks, written from what was seen of it and from its manual. */
export interface Agent {
  readonly id: string;
  /** It takes a decision about every call, so saying nothing is not possible. */
  readonly knowsNoSilence?: true;
  /** Words for the model after a tool have no other form than an objection. */
  readonly objectsWithAnyWords?: true;
  /** Where the agent has what a hook may change. */
  readonly inputOf: (payload: Payload) => unknown;
  readonly withInput: (payload: Payload, input: unknown) => Payload;
  readonly reads: (ended: Ended, handed: Handed) => Does | Promise<Does>;
}

/** The agent goes on as if there were no hook. */
export function goesOn(more: Partial<Does> = {}): Does {
  return { then: "goes on", told: "", shown: "", approved: false, ...more };
}

/** What was about to happen does not. */
export function stopped(told: unknown, more: Partial<Does> = {}): Does {
  return { ...goesOn(), then: "is stopped", told: text(told), ...more };
}

/** The user decides. */
export function asks(shown: unknown, more: Partial<Does> = {}): Does {
  return { ...goesOn(), then: "asks its user", shown: text(shown), ...more };
}

/** The one JSON object that a text is; nothing when there is anything around it. */
export function objectIn(stdout: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An object with keys. */
export function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a key; an empty one when there is none. */
export function part(holder: Payload | undefined, key: string): Payload {
  const value = holder?.[key];
  return isObject(value) ? value : {};
}

/** A text, or nothing. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Several texts, one after the other. */
export function together(...texts: readonly unknown[]): string {
  return texts.map(text).filter(Boolean).join("\n");
}

/** Where Claude Code and its relatives keep a tool's input. */
export const TOOL_INPUT: Pick<Agent, "inputOf" | "withInput"> = {
  inputOf: (payload) => payload.tool_input,
  withInput: (payload, input) => ({ ...payload, tool_input: input }),
};
