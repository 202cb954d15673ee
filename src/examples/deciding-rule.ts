import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";
import { explainRules } from "../rule/explain.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import type { WrittenRule } from "../rule/read.ts";
import { prepareTools } from "../rule/tools.ts";

/** A rule of a hook, and how the rule language writes it. */
export interface HookRule {
  /** The hook, or the part of it, that holds the rule. */
  readonly hook: Hook;
  readonly written: WrittenRule;
  readonly text: string;
}

/** The rules that decide about an event, one for each part of the hook that has one. */
export async function decidingRules(hook: Hook, event: EventFacts): Promise<HookRule[]> {
  const found = await Promise.all(
    hook.parts.filter(({ type }) => type === "inline").map((part) => ofPart(part, event)),
  );
  return found.flat();
}

async function ofPart(hook: Hook, event: EventFacts): Promise<HookRule[]> {
  const { written } = readHookRules(hook);
  const rules = written.map(({ rule }) => rule);
  try {
    const explained = explainRules(rules, event, await prepareTools(rules));
    return explained.flatMap(({ decides, text }, index) => {
      const one = written[index];
      return decides && one !== undefined ? [{ hook, written: one, text }] : [];
    });
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
