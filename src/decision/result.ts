import type { Hook } from "../hook/hook.ts";
import type { Failure } from "./failure.ts";

/** What a hook, and in the end a decision, can say. */
export type Action = "continue" | "deny" | "ask" | "modify";

/** Why a call is refused, in a word that programs compare. */
export const CODES = [
  "INTENT_REQUIRED",
  "SCOPE_VIOLATION",
  "DESTRUCTIVE_BLOCKED",
  "HOOK_ERROR",
  "MODIFY_CONFLICT",
  "STALE_WRITE",
] as const;
export type Code = (typeof CODES)[number];

/** An opinion, as a runner read it. `allow` also approves what the agent would ask its user about. */
export interface Answer {
  readonly action: Action | "allow";
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
  readonly code?: Code | undefined;
  /** It objects only to a loss that can be undone where what is lost is kept first. */
  readonly undoable?: true;
  /** The rule of a built-in guard that says it. */
  readonly rule?: string | undefined;
  /** What a rule that only watches would have said. */
  readonly wouldBe?: Action | undefined;
}

/** What one run of one hook gave: what it said, and how it ran. */
export interface HookResult {
  readonly hook: Hook;
  readonly action: Action;
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
  readonly code?: Code | undefined;
  /** It objects only to a loss that can be undone where what is lost is kept first. */
  readonly undoable?: true;
  /** The hook approves the call; counts only from the user's own or a managed hook. */
  readonly approves?: true;
  /** What it would have said, had it not been in monitor mode. */
  readonly wouldBe?: Action | undefined;
  /** The rule of a built-in guard that says it. */
  readonly rule?: string | undefined;
  readonly success: boolean;
  readonly shouldContinue: boolean;
  readonly timedOut: boolean;
  readonly error?: string | undefined;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds. */
  readonly duration: number;
  readonly durationMs: number;
  readonly failure?: Failure | undefined;
  /** What was left out or overruled, in a sentence each. */
  readonly notes?: readonly string[];
}

/** How much an action forbids; the strictest wins. */
export const STRICTNESS: Readonly<Record<Action, number>> = { continue: 0, modify: 1, ask: 2, deny: 3 };

/** The same run with another verdict. */
export function overruled(result: HookResult, action: Action, reason: string | undefined, code?: Code): HookResult {
  return { ...result, action, reason, code: code ?? result.code, shouldContinue: action !== "deny" };
}

/** A reason that says what to do instead, where the hook states a remedy; what it says already is not said again. */
export function withRemedy(reason: string | undefined, remedies: readonly string[]): string | undefined {
  const unsaid = remedies.filter((remedy) => !reason?.includes(remedy));
  if (unsaid.length === 0) return reason;
  const step = `Do instead: ${unsaid.join(", or ")}`;
  const said = reason?.trim() ?? "";
  if (said === "") return step;
  return /[\p{L}\p{N})"'`]$/u.test(said) ? `${said}. ${step}` : `${said} ${step}`;
}
