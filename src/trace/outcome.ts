import { EVENT_NAMES, EVENTS } from "../event/catalogue.ts";
import type { DecisionRecord } from "./record.ts";

/** What an agent was told. */
export function toldAction({ fitted, action }: DecisionRecord): string {
  return fitted?.action ?? action;
}

/** What hooks would have said that only watch; the strictest. */
export function wouldHave({ results }: DecisionRecord): "deny" | "ask" | "modify" | undefined {
  const said = results.map(({ monitor }) => monitor);
  return (["deny", "ask", "modify"] as const).find((action) => said.includes(action));
}

/** Whether a hook denied what could no longer be stopped: the agent was told. */
export function isFeedback(record: DecisionRecord): boolean {
  // At a gate, a permit or what was kept for undo has let the call pass.
  if (toldAction(record) !== "continue" || GATES.has(record.event)) return false;
  return record.results.some(({ action, async }) => action === "deny" && !async);
}

const GATES: ReadonlySet<string> = new Set(EVENT_NAMES.filter((name) => EVENTS[name].gate));
