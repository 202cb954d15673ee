import type { Failure } from "../../src/decision/failure.ts";
import type { Action } from "../../src/decision/result.ts";

/** One way in which a command hook can go wrong, or only look as if it did. */
export interface Fault {
  /** A sentence about the hook: what it does or is. */
  readonly name: string;
  /** The hook's own keys; its files are made in `place`. */
  readonly hook: (place: Place) => Readonly<Record<string, unknown>>;
  readonly expected: Expected;
  /** Seconds; long enough for a slow machine where the fault does not need the time. */
  readonly deadline?: number;
  /** Bytes of the tool's input. */
  readonly payload?: number;
  /** The caller gives up after so many milliseconds. */
  readonly abortAfter?: number;
  /** What is kept of standard output. */
  readonly stdout?: string | RegExp;
  /** Characters kept of standard output and of standard error. */
  readonly kept?: { readonly stdout?: number; readonly stderr?: number };
  /** What the result says about what was left out. */
  readonly notes?: RegExp;
  /** What the failure says to a person. */
  readonly says?: RegExp;
  /** Where only Linux can find what left the process group. */
  readonly linuxOnly?: true;
}

/** A folder of its own for each run. */
export interface Place {
  readonly folder: string;
  /** Writes a file and gives its path. */
  file(name: string, content: string | Buffer, mode?: number): string;
}

/** What one run has to come to. */
interface Outcome {
  readonly why?: Failure["why"];
  readonly action: Action;
  readonly decision: Action;
}

/** Hooks written with `event` deny when they break and at every exit code; with `matcher` they continue, and 1 denies. */
export type Shape = "event" | "matcher";
/** A gate can still stop the call; after it nothing can be undone. */
export type AgentHookEvent = "gate" | "after";
export type Expected = Readonly<Record<Shape, Readonly<Record<AgentHookEvent, Outcome>>>>;

/** The hook broke: `event` denies, `matcher` lets pass, and the fact is there in both. */
export function breaks(why: Failure["why"]): Expected {
  return {
    event: { gate: { why, action: "deny", decision: "deny" }, after: { why, action: "deny", decision: "continue" } },
    matcher: {
      gate: { why, action: "continue", decision: "continue" },
      after: { why, action: "continue", decision: "continue" },
    },
  };
}

const passing: Outcome = { action: "continue", decision: "continue" };

/** Nothing is wrong with it. */
export const PASSES: Expected = {
  event: { gate: passing, after: passing },
  matcher: { gate: passing, after: passing },
};

/** It denies, and that is its opinion. */
export const DENIES: Expected = {
  event: { gate: { action: "deny", decision: "deny" }, after: { action: "deny", decision: "continue" } },
  matcher: { gate: { action: "deny", decision: "deny" }, after: { action: "deny", decision: "continue" } },
};

/** A code that only hooks of one shape take for a denial. */
export const EXITS_STRANGELY: Expected = { event: DENIES.event, matcher: breaks("exited").matcher };

/** The caller gave up: whatever the hook is allowed to break, the call is not waved through. */
export const ABORTED: Expected = {
  event: breaks("signal").event,
  matcher: breaks("signal").event,
};

/** A change that cannot be made shuts the gate; after it, a broken answer is like any other. */
export const CHANGES_WRONGLY: Expected = {
  event: breaks("bad_json").event,
  matcher: { gate: breaks("bad_json").event.gate, after: breaks("bad_json").matcher.after },
};
