import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";
import { explainRules, type RuleExplanation } from "../rule/explain.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { prepareTools } from "../rule/tools.ts";
import { diskLookups } from "../runners/disk-lookups.ts";

/** One hook beside one event: what its rules say, and what is wrong with them. */
export interface Explained {
  readonly hook: Hook;
  /** Absent for hooks that have no rules. */
  readonly rules?: readonly RuleExplanation[];
  readonly problems: readonly Problem[];
}

/** Says which part of which rule of a hook held on which value. Nothing is run. */
export async function explainHook(hook: Hook, event: HookEvent): Promise<Explained> {
  if (hook.type !== "inline") return { hook, problems: [] };
  const { written, problems } = readHookRules(hook);
  const rules = written.map(({ rule }) => rule);
  try {
    return { hook, rules: explainRules(rules, event, await prepareTools(rules, diskLookups)), problems };
  } catch (error) {
    if (error instanceof Problem) return { hook, rules: [], problems: [...problems, error] };
    throw error;
  }
}
