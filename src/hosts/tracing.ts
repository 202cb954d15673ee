import type { Settings } from "../config/settings.ts";
import { aggregate } from "../decision/aggregate.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import { problems, warn } from "../problem/problem.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import type { Session } from "../trace/change/traced.ts";
import { underTrace } from "../trace/change/under-trace.ts";

/** What a configuration says about the trace of changes. */
export type TraceRules = Pick<Settings, "trace" | "isTraceStated" | "intents">;

/** Adds the trace of changes to a decision, under the rules of a project. */
export function traced(decision: Decision, root: string, rules: TraceRules): Promise<Decision> {
  const intentOf = async (session: Session) =>
    (await import("../policies/intent/binding.ts")).boundIntent(root, session);
  const isOpen = async (event: HookEvent) =>
    (await import("../policies/intent/touches.ts")).touchesOf(event).unknowns.length > 0;
  return underTrace(decision, { root, ...rules, intentOf, isOpen }, diskLookups);
}

/**
 * Records what a call has changed. A result of the trace's own stands behind those of the hooks; a record that is lost is
 * said aloud as well, because hosts seldom look at what the end of a call brought up.
 */
export async function recorded(
  event: HookEvent,
  results: HookResult[],
  root: string,
  rules: TraceRules,
): Promise<HookResult[]> {
  if (!["tool:post_execute", "tool:error", "session:end"].includes(event.type)) return results;
  const said = aggregate({ event, results });
  const whole = await traced(said, root, rules);
  for (const { failure } of whole.results.slice(results.length))
    if (failure?.why === "exception") warn(PROBLEMS.broken({ why: failure.message }));
  return whole === said ? results : [...whole.results];
}

const PROBLEMS = problems("trace", {
  broken: ({ why }: { why: string }) => ({
    what: why,
    fix: "`sluice doctor` looks at the trace; `trace: required` denies what cannot be recorded.",
  }),
});
