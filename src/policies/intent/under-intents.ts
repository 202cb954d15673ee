import type { Decision } from "../../decision/decision.ts";
import type { HookEvent } from "../../event/event.ts";
import { mayConcernIntents } from "./handshake.ts";
import type { Governed } from "./with-intents.ts";

/** Adds what intents have to say to a decision. Where a project has no intents, none of it is loaded. */
export async function underIntents(decision: Decision, governed: Governed): Promise<Decision> {
  if (!concernsIntents(decision.event, governed.mode)) return decision;
  const { withIntents } = await import("./with-intents.ts");
  return withIntents(decision, governed);
}

/** Whether intents have anything to do with an event. */
export function concernsIntents({ type, toolName = "" }: HookEvent, mode: Governed["mode"]): boolean {
  return type === "tool:pre_execute" && (mode !== "off" || mayConcernIntents(toolName));
}
