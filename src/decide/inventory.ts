import { callHash } from "../approvals/call-hash.ts";
import { withResult as joinedWith } from "../decision/aggregate.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import { changedStates, rememberStates, VANISHED, vanishedResult } from "../policies/protect/vanished.ts";
import { confirmAsked, hasAsked, rememberAsked } from "../trust/inventory.ts";
import type { DecideContext, Decided } from "./context.ts";
import type { Configuration } from "./project.ts";

/** Compares what is enforced with what was; the end of a call that was asked about confirms what the question named. */
export function compareInventory(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project, env, hasInventory, isDry = false } = context;
  const { event } = decided.decision;
  if (project === undefined || !hasInventory) return decided;
  if (ENDS.has(event.type)) return isDry || !hasAsked({ env }) ? decided : confirmed(decided, context);
  if (event.type !== "tool:pre_execute") return decided;
  const states = changedStates(project, event, env);
  if (states.length === 0) return decided;
  const question = vanishedResult(states);
  if (question !== undefined && isDenied(decided.decision, project)) return decided;
  const act = () =>
    question === undefined
      ? rememberStates(states, env)
      : rememberAsked({ call: callName(event), at: Date.now(), states }, { env });
  return noted(withResult(decided, question), context, question !== undefined && !context.canAsk ? undefined : act);
}

/** Writes down what was found, after the answer where that can be. */
async function noted(
  decided: Decided,
  { isDry, begin, journal }: DecideContext,
  act: (() => void) | undefined,
): Promise<Decided> {
  if (isDry || act === undefined) return decided;
  const later = unrecorded(journal?.afterwards);
  if (later === undefined) await begin?.();
  (later ?? atOnce)(act);
  return decided;
}

/** A call that has run was approved, and with it the change that its question named. */
async function confirmed(decided: Decided, context: DecideContext): Promise<Decided> {
  const { env } = context;
  const call = callName(decided.decision.event);
  return noted(decided, context, () => confirmAsked(call, { env }));
}

/** What identifies a call before it runs and after it: its id, or else its session, tool and input. */
function callName(event: HookEvent): string {
  const { tool_use_id, tool_call_id } = event.data as Readonly<Record<string, unknown>>;
  const id = tool_use_id ?? tool_call_id;
  const input = typeof id === "string" ? id : callHash(event);
  return `${event.sessionId ?? ""} ${event.toolName ?? ""} ${input}`;
}

/** A person who allows a call once has read what is missing, and so accepts it. */
export function acceptAllowed({ event, results }: Decision, project: Configuration, env: DecideContext["env"]): void {
  if (results.some(({ hook }) => hook === VANISHED)) rememberStates(changedStates(project, event, env), env);
}

/** Whether a call is denied for good: all stages before `undo` leave open what `undo` may let pass. */
export function isDenied({ action, results }: Decision, project: Configuration | undefined): boolean {
  if (action !== "deny") return false;
  return project?.settings.undo === undefined || !results.some(({ undoable }) => undoable);
}

/**
 * How a daemon does after its answer what an undo needs besides the bytes: the agent changes nothing before it has the
 * answer, and its next call is decided after these acts.
 */
export function unrecorded(later: ((act: () => void) => void) | undefined): ((act: () => void) => void) | undefined {
  if (later === undefined) return undefined;
  return (act) =>
    later(() => {
      try {
        act();
      } catch {
        // Undo then reports that the end of the call is unknown.
      }
    });
}

/** A decision with one more result. */
export function withResult(decided: Decided, result: HookResult | undefined): Decided {
  return result === undefined ? decided : { ...decided, decision: joinedWith(decided.decision, result) };
}

/** Does something without waiting for an answer to be sent. */
export const atOnce = (act: () => void): void => act();
/** The events after a call. */
export const ENDS: ReadonlySet<string> = new Set(["tool:post_execute", "tool:error"]);
