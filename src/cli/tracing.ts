import type { Adapter } from "../adapters/adapter.ts";
import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import { underTrace } from "../trace/change/under-trace.ts";
import type { Input } from "./command.ts";
import type { Configuration } from "./configuration.ts";
import { VERSION } from "./version.ts";

/** A decision with the trace of changes, and what the trace has to tell the user. */
interface Traced {
  readonly decision: Decision;
  readonly told: readonly string[];
}

/** Adds the trace of changes to a decision, under the rules of this project. */
export async function traced(
  decision: Decision,
  { root, settings }: Configuration,
  { io }: Pick<Input, "io">,
  { moments }: Pick<Adapter, "moments">,
): Promise<Traced> {
  const { env } = io;
  const intentOf = async (session: { agent: string | undefined; sessionId: string | undefined }) => {
    const { boundIntent } = await import("../policies/intent/binding.ts");
    return boundIntent(root, session, { env });
  };
  const isOpen = async (event: HookEvent) =>
    (await import("../policies/intent/touches.ts")).touchesOf(event).unknowns.length > 0;
  const isTurnTheEnd = decision.event.type === "session:stop" && !hasEnd(moments);
  const about = { root, ...settings, env, version: VERSION, intentOf, isOpen, isTurnTheEnd };
  await io.resident?.begin?.();
  const whole = await underTrace(decision, about, diskLookups);
  if (ENDS.includes(decision.event.type)) return { decision: whole, told: addedTo(decision, whole) };
  if (decision.event.type !== "session:start") return { decision: whole, told: [] };
  const { noticeOfLastSession } = await import("../trace/change/session-audit.ts");
  const words = noticeOfLastSession(about);
  return { decision: whole, told: words === undefined ? [] : [words] };
}

function hasEnd(moments: Adapter["moments"]): boolean {
  return Object.values(moments).some(({ as, installed }) => as === "session:end" && installed !== "never");
}

/** No model is left to read what the end of a session brought up; its user may be. */
function addedTo(before: Decision, after: Decision): string[] {
  return after.contexts.filter((context) => !before.contexts.includes(context));
}

const ENDS: readonly EventName[] = ["session:end", "session:stop"];
