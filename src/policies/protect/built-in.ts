import { describeFailure, type Failure } from "../../decision/failure.ts";
import type { Action, Code, HookResult } from "../../decision/result.ts";
import { Hook, type Layer } from "../../hook/hook.ts";
import type { ReadHook } from "../../hook/read.ts";

/** Creates a hook that is part of Sluice, so that its results are shown, recorded and explained like those of other hooks. */
export function builtInHook(name: string, description: string, layer: Layer = "managed"): Hook {
  const rule = { field: "tool", operator: "exists", action: "deny" } as const;
  const written = { name, event: "tool:pre_execute", type: "inline", description } as const;
  // A test checks it, so it is not checked in every process.
  const read: ReadHook = { spec: { ...written, inlineRules: [rule] }, errors: [], warnings: [] };
  const origin = { layer, place: { file: BUILT_IN }, index: 0 };
  return Hook.fromJSON({ ...written, inline_rules: [rule] }, origin, { read });
}

/** The result of such a hook for one call. */
export function builtInResult(
  hook: Hook,
  answer: {
    readonly action: Action;
    readonly reason?: string;
    readonly code?: Code;
    readonly failure?: Failure;
    readonly notes?: readonly string[];
  },
  durationMs: number,
): HookResult {
  const { failure } = answer;
  return {
    hook,
    ...answer,
    success: failure === undefined,
    shouldContinue: answer.action !== "deny",
    timedOut: false,
    error: failure && describeFailure(failure),
    exitCode: null,
    stdout: "",
    stderr: "",
    duration: durationMs / 1000,
    durationMs,
  };
}

/** The file name in the place of hooks that are not in a file. */
export const BUILT_IN = "built in";
