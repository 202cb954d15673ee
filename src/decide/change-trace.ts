import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import type { TracedSession } from "../trace/change/traced.ts";
import { underTrace } from "../trace/change/under-trace.ts";
import type { DecideContext, Decided } from "./context.ts";
import type { Configuration } from "./project.ts";

/** Adds the trace of changes to a decision, under the rules of a project, with its messages for the user. */
export async function traceDecision(
  decision: Decision,
  { root, settings }: Configuration,
  { env, begin, version, isTurnTheEnd = false }: DecideContext,
): Promise<Pick<Decided, "decision" | "told">> {
  const intentOf = async (session: TracedSession) => {
    const { boundIntent } = await import("../policies/intent/binding.ts");
    return boundIntent(root, session, { env });
  };
  const isOpen = async (event: HookEvent) =>
    (await import("../policies/intent/call-changes.ts")).callChanges(event).unknowns.length > 0;
  const about = { root, ...settings, env, version, intentOf, isOpen, isTurnTheEnd };
  await begin?.();
  const whole = await underTrace(decision, about, diskLookups);
  if (ENDS.includes(decision.event.type)) return { decision: whole, told: addedTo(decision, whole) };
  if (decision.event.type !== "session:start") return { decision: whole, told: [] };
  const { noticeOfLastSession } = await import("../trace/change/session-audit.ts");
  const words = noticeOfLastSession(about);
  return { decision: whole, told: words === undefined ? [] : [words] };
}

/** No model is left to read what the end of a session brought up; its user may be. */
function addedTo(before: Decision, after: Decision): string[] {
  return after.contexts.filter((context) => !before.contexts.includes(context));
}

const ENDS: readonly EventName[] = ["session:end", "session:stop"];
