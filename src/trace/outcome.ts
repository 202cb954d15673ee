import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";
import type { DecisionRecord } from "./record.ts";

/** What an agent was answered. */
export function answeredAction({ told, fitted, action }: DecisionRecord): string {
  return told ?? fitted?.action ?? action;
}

/** The strictest action of hooks in monitor mode. */
export function wouldHave({ results }: DecisionRecord): "deny" | "ask" | "modify" | undefined {
  const said = results.map(({ monitor }) => monitor);
  return (["deny", "ask", "modify"] as const).find((action) => said.includes(action));
}

/** Whether a hook denied what could no longer be stopped: the agent was notified. */
export function isFeedback(record: DecisionRecord): boolean {
  // At a gate, a permit or what was kept for undo has let the call pass.
  if (answeredAction(record) !== "continue" || isOfGate(record)) return false;
  return record.results.some(({ action, async }) => action === "deny" && !async);
}

/** Whether hooks denied at a gate, and the agent continued because it cannot be stopped there. */
export function isUnstopped({ action, told }: DecisionRecord): boolean {
  return action === "deny" && told === "continue";
}

/** Whether a hook could still have stopped the call. */
export function isOfGate({ event }: Pick<DecisionRecord, "event">): boolean {
  return GATES.has(event);
}

const GATES: ReadonlySet<string> = new Set(EVENT_NAMES.filter((name) => eventSpec(name).gate));

/** The names by which calls are selected by their result. */
export const OUTCOMES: Readonly<Record<string, (record: DecisionRecord) => boolean>> = {
  deny: (record) => answeredAction(record) === "deny" || isUnstopped(record),
  ask: (record) => answeredAction(record) === "ask",
  modify: (record) => answeredAction(record) === "modify",
  continue: (record) => answeredAction(record) === "continue",
  feedback: isFeedback,
  monitor: (record) => wouldHave(record) !== undefined,
  failed: ({ results }) => results.some(({ failure }) => failure !== undefined),
};

/** The reason of denials of calls that `sluice doctor` makes up; the mark of the call follows. */
export const CANARY_REASON = "sluice doctor's canary ";

/** Whether a recorded call is one that `sluice doctor` made up, by the reason of its denial. */
export function isCanary(results: readonly { readonly reason?: string }[]): boolean {
  return results.some(({ reason }) => reason?.startsWith(CANARY_REASON));
}
