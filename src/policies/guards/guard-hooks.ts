import { Hook, keepPrepared } from "../../hook/hook.ts";
import type { ReadHook } from "../../hook/read.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { ReadyRules } from "../../rule/hook-rules.ts";
import type { Rule } from "../../rule/rule.ts";
import { type Guard, type GuardAction, type GuardRule, PRESETS, type Preset } from "./guard.ts";
import { GUARDS } from "./index.ts";

/** The built-in guards as hooks, ready for any registry; new ones with every call, so that each registry has its own. */
export function guardHooks(preset: Preset): Hook[] {
  if (!PRESETS.includes(preset)) throw PROBLEMS.unknownPreset({ preset });
  return Object.entries(GUARDS).flatMap(([name, guard]) => hookOf(name, guard, preset));
}

/** Whether a hook is a built-in guard, and nobody's own. */
export function isGuardHook({ name, origin }: Hook): boolean {
  return origin === undefined && name.startsWith("guard:");
}

function hookOf(name: string, { title, rules }: Guard, preset: Preset): Hook[] {
  // A question that came before a denial would hide it.
  const spoken = rules.flatMap((rule) => ruleOf(rule, preset)).sort((one, other) => weight(one) - weight(other));
  if (spoken.length === 0) return [];
  const spec: ReadHook["spec"] = {
    name: `guard:${name}`,
    type: "inline",
    event: "tool:pre_execute",
    priority: FIRST,
    description: title,
    tags: ["guard"],
    inlineRules: spoken,
  };
  // Nobody else wrote it, so it need not be checked again in every process; a test does.
  const hook = new Hook(spec, { read: { spec, errors: [], warnings: [] } });
  const ready: ReadyRules = { ready: spoken.map(asRule) };
  keepPrepared(hook, ready);
  return [hook];
}

function asRule({ field, operator, value, action, reason, remedy, undoable }: ReturnType<typeof ruleOf>[number]): Rule {
  const said = { when: { kind: "compare", field, operator, value }, action, reason, modify: undefined } as const;
  return { ...said, ...(remedy && { remedy }), ...(undoable && { undoable }) };
}

function ruleOf({ operator = "effect", value, reason, remedy, undoable, ...presets }: GuardRule, preset: Preset) {
  const action = presets[preset];
  if (action === undefined) return [];
  return [
    {
      field: "call",
      operator,
      ...(value && { value }),
      action,
      reason,
      ...(remedy && { remedy }),
      ...(undoable && { undoable }),
    },
  ];
}

function weight({ action }: { readonly action: GuardAction }): number {
  return action === "deny" ? 0 : 1;
}

/** Before every hook that states no place of its own. */
const FIRST = -1000;

const PROBLEMS = problems("guard", {
  unknownPreset: ({ preset }: { preset: string }) => ({
    what: `There is no preset of guards named "${preset}".`,
    fix: didYouMean(String(preset), PRESETS) || `There are ${PRESETS.join(", ")}.`,
  }),
});
