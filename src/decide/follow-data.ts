import { join } from "node:path";
import { finalCall } from "../decision/modification.ts";
import { stateDir } from "../fs/state-dir.ts";
import type { Hook } from "../hook/hook.ts";
import { asksAboutFlow } from "../rule/session-flow.ts";
import type { DecideContext, Decided } from "./context.ts";
import { atOnce, ENDS, isDenied, unrecorded, withResult } from "./inventory.ts";
import type { Configuration } from "./project.ts";

/** Compares a call with what has entered its step, and remembers what the call brings in. */
export function followData(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project, isDry } = context;
  const { event } = decided.decision;
  if (project === undefined || !followsData(project)) return decided;
  const isCall = event.type === "tool:pre_execute";
  if (!isCall && (isDry || !(ENDS.has(event.type) || event.type === "user:prompt_submit"))) return decided;
  return withFlow(decided, project, context);
}

async function withFlow(decided: Decided, { root, settings }: Configuration, context: DecideContext): Promise<Decided> {
  const { judgeFlow, newCaller, rememberFlow } = await import("./data-flow.ts");
  const { isDry, begin, journal, env, callerChain } = context;
  const { decision } = decided;
  const place = { root, folder: join(stateDir({ env }), "sessions") };
  const call = finalCall(decision);
  const isJudged =
    call.type === "tool:pre_execute" && GUARDED.has(settings.guards) && !isDenied(decision, context.project);
  const judged = withResult(decided, isJudged ? judgeFlow(call, place, true) : undefined);
  if (isDry) return judged;
  // The processes above the hook end once it has answered.
  const caller = callerChain && newCaller(call, place, callerChain);
  const later = unrecorded(journal?.afterwards);
  if (later === undefined) await begin?.();
  (later ?? atOnce)(() => rememberFlow({ ...judged.decision, event: call }, place, caller));
  return judged;
}

/** Presets in which the data flow is judged; rules may ask about it in every preset. */
const GUARDED: ReadonlySet<string> = new Set(["strict", "paranoid"]);

/** Whether the data flow of sessions is needed: by the preset, or by a rule. */
function followsData({ settings, written }: Configuration): boolean {
  if (GUARDED.has(settings.guards)) return true;
  const known = FOLLOWING.get(written);
  if (known !== undefined) return known;
  const isAsked = written.some((hook) => hook.parts.some(asksAboutFlow));
  FOLLOWING.set(written, isAsked);
  return isAsked;
}

const FOLLOWING = new WeakMap<readonly Hook[], boolean>();
