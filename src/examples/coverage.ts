import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";
import { explainRules } from "../rule/explain.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import type { WrittenRule } from "../rule/read.ts";
import { ruleText } from "../rule/text.ts";
import { prepareTools } from "../rule/tools.ts";
import type { FindPlace } from "./places.ts";
import type { Coverage } from "./report.ts";

/** One event, and the hooks it was put to. */
export interface Tried {
  readonly hooks: readonly Hook[];
  readonly event: EventFacts;
}

/** Which rules never decided about any event, and which hooks have no examples. */
export async function coverageOf(
  hooks: readonly Hook[],
  tried: readonly Tried[],
  placeOf: FindPlace,
): Promise<Coverage> {
  const decided = new Map<Hook, Set<string>>();
  for (const { hooks: asked, event } of tried) {
    for (const hook of asked.filter((one) => one.matches(event))) {
      for (const { hook: part, written } of await decidingRules(hook, event)) {
        decided.set(part, (decided.get(part) ?? new Set()).add(written.label));
      }
    }
  }
  const rules = hooks.flatMap((hook) => hook.parts.flatMap((part) => rulesOf(part, hook)));
  return {
    rules: {
      total: rules.length,
      undecided: rules
        .filter(({ part, written }) => !decided.get(part)?.has(written.label))
        .map(({ part, whole, written }) => ({
          hook: whole.name,
          rule: ruleText(written.rule),
          place: part === whole ? placeOf(whole, written.path, written.line) : whole.origin?.place,
        })),
    },
    hooks: {
      total: hooks.length,
      withoutExamples: hooks
        .filter(({ examples }) => examples === undefined)
        .map(({ name, origin }) => ({ hook: name, place: origin?.place })),
    },
  };
}

function rulesOf(part: Hook, whole: Hook) {
  return part.type === "inline" ? readHookRules(part).written.map((written) => ({ part, whole, written })) : [];
}

/** A rule of a hook, and how the rule language writes it. */
interface HookRule {
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
