import type { Decision } from "../decision/decision.ts";
import type { HookEvent } from "../event/event.ts";
import { lookAround } from "../runners/look-around.ts";
import { underTrace } from "../trace/change/under-trace.ts";
import type { Input } from "./command.ts";
import type { Configuration } from "./configuration.ts";
import { VERSION } from "./version.ts";

/** Adds the trace of changes to a decision, under the rules of this project. */
export function traced(
  decision: Decision,
  { root, settings }: Configuration,
  { io }: Pick<Input, "io">,
): Promise<Decision> {
  const { env } = io;
  const intentOf = async (session: { agent: string | undefined; sessionId: string | undefined }) => {
    const { boundIntent } = await import("../intent/binding.ts");
    return boundIntent(root, session, { env });
  };
  const isOpen = async (event: HookEvent) =>
    (await import("../intent/touches.ts")).touchesOf(event).unknowns.length > 0;
  return underTrace(decision, { root, ...settings, env, version: VERSION, intentOf, isOpen }, lookAround);
}
