import type { Look } from "../../act/act.ts";
import type { Decision } from "../../decision/decision.ts";
import type { EventName } from "../../event/catalogue.ts";
import { isTraced, type Traced } from "./traced.ts";

/**
 * Adds the trace to a decision. Before a call, files are looked at, and what could not be recorded or would go over
 * unseen changes is refused; after it, what it changed is recorded. Where nothing is traced, none of it is loaded.
 */
export async function underTrace(decision: Decision, traced: Traced, look?: Look): Promise<Decision> {
  const { type, toolName } = decision.event;
  if (!HEARD.includes(type) || (toolName === undefined && type !== "session:end") || !isTraced(traced)) return decision;
  const { withTrace } = await import("./with-trace.ts");
  return withTrace(decision, traced, look);
}

const HEARD: readonly EventName[] = ["tool:pre_execute", "tool:post_execute", "tool:error", "session:end"];
