import { finalCall } from "../decision/modification.ts";
import type { Decided, Denials } from "./context.ts";
import { withResult } from "./inventory.ts";

/** Denies another way to a denied target in a program without a configuration, which keeps the memory of its sessions itself. */
export async function deniedInProgram(decided: Decided, denials: Denials): Promise<Decided> {
  const event = finalCall(decided.decision);
  const targets = denials.get(event.sessionId ?? "") ?? [];
  if (targets.length === 0) return decided;
  const { deniedAmong } = await import("../policies/protect/deny-memory.ts");
  return withResult(decided, deniedAmong(event, targets, Date.now()));
}

/** Remembers the target of a denial in such a program. */
export async function rememberedInProgram(decided: Decided, denials: Denials): Promise<Decided> {
  const { MAX_REMEMBERED, targetOfDenial } = await import("../policies/protect/deny-memory.ts");
  const target = targetOfDenial(decided.decision, Date.now());
  const session = decided.decision.event.sessionId;
  if (target === undefined || session === undefined) return decided;
  denials.set(session, [...(denials.get(session) ?? []), target].slice(-MAX_REMEMBERED));
  return decided;
}
