import type { Failure } from "../decision/failure.ts";
import type { Answer, HookResult } from "../decision/result.ts";
import { attempt } from "../event/attempt.ts";
import type { HookEvent } from "../event/event.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import { type Hook, preparedOf } from "../hook/hook.ts";
import type { LlmSettings } from "../llm/llm-settings.ts";
import type { SessionPast } from "../rule/recent.ts";

/** What a runner reports: facts, and the opinion it could read. It never decides what a failure means. */
export interface Ran {
  /** Beside a failure: the results of parts that did not fail, and the meaning of the others' failure. */
  readonly answer?: Answer | undefined;
  readonly failure?: Failure | undefined;
  /** `null` when no process ended with a code. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly notes?: readonly string[];
}

/** What a run may use besides the hook and the event. */
export interface RunContext {
  /** Seconds until the run has to be over. */
  readonly deadline: number;
  /** The folder for hooks without a folder of their own, for events without one. */
  readonly workingDir: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Nothing waits for this run: it does not delay the program's exit, and ends only at its deadline. */
  readonly isBackground?: boolean | undefined;
  /** Which model answers `llm` hooks; from the user or the administrator only. */
  readonly llm?: LlmSettings | undefined;
  /** How often something happened lately in the event's session, for rules that ask. */
  readonly recent?: SessionPast | undefined;
  /** What is left of the work that the call may cost. */
  readonly budget?: WorkBudget | undefined;
  /** How many hooks deep this run is; 1 when no hook started it. */
  readonly depth: number;
  /** Takes an event through other hooks, as an engine does; for hooks that are made of hooks. */
  readonly runHooks?: RunHooks | undefined;
}

/** Runs hooks one after the other, neighbours marked `parallel` together, and puts together what they changed. */
export type RunHooks = (
  hooks: readonly Hook[],
  event: HookEvent,
  options: {
    /** When all of them have to be over, by the clock of `milliseconds()`. */
    readonly until: number;
    readonly stopOnFailure: boolean;
  },
) => Promise<{ readonly results: readonly HookResult[]; readonly event: HookEvent; readonly isChanged: boolean }>;

/** Executes one kind of hook. */
export type Runner = (hook: Hook, event: HookEvent, context: RunContext) => Promise<Ran> | Ran;

/** A run that broke before anything was printed. */
export function broken(failure: Failure): Ran {
  return { failure, exitCode: null, stdout: "", stderr: "" };
}

/** A run that is discarded: the approved files were not those that would run, or may not be those that ran. */
export const CHANGED: Ran = {
  answer: {
    action: "deny",
    reason: "A file that this hook runs changed while it was called. Its answer is ignored.",
  },
  failure: { why: "exception", message: "a file that it runs changed while it was called" },
  exitCode: null,
  stdout: "",
  stderr: "",
};

/** A run of a hook without a result and without output. */
export const PASSED: Ran = Object.freeze({
  answer: Object.freeze({ action: "continue" }),
  exitCode: null,
  stdout: "",
  stderr: "",
});

/** Whether a hook has been compiled and certainly passes an event: the common case, without the rest of a run. */
export function passesAtOnce(hook: Hook, event: HookEvent): boolean {
  const kept = preparedOf(hook) as { readonly passes?: (event: HookEvent) => boolean } | undefined;
  return attempt(() => kept?.passes?.(event)) ?? false;
}

/** A run that was ended from outside, before it answered. */
export const ABORTED = { why: "signal", signal: "SIGTERM", aborted: true } as const;
