import { aggregate, joined } from "../decision/aggregate.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { TOO_MUCH_WORK, WorkBudget } from "../event/work-budget.ts";
import { realPath } from "../fs/resolve-path.ts";
import type { DecideContext, Decided } from "./context.ts";
import { STAGES, type Stage } from "./stages.ts";

/**
 * Decides one event: runs the stages of the table in order. Everything that decides calls this. If the work budget of the
 * call is spent before a gate is decided, the gate denies, and only the recording stages follow.
 */
export async function decide(event: HookEvent, context: DecideContext): Promise<Decided> {
  const { budget = new WorkBudget() } = context;
  attachRoot(event, context.root, realPath(context.root));
  let decided: Decided = { decision: aggregate({ event, results: [] }), told: NOTHING };
  let isSpent = false;
  for (const { whenSpent, run } of CALL_STAGES) {
    if (!isSpent && event.isGate && whenSpent === "deny" && budget.isSpent()) {
      isSpent = true;
      decided = overspent(decided);
    }
    if (isSpent && whenSpent !== "run") continue;
    const next = run(decided, context);
    // Most stages return at once.
    if (!(next instanceof Promise)) decided = next;
    else {
      budget.pause();
      decided = await next;
      budget.resume();
    }
  }
  return decided;
}

function overspent(decided: Decided): Decided {
  const { decision } = decided;
  if (decision.action === "deny" && decision.reasons.some((reason) => reason.startsWith(TOO_MUCH_WORK))) return decided;
  const denial = aggregate({ event: decision.event, results: [], aborted: TOO_MUCH_WORK });
  return { ...decided, decision: joined(decision, denial) };
}

const NOTHING: readonly string[] = [];
const CALL_STAGES = (STAGES as readonly Stage[]).filter((stage) => stage.at === "call");
