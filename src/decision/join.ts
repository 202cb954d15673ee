import { type Decision, hookDecision } from "./decision.ts";
import { STRICTNESS } from "./result.ts";

/** Two decisions about the same call as one: the stricter holds, and everybody's words survive. */
export function joined(first: Decision, second: Decision): Decision {
  const strictness = STRICTNESS[first.action] - STRICTNESS[second.action];
  const stricter = strictness >= 0 ? first : second;
  const reasons = strictness === 0 ? [...first.reasons, ...second.reasons] : stricter.reasons;
  const { input: _, output: __, toHookDecision: ___, ...rest } = first;
  const input = first.input ?? second.input;
  const decision = {
    ...rest,
    action: stricter.action,
    reasons: [...new Set(reasons)],
    contexts: [...new Set([...first.contexts, ...second.contexts])],
    approved: first.approved && STRICTNESS[stricter.action] < STRICTNESS.ask,
    results: [...first.results, ...second.results],
    ...(input !== undefined && stricter.action !== "deny" ? { input } : {}),
    ...(first.output === undefined ? {} : { output: first.output }),
  };
  return { ...decision, toHookDecision: () => hookDecision(decision) };
}
