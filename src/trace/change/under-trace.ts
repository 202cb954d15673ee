import type { Decision } from "../../decision/decision.ts";
import type { LookupsFor } from "../../effects/effect.ts";
import type { EventName } from "../../event/catalogue.ts";
import { isTraced, type Traced } from "./traced.ts";

/**
 * Adds the trace to a decision. Before a call, files are looked at, and what could not be recorded or would go over
 * unseen changes is refused; after it, what it changed is recorded; at the end of a session, what no call explains is
 * reported. If nothing is traced, none of it is loaded.
 */
export async function underTrace(decision: Decision, traced: Traced, look?: LookupsFor): Promise<Decision> {
  const { type, toolName } = decision.event;
  const isTracedEvent = toolName === undefined ? OF_SESSIONS.includes(type) : OF_TOOLS.includes(type);
  const isTurn = type === "session:stop" && !traced.isTurnTheEnd;
  if (!isTracedEvent || isTurn || !isTraced(traced)) return decision;
  const { withTrace } = await import("./with-trace.ts");
  return withTrace(decision, traced, look);
}

const OF_TOOLS: readonly EventName[] = ["tool:pre_execute", "tool:post_execute", "tool:error"];
const OF_SESSIONS: readonly EventName[] = ["session:start", "session:stop", "session:end"];
