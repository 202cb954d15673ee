import type { Decision } from "../decision/decision.ts";
import { mayConcernIntents } from "./handshake.ts";
import type { Governed } from "./with-intents.ts";

/** Adds what intents have to say to a decision. Where nobody uses intents, none of it is loaded. */
export async function underIntents(decision: Decision, governed: Governed): Promise<Decision> {
  const { type, toolName = "" } = decision.event;
  if (type !== "tool:pre_execute" || (governed.mode === "off" && !mayConcernIntents(toolName))) return decision;
  const { withIntents } = await import("./with-intents.ts");
  return withIntents(decision, governed);
}
