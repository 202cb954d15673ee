import { Hook, keepPrepared } from "../../hook/hook.ts";
import type { ReadHook } from "../../hook/read.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { ReadyRules } from "../../rule/hook-rules.ts";
import type { Rule } from "../../rule/rule.ts";
import { type ActiveGuards, type ActiveRule, answerOf } from "./findings.ts";
import { type GuardRule, PRESETS, type Preset } from "./guard.ts";
import { GUARDS } from "./index.ts";
import { type GuardPolicy, guardPolicy, type Severity } from "./policy.ts";

/** The built-in guards as hooks, ready for any registry; new ones with every call, so that each registry has its own. */
export function guardHooks(preset: Preset): Hook[] {
  if (!PRESETS.includes(preset)) throw PROBLEMS.unknownPreset({ preset });
  return hooksUnder(preset, guardPolicy(preset, []));
}

/** The guards as a configuration changes them; with a preset that is off, only the rules that it states. */
export function hooksUnder(preset: Preset | "off", policy: GuardPolicy): Hook[] {
  const all = guardsUnder(preset, policy);
  return Object.entries(GUARDS).flatMap(([name, { title }], index) =>
    hookOf(name, title, all.byGuard[index] ?? [], all),
  );
}

/** What every guard says under a policy, in the order of the guards. */
export function guardsUnder(
  preset: Preset | "off",
  { severities, exceptions, isMonitored }: GuardPolicy,
): ActiveGuards {
  const said = (rule: GuardRule) => severities.get(rule.name) ?? (preset === "off" ? undefined : rule[preset]);
  const byGuard = Object.values(GUARDS).map(({ rules }) => rules.flatMap((rule) => activeRule(rule, said(rule))));
  return { byGuard, exceptions, isMonitored };
}

/** Whether a hook is a built-in guard, and not one that a user wrote. */
export function isGuardHook({ name, origin }: Hook): boolean {
  return origin === undefined && name.startsWith("guard:");
}

function activeRule(rule: GuardRule, severity: Severity | undefined): ActiveRule[] {
  return severity === undefined ? [] : [{ rule, severity }];
}

function hookOf(name: string, title: string, own: readonly ActiveRule[], all: ActiveGuards): Hook[] {
  // A question that came before a denial would hide it.
  const spoken = own
    .filter(({ severity }) => severity !== "off")
    .sort((one, other) => weight(one.severity) - weight(other.severity))
    .map(ruleOf);
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
  // It comes from the table, so it need not be checked again in every process; a test does.
  const hook = new Hook(spec, { read: { spec, errors: [], warnings: [] } });
  const ready: ReadyRules = { ready: spoken.map(asRule), answers: (event, read) => answerOf(own, all, event, read) };
  keepPrepared(hook, ready);
  return [hook];
}

/** A rule as a person would write it; what it tells about a call is made when it matches. */
function ruleOf({ rule: { name, reason }, severity }: ActiveRule) {
  const test = name === "unknown" ? { operator: "unknown" } : { operator: "effect", value: name };
  const action = severity === "off" || severity === "monitor" ? "continue" : severity;
  return { field: "call", ...test, action, reason } as const;
}

function asRule({ field, action, reason, ...test }: ReturnType<typeof ruleOf>): Rule {
  const when = {
    kind: "compare",
    field,
    operator: test.operator,
    value: "value" in test ? test.value : undefined,
  } as const;
  return { when, action, reason, modify: undefined };
}

function weight(severity: Severity): number {
  return severity === "deny" ? 0 : severity === "ask" ? 1 : 2;
}

/** Before every hook that states no place of its own. */
const FIRST = -1000;

const PROBLEMS = problems("guard", {
  unknownPreset: ({ preset }: { preset: string }) => ({
    what: `There is no preset of guards named "${preset}".`,
    fix: didYouMean(String(preset), PRESETS) || `There are ${PRESETS.join(", ")}.`,
  }),
});
