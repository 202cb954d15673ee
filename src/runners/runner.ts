import type { Failure } from "../decision/failure.ts";
import type { Answer } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import type { LlmSettings } from "../llm/llm-settings.ts";

/** What a runner reports: facts, and the opinion it could read. It never decides what a failure means. */
export interface Ran {
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
  /** Where hooks run that name no folder, for events that name none. */
  readonly workingDir: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Which model answers `llm` hooks; from the user or the administrator only. */
  readonly llm?: LlmSettings | undefined;
  /** How many hooks deep this run is; 1 when no hook started it. */
  readonly depth: number;
}

/** Executes one kind of hook. */
export type Runner = (hook: Hook, event: HookEvent, context: RunContext) => Promise<Ran>;

/** A run that broke before anything was printed. */
export function broken(failure: Failure): Ran {
  return { failure, exitCode: null, stdout: "", stderr: "" };
}
