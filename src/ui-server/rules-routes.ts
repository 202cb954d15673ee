import { basename } from "node:path";
import type { Configuration } from "../decide/project.ts";
import type { Hook } from "../hook/hook.ts";
import { formatPlace } from "../problem/problem.ts";
import type { Rule } from "../rule/rule.ts";
import { ruleText } from "../rule/text.ts";
import { times, totalMs } from "../trace/call-statistics.ts";
import { noDurations } from "../trace/call-sums.ts";
import { daysIn } from "./figures-routes.ts";
import { type HookTally, tallyCalls } from "./journal-tally.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import { type RuledHook, ruledHooks, whyShadowed } from "./shadowed-rules.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { RuleRow } from "./wire.ts";

/** Every hook and guard that holds here, with what the last days say about it. */
export const listRules: UiRoute = async ({ query }, context) => {
  const days = daysIn(query);
  const configuration = draftedConfiguration(context.hello.root, new Map(), context);
  const { hooks } = await tallyCalls(context.source, days);
  const all = [...hooks.values()].reduce((sum, { took }) => sum + totalMs(took), 0);
  const ruled = ruledHooks(configuration.written);
  const active = ruled.filter(({ hook }) => whyOff(hook, configuration) === undefined);
  const rules = ruled.map((one) => ({
    ...ruleRow(one, hooks.get(one.hook.name), all, configuration),
    shadowed: whyShadowed(one, active, hooks.get(one.hook.name)),
  }));
  return { json: { days, rules, problems: configuration.errors.map((problem) => problem.format()) } };
};

/** Turns a hook on or off, or lets it only watch; asked at the terminal. */
export const switchRule: UiRoute = async ({ body, signal }, { acts }) => {
  const { hook, to, layer } = Object(body) as Readonly<Record<string, unknown>>;
  if (typeof hook !== "string" || hook === "" || hook.startsWith("-")) return refusedReply(400, "No hook is named.");
  if (to !== "on" && to !== "off" && to !== "monitor" && to !== "enforce")
    return refusedReply(400, "It can be on, off, monitor or enforce.");
  return { json: await acts.switchHook({ hook, to, layer: layer === "user" ? "user" : "project" }, signal) };
};

function ruleRow(
  { hook, rules }: RuledHook,
  tally: HookTally | undefined,
  all: number,
  configuration: Configuration,
): Omit<RuleRow, "shadowed"> {
  const { name, layer, origin, type, mode, enabled, eventPattern } = hook;
  const { file, line } = origin?.place ?? {};
  const took = tally?.took ?? noDurations();
  const { p50, p95 } = times(took);
  const objections = (tally?.denied ?? 0) + (tally?.asked ?? 0);
  const always = [...(tally?.together ?? [])].find(([, count]) => objections > 1 && count === objections)?.[0];
  const off = whyOff(hook, configuration);
  const pack = configuration.files.find(({ path }) => path === file)?.pack;
  return {
    hook: name,
    layer,
    ...(file && { file }),
    ...(line !== undefined && { line }),
    kind: type,
    event: eventPattern,
    mode,
    enabled,
    ...(off !== undefined && { off }),
    rules: ruleFigures(rules, tally),
    ran: tally?.ran ?? 0,
    fired: objections + (tally?.modified ?? 0) + (tally?.would ?? 0),
    denied: tally?.denied ?? 0,
    asked: tally?.asked ?? 0,
    would: tally?.would ?? 0,
    broke: tally?.broke ?? 0,
    letPass: tally?.letPass ?? 0,
    ...(tally !== undefined && tally.lastFired > 0 && { lastFired: tally.lastFired }),
    p50,
    p95,
    share: all === 0 ? 0 : totalMs(took) / all,
    ...(always !== undefined && { always }),
    isWritable: file !== undefined && layer !== "managed" && pack === undefined,
  };
}

/** A record names the rule of a guard, and of every other rule its reason: rules with the same reason cannot be told apart. */
function ruleFigures(rules: readonly Rule[], tally: HookTally | undefined): RuleRow["rules"] {
  const saidBy = ({ when, reason }: Rule) => {
    const effect = when.kind === "compare" && when.operator === "effect" ? String(when.value) : undefined;
    return tally?.said.get(effect ?? "") ?? tally?.said.get(reason ?? "");
  };
  const known = rules.map((rule) => (rules.length === 1 ? sumOf(tally) : saidBy(rule)));
  const told = [...new Set(known)].reduce((sum, one) => sum + (one?.count ?? 0), 0);
  const isAllTold = told === (sumOf(tally)?.count ?? 0);
  return rules.map((rule, index) => {
    const one = known[index];
    const isAlone = known.filter((other) => other === one).length === 1;
    const text = ruleText(rule);
    if (one === undefined) return isAllTold ? { text, fired: 0 } : { text };
    return isAlone ? { text, fired: one.count, ...(one.last > 0 && { last: one.last }) } : { text };
  });
}

function sumOf(tally: HookTally | undefined): { readonly count: number; readonly last: number } | undefined {
  if (tally === undefined || tally.said.size === 0) return undefined;
  const all = [...tally.said.values()];
  return { count: all.reduce((sum, { count }) => sum + count, 0), last: tally.lastFired };
}

function whyOff(hook: Hook, { disabledBy, trust, hooks }: Configuration): string | undefined {
  const by = disabledBy.get(hook);
  if (by !== undefined) return `switched off by ${formatPlace({ ...by, file: basename(by.file) })}`;
  if (!hook.enabled) return "switched off";
  const skipped = trust.skipped.find((one) => one.hook === hook);
  if (skipped !== undefined) return `${skipped.why}${skipped.stillDenies ? "; its denials count" : ""}`;
  return hooks.some(({ name }) => name === hook.name) ? undefined : "does not run here";
}
