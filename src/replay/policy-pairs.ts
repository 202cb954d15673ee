import { decideRecorded } from "../decide/decide-recorded.ts";
import type { RecordedPolicy } from "../decide/recorded-policy.ts";
import { SessionHistory } from "../engine/history.ts";
import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import type { GuardPolicy } from "../policies/guards/policy.ts";
import type { Ran } from "../runners/runner.ts";
import type { JudgedCall, ReplayCall } from "./replay-call.ts";
import { isStateless } from "./verdict-cache.ts";

/** What two policies differ in, as far as a verdict depends on it. */
interface PolicyDifference {
  /** Rules that only one of the two has. */
  readonly rules: readonly { readonly hook: Hook; readonly policy: RecordedPolicy }[];
  /** Whether the newer policy has more exceptions of guards. */
  readonly hasExceptions: boolean;
}

/** Finds calls about which a newer policy decides as the older one, without judging them again. */
export class PolicyPairs {
  readonly #known = new WeakMap<RecordedPolicy, WeakMap<RecordedPolicy, PolicyDifference | false>>();

  /**
   * Whether the newer policy decides as the older one: nothing that only one of them has objects to the call. More exceptions
   * of guards change nothing about a call that no guard stopped. A session that was denied something is judged in full.
   */
  async isUnaffected(
    call: ReplayCall,
    verdict: JudgedCall,
    before: RecordedPolicy,
    after: RecordedPolicy,
    env: Readonly<Record<string, string | undefined>>,
    shared: Map<string, Ran>,
  ): Promise<boolean> {
    const isWhole = call.redacted.length === 0 && call.cut.length === 0;
    if (verdict.kind !== "verdict" || !isWhole) return false;
    const difference = this.#differenceOf(before, after);
    if (difference === false) return false;
    if (difference.hasExceptions && verdict.said.some(({ hook }) => isGuardHook(hook))) return false;
    for (const { hook, policy } of difference.rules) {
      if (!hook.patternMatches(call.event.type, call.event.toolName) || !hook.matches(call.event)) continue;
      const around = { env, history: NO_HISTORY, denied: [], at: 0, canAsk: true, answerOf: () => undefined, shared };
      const { decision } = await decideRecorded(call.event, policy, around, hook);
      if (decision.results.some(({ action, failure }) => action !== "continue" || failure !== undefined)) return false;
    }
    return true;
  }

  #differenceOf(before: RecordedPolicy, after: RecordedPolicy): PolicyDifference | false {
    const known = this.#known.get(before) ?? new WeakMap<RecordedPolicy, PolicyDifference | false>();
    this.#known.set(before, known);
    const found = known.get(after) ?? difference(before, after);
    known.set(after, found);
    return found;
  }
}

const NO_HISTORY = new SessionHistory();

/** What two policies differ in; false where that may be more than rules and exceptions. */
function difference(before: RecordedPolicy, after: RecordedPolicy): PolicyDifference | false {
  const policies = [before, after];
  const isPlain = policies.every(
    (policy) =>
      isStateless(policy) && [...policy.known.values()].every(({ isRule, mayModify }) => isRule && !mayModify),
  );
  if (!isPlain || facts(before) !== facts(after)) return false;
  const exceptions = comparedGuards(before.configuration.guardPolicy, after.configuration.guardPolicy);
  if (exceptions === false) return false;
  const keysOf = ({ known }: RecordedPolicy) => new Set([...known.values()].map(({ key }) => key));
  const only = (policy: RecordedPolicy, other: RecordedPolicy) => {
    const keys = keysOf(other);
    return [...policy.known].flatMap(([hook, { key }]) =>
      isGuardHook(hook) || keys.has(key) ? [] : [{ hook, policy }],
    );
  };
  return { rules: [...only(before, after), ...only(after, before)], hasExceptions: exceptions === "more" };
}

/** What else a verdict depends on: the guards that apply, the files that are protected, what undo may keep. */
function facts({ configuration, protection, registry }: RecordedPolicy): string {
  const guards = registry.hooks.filter(isGuardHook).map((hook) => JSON.stringify(hook));
  const files = protection.files?.join("\n") ?? "";
  return JSON.stringify([guards, files, configuration.settings.undo ?? null]);
}

/** Whether two policies of guards are the same, or the second one has more exceptions and nothing else; false otherwise. */
function comparedGuards(before: GuardPolicy | undefined, after: GuardPolicy | undefined): "same" | "more" | false {
  if (before === undefined || after === undefined) return before === after ? "same" : false;
  const rest = ({ severities, isMonitored }: GuardPolicy) => JSON.stringify([[...severities], isMonitored ?? false]);
  if (rest(before) !== rest(after)) return false;
  const [old, young] = [before, after].map(({ exceptions }) => exceptions.map(({ text }) => text));
  if (old === undefined || young === undefined || old.some((text) => !young.includes(text))) return false;
  return old.length === young.length ? "same" : "more";
}
