import { aggregate } from "../decision/aggregate.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import type { DecideContext, Decided } from "./context.ts";
import { STAGES } from "./stages.ts";

/** Decides one event: takes it through every stage of the table, in order. Every front that decides calls this. */
export async function decide(event: HookEvent, context: DecideContext): Promise<Decided> {
  attachRoot(event, context.root);
  let decided: Decided = { decision: aggregate({ event, results: [] }), told: NOTHING };
  for (const { run } of CALL_STAGES) {
    const next = run(decided, context);
    // Most stages have nothing to say, and say so at once.
    decided = next instanceof Promise ? await next : next;
  }
  return decided;
}

const NOTHING: readonly string[] = [];
const CALL_STAGES = STAGES.filter((stage) => stage.at === "call");
