import { type Decision, hookDecision } from "../../decision/decision.ts";
import { callHash } from "./call-hash.ts";
import { whyFirm } from "./firm.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { readState, removeState, writeState } from "./state-file.ts";

type Where = Pick<ProtectionContext, "env" | "home" | "root">;

/** Lets one call pass once: the first such call uses the permit up. Says whether it could be written. */
export function givePermit(call: string, id: string, where: Where, now = Date.now()): boolean {
  return writeState(fileFor(call), { id, at: now }, where);
}

/** The decision as a person at a terminal changed it: an objection to exactly this call is lifted, once. */
export function lifted(decision: Decision, where: Where, now = Date.now()): Decision {
  const { event, action, results } = decision;
  if (event.type !== "tool:pre_execute" || (action !== "deny" && action !== "ask")) return decision;
  const objecting = results.filter((result) => result.action === action);
  if (objecting.length === 0 || objecting.some((result) => whyFirm(result.hook.layer, result.code) !== undefined))
    return decision;
  const file = fileFor(callHash(event));
  const permit = readPermit(readState(file, where));
  if (permit === undefined || !removeState(file, where)) return decision;
  const age = now - permit.at;
  return age >= 0 && age < PERMIT_MS ? passed(decision, permit.id) : decision;
}

function passed(decision: Decision, id: string): Decision {
  const { toHookDecision: _, ...rest } = decision;
  const note = `The user allowed this call once (sluice allow-once ${id}).`;
  const lift: Omit<Decision, "toHookDecision"> = {
    ...rest,
    action: "continue",
    reasons: [],
    contexts: [...decision.contexts, note],
    approved: false,
  };
  return { ...lift, toHookDecision: () => hookDecision(lift) };
}

function readPermit(value: unknown): { readonly id: string; readonly at: number } | undefined {
  const { id, at } = Object(value);
  return typeof id === "string" && typeof at === "number" ? { id, at } : undefined;
}

function fileFor(call: string): string {
  return `permit-${call}.json`;
}

/** How long a permit waits for its call. */
export const PERMIT_MS = 10 * 60 * 1000;
