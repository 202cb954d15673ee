import type { Failure } from "../decision/failure.ts";
import type { HookEvent } from "../event/event.ts";
import type { Combination } from "../hook/combination.ts";
import type { Hook } from "../hook/hook.ts";
import { type CompiledHook, compileConditionText } from "../rule/hook-rules.ts";
import { diskLookups } from "./disk-lookups.ts";

type When = Extract<Combination<Hook>, { way: "when" }>;

/** Whether the condition of a `when` is true for an event; a condition that cannot be read is a failure. */
export async function whetherHolds(when: When, event: HookEvent): Promise<boolean | { readonly failure: Failure }> {
  if (!when.holds(event)) return false;
  if (when.rule === undefined) return true;
  const compiled = await ruleOf(when, when.rule);
  if (compiled.problems.length > 0) {
    const message = compiled.problems.map(({ message: what, fix = "" }) => `${what} ${fix}`.trim()).join("\n");
    return { failure: { why: "exception", message, isUncompiled: true } };
  }
  return compiled.evaluate(event)?.action === "deny";
}

/** The condition as a rule that answers if the condition is true. */
async function ruleOf(when: When, condition: string): Promise<CompiledHook> {
  const known = COMPILED.get(when);
  if (known !== undefined) return known;
  const compiled = await compileConditionText(condition, diskLookups);
  COMPILED.set(when, compiled);
  return compiled;
}

const COMPILED = new WeakMap<When, CompiledHook>();
