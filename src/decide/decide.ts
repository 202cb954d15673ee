import { aggregate, joined } from "../decision/aggregate.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { realPath } from "../fs/resolve-path.ts";
import { TOO_MUCH_WORK, WorkBudget } from "../event/work-budget.ts";
import type { DecideContext, Decided } from "./context.ts";
import { type StageName, STAGES } from "./stages.ts";

/**
 * Decides one event: takes it through every stage of the table, in order. Every front that decides calls this. Where the
 * work of the call is used up, a gate that is not decided yet denies, and only its record follows.
 */
export async function decide(event: HookEvent, context: DecideContext): Promise<Decided> {
  const { budget = new WorkBudget() } = context;
  attachRoot(event, context.root, realPath(context.root));
  let decided: Decided = { decision: aggregate({ event, results: [] }), told: NOTHING };
  let isOver = false;
  for (const { name, run } of CALL_STAGES) {
    if (!isOver && event.isGate && DECIDING.has(name) && budget.isSpent()) {
      isOver = true;
      decided = overspent(decided);
    }
    if (isOver && !RECORDING.has(name)) continue;
    const next = run(decided, context);
    // Most stages have nothing to say, and say so at once.
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
const CALL_STAGES = STAGES.filter((stage) => stage.at === "call");
/** The stages that may still deny. The hooks themselves say which of them did not run. */
const DECIDING: ReadonlySet<StageName> = new Set([
  "inventory",
  "self-protection",
  "memory of denials",
  "derived events",
  "intents",
  "undo",
]);
const RECORDING: ReadonlySet<StageName> = new Set(["trace", "journal"]);
