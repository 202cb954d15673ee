import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { ruleText } from "../rule/text.ts";
import { decidingRules } from "./deciding-rule.ts";
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
