import type { Action, HookResult } from "../decision/result.ts";

/** Why it cannot be told what a policy comes to about a call. */
export type CannotTell = "redacted" | "cut" | "needs_run";

/** What a policy comes to about a recorded call. */
export type JudgedCall =
  | {
      readonly kind: "verdict";
      readonly action: Action;
      /** What said so, the strictest first; empty where nothing did. */
      readonly said: readonly HookResult[];
    }
  | { readonly kind: "cannot tell"; readonly why: CannotTell };

/** The verdicts of an older and a newer policy about a call. */
export interface BothVerdicts {
  readonly before: JudgedCall;
  readonly after: JudgedCall;
}
