import { isYes } from "../decide/approve.ts";
import { ToolDeniedError } from "../decision/blocked.ts";
import type { Decision } from "../decision/decision.ts";
import { toolNamed } from "../hosts/session.ts";
import { errorText } from "../problem/problem.ts";
import type { Hooks } from "./hooks.ts";

/** One call of a tool, as an SDK is about to make it. */
export interface SdkToolCall<Input> {
  readonly name: string;
  readonly input: Input;
  /** The SDK's own id of this call. */
  readonly callId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The SDK has asked its user about this very input, and the answer was yes. */
  readonly isApproved?: boolean;
}

/** What hooks said before a call: its input as they let it through, or why they did not. */
export type Admission<Input> =
  | { readonly kind: "admitted"; readonly input: Input; readonly contexts: readonly string[]; readonly began: number }
  | { readonly kind: "denied"; readonly error: ToolDeniedError; readonly text: string };

/** How a call ended: with an output and what the agent should know besides, or with a denial. */
export type GuardedOutcome<Output> =
  | { readonly kind: "ran"; readonly output: Output; readonly contexts: readonly string[] }
  | Extract<Admission<never>, { kind: "denied" }>;

/** Puts hooks around one call; the tool's own error reaches the caller. */
export async function guardCall<Input, Output>(
  hooks: Hooks,
  call: SdkToolCall<Input>,
  run: (input: Input) => Promise<Output> | Output,
): Promise<GuardedOutcome<Output>> {
  const admission = await admit(hooks, call);
  if (admission.kind === "denied") return admission;
  let output: Output;
  try {
    output = await run(admission.input);
  } catch (error) {
    await reportError(hooks, call, admission, error);
    throw error;
  }
  return report(hooks, call, admission, output);
}

/** Asks the hooks, and the user where they ask, whether a call may be made. */
export async function admit<Input>(hooks: Hooks, call: SdkToolCall<Input>): Promise<Admission<Input>> {
  const { input, signal } = call;
  const decision = await before(hooks, call);
  signal?.throwIfAborted();
  if (await isRefused(hooks, call, decision)) {
    const error = new ToolDeniedError(decision);
    return { kind: "denied", error, text: [error.message, ...decision.contexts].join("\n") };
  }
  const final = decision.input === undefined ? input : (decision.input as Input);
  return { kind: "admitted", input: final, contexts: decision.contexts, began: performance.now() };
}

/** What the hooks say before a call, and nothing else. */
export async function before(hooks: Hooks, call: SdkToolCall<unknown>): Promise<Decision> {
  toolNamed(call.name, 'guardFunction(hooks, "bash", run)');
  const data = { tool_args: call.input, ...idOf(call) };
  return hooks.decide({ type: "tool:pre_execute", ...about(call), data }, { signal: call.signal });
}

/** Tells the hooks of a result; they may replace it. */
export async function report<Output>(
  hooks: Hooks,
  call: SdkToolCall<unknown>,
  admission: Extract<Admission<unknown>, { kind: "admitted" }>,
  output: Output,
): Promise<Extract<GuardedOutcome<Output>, { kind: "ran" }>> {
  const data = { ...afterwards(call, admission), tool_result: output };
  const after = await hooks.decide({ type: "tool:post_execute", ...about(call), data }, unlessAborted(call));
  const final = after.output === undefined ? output : (after.output as Output);
  return { kind: "ran", output: final, contexts: [...admission.contexts, ...after.contexts] };
}

/** Tells the hooks that the tool failed, and gives back what the agent should know about it. */
export async function reportError(
  hooks: Hooks,
  call: SdkToolCall<unknown>,
  admission: Extract<Admission<unknown>, { kind: "admitted" }>,
  error: unknown,
): Promise<readonly string[]> {
  const message = errorText(error);
  const data = { ...afterwards(call, admission), error: message };
  const options = { ...unlessAborted(call), ...(error instanceof Error ? { failure: { thrown: error } } : {}) };
  const after = await hooks.decide({ type: "tool:error", ...about(call), data }, options);
  return [...admission.contexts, ...after.contexts];
}

/** An approval is valid for the input that was approved: where hooks change it as well, the user has not seen what would run. */
async function isRefused(hooks: Hooks, call: SdkToolCall<unknown>, decision: Decision): Promise<boolean> {
  if (decision.action !== "ask") return decision.action === "deny";
  if (call.isApproved === true && decision.input === undefined) return false;
  return !isYes(await hooks.onAsk?.(decision));
}

function about({ name, sessionId }: SdkToolCall<unknown>): { toolName: string; sessionId: string | undefined } {
  return { toolName: name, sessionId };
}

function idOf({ callId }: SdkToolCall<unknown>): object {
  return callId === undefined ? {} : { tool_use_id: callId };
}

function afterwards(call: SdkToolCall<unknown>, { input, began }: { input: unknown; began: number }): object {
  return { tool_args: input, ...idOf(call), duration_ms: performance.now() - began };
}

/** Hooks are told of an abort too, so only a later one ends them. */
function unlessAborted({ signal }: SdkToolCall<unknown>): { signal?: AbortSignal | undefined } {
  return signal?.aborted ? {} : { signal };
}
