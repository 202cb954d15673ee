import { describeFailure, type Failure } from "../../decision/failure.ts";
import type { Action, Code, HookResult } from "../../decision/result.ts";
import { Hook, type Layer } from "../../hook/hook.ts";
import type { ReadHook } from "../../hook/read.ts";

/** A hook that comes with Sluice, so that its results are shown, recorded and explained like all others. */
export function builtInHook(name: string, description: string, layer: Layer = "managed"): Hook {
  const rule = { field: "tool", operator: "exists", action: "deny" } as const;
  const written = { name, event: "tool:pre_execute", type: "inline", description } as const;
  // No user wrote it, so it is not checked in every process; a test does that.
  const read: ReadHook = { spec: { ...written, inlineRules: [rule] }, errors: [], warnings: [] };
  const origin = { layer, place: { file: BUILT_IN }, index: 0 };
  return Hook.fromJSON({ ...written, inline_rules: [rule] }, origin, { read });
}

/** What such a hook said about one call. */
export function builtInResult(
  hook: Hook,
  said: {
    readonly action: Action;
    readonly reason?: string;
    readonly code?: Code;
    readonly failure?: Failure;
    readonly notes?: readonly string[];
  },
  durationMs: number,
): HookResult {
  const { failure } = said;
  return {
    hook,
    ...said,
    success: failure === undefined,
    shouldContinue: said.action !== "deny",
    timedOut: false,
    error: failure && describeFailure(failure),
    exitCode: null,
    stdout: "",
    stderr: "",
    duration: durationMs / 1000,
    durationMs,
  };
}

/** Where hooks stand that no file holds. */
export const BUILT_IN = "built in";
