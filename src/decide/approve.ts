import type { Decision } from "../decision/decision.ts";
import { concernsIntents } from "../policies/intent/under-intents.ts";

/** Does what waited for the approval of a call that was asked about: binds the session that selects an intent. */
export async function approve(decision: Decision, root: string): Promise<void> {
  if (!concernsIntents(decision.event, "off")) return;
  const { bindApproved } = await import("../policies/intent/with-intents.ts");
  bindApproved(decision, root);
}

/** Whether a host's user agreed. Hosts are often written without types, and the string "no" is truthy. */
export function isYes(answer: unknown): boolean {
  return answer === true;
}
