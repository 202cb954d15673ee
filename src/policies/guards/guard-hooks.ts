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

/** The built-in guards as hooks. Every call creates new ones, so that each registry has its own. */
export function guardHooks(preset: Preset): Hook[] {
  if (!PRESETS.includes(preset)) throw PROBLEMS.unknownPreset({ preset });
  return hooksUnder(preset, guardPolicy(preset, []));
}

/** The guards as changed by a configuration; with the preset `off`, only the rules that it sets. */
export function hooksUnder(preset: Preset | "off", policy: GuardPolicy): Hook[] {
  const all = guardsUnder(preset, policy);
  return Object.entries(GUARDS).flatMap(([name, { title }], index) =>
    hookOf(name, title, all.byGuard[index] ?? [], all),
  );
}

/** The active rules of every guard under a policy, in the order of the guards. */
export function guardsUnder(
  preset: Preset | "off",
  { severities, exceptions, isMonitored }: GuardPolicy,
): ActiveGuards {
  const byGuard = Object.values(GUARDS).map(({ rules }) =>
    rules.flatMap((rule: GuardRule): ActiveRule[] => {
      const severity = severities.get(rule.name) ?? (preset === "off" ? undefined : rule[preset]);
      return severity === undefined ? [] : [{ rule, severity }];
    }),
  );
  return { byGuard, exceptions, isMonitored };
}

/** Whether a hook is a built-in guard and not a user's hook. */
export function isGuardHook({ name, origin }: Hook): boolean {
  return origin === undefined && name.startsWith("guard:");
}

function hookOf(name: string, title: string, own: readonly ActiveRule[], all: ActiveGuards): Hook[] {
  // A question before a denial would hide the denial.
  const rules = own
    .filter(({ severity }) => severity !== "off")
    .sort((one, other) => weight(one.severity) - weight(other.severity))
    .map(ruleOf);
  if (rules.length === 0) return [];
  const spec: ReadHook["spec"] = {
    name: `guard:${name}`,
    type: "inline",
    event: "tool:pre_execute",
    priority: FIRST,
    description: title,
    tags: ["guard"],
    inlineRules: rules,
  };
  // The specification comes from the table, which a test checks, so it is not checked again in every process.
  const hook = Hook.fromJSON(spec, undefined, { read: { spec, errors: [], warnings: [] } });
  const ready: ReadyRules = { ready: rules.map(asRule), answers: (event, read) => answerOf(own, all, event, read) };
  keepPrepared(hook, ready);
  return [hook];
}

/** A rule as a user would write it; its message is built when it matches. */
function ruleOf({ rule: { name, reason }, severity }: ActiveRule) {
  const test = name === "unknown" ? { operator: "unknown" } : { operator: "effect", value: name };
  const action = severity === "off" || severity === "monitor" ? "continue" : severity;
  return { field: "call", ...test, action, reason } as const;
}

function asRule({ field, action, reason, ...test }: ReturnType<typeof ruleOf>): Rule {
  const value = "value" in test ? test.value : undefined;
  return { when: { kind: "compare", field, operator: test.operator, value }, action, reason, modify: undefined };
}

function weight(severity: Severity): number {
  return severity === "deny" ? 0 : severity === "ask" ? 1 : 2;
}

/** Before every hook without its own priority. */
const FIRST = -1000;

const PROBLEMS = problems("guard", {
  unknownPreset: ({ preset }: { preset: string }) => ({
    what: `There is no guard preset "${preset}".`,
    fix: didYouMean(String(preset), PRESETS) || `There are ${PRESETS.join(", ")}.`,
  }),
});
