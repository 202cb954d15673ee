import type { Hook } from "../hook/hook.ts";
import type { Failure } from "./failure.ts";

/** The actions of a hook, and in the end of a decision. */
export type Action = "continue" | "deny" | "ask" | "modify";

/** Why a call is refused, as a code that programs compare. */
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
  /** The rule of a built-in guard that decided it. */
  readonly rule?: string | undefined;
  /** What a rule in monitor mode would have decided. */
  readonly wouldBe?: Action | undefined;
}

/** The result of one run of one hook: its answer, and how it ran. */
export interface HookResult {
  readonly hook: Hook;
  readonly action: Action;
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
  readonly code?: Code | undefined;
  /** It objects only to a loss that can be undone where what is lost is kept first. */
  readonly undoable?: true;
  /** The hook approves the call; valid only from the user's own or a managed hook. */
  readonly approves?: true;
  /** What it would have decided without monitor mode. */
  readonly wouldBe?: Action | undefined;
  /** The rule of a built-in guard that decided it. */
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

/** A reason with its remedy, if the hook has one; a remedy that the reason contains already is not repeated. */
export function withRemedy(reason: string | undefined, remedies: readonly string[]): string | undefined {
  const unsaid = remedies.filter((remedy) => !reason?.includes(remedy));
  if (unsaid.length === 0) return reason;
  const step = `Do instead: ${unsaid.join(", or ")}`;
  const said = reason?.trim() ?? "";
  if (said === "") return step;
  return /[\p{L}\p{N})"'`]$/u.test(said) ? `${said}. ${step}` : `${said} ${step}`;
}
