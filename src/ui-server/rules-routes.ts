import { basename } from "node:path";
import type { Configuration } from "../decide/project.ts";
import type { Hook } from "../hook/hook.ts";
import { formatPlace } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { implies } from "../rule/implies.ts";
import type { Rule } from "../rule/rule.ts";
import { ruleText } from "../rule/text.ts";
import { times, totalMs } from "../trace/call-statistics.ts";
import { noDurations } from "../trace/call-sums.ts";
import { type CallTally, type HookTally, localDay, noCalls, tallyCalls } from "./journal-tally.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { FigureRow, Figures, RuleRow } from "./wire.ts";

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

/** A hook with its rules in the order in which they are tried. */
interface RuledHook {
  readonly hook: Hook;
  readonly rules: readonly Rule[];
}

/** The rules of hooks; what cannot be read has none. */
function ruledHooks(hooks: readonly Hook[]): RuledHook[] {
  return hooks.map((hook) => ({
    hook,
    rules: hook.parts.flatMap((part) =>
      part.type === "inline" ? readHookRules(part).written.map(({ rule }) => rule) : [],
    ),
  }));
}

/** Why parts of a hook change nothing: an earlier rule, another hook, or what others always decided. */
function whyShadowed(one: RuledHook, all: readonly RuledHook[], tally: HookTally | undefined): string[] {
  return [...byEarlierRules(one), ...byOtherHooks(one, all), ...byDenials(tally)];
}

/** The first rule that matches decides, so a rule behind a wider one is never reached. */
function byEarlierRules({ rules }: RuledHook): string[] {
  return rules.flatMap((rule, index) => {
    const first = rules.slice(0, index).find((earlier) => implies(rule.when, earlier.when));
    return first === undefined ? [] : [`never reached: ${ruleText(rule)} stands behind ${ruleText(first)}`];
  });
}

/** A hook each of whose rules another hook makes needless: it listens to the same calls, and decides at least as strictly. */
function byOtherHooks({ hook, rules }: RuledHook, all: readonly RuledHook[]): string[] {
  const objections = rules.filter(({ action }) => STRICTNESS[action] > 0);
  if (objections.length === 0 || objections.length < rules.length) return [];
  const shadow = all.find(
    (other, index) =>
      other.hook !== hook &&
      isWider(other.hook, hook) &&
      objections.every((rule) => other.rules.some((first) => decidesFor(first, rule, other))) &&
      // Of two that say the same, only the later one is needless.
      (index < all.findIndex((known) => known.hook === hook) || !objectsAlike(other, rules)),
  );
  if (shadow === undefined) return [];
  const { name, origin } = shadow.hook;
  return [
    `shadowed: ${name}${origin === undefined ? "" : ` (${formatPlace(origin.place)})`} decides the same calls at least as strictly`,
  ];
}

function decidesFor(first: Rule, rule: Rule, { rules }: RuledHook): boolean {
  const isReached = rules
    .slice(0, rules.indexOf(first))
    .every((earlier) => STRICTNESS[earlier.action] >= STRICTNESS[rule.action]);
  return isReached && STRICTNESS[first.action] >= STRICTNESS[rule.action] && implies(rule.when, first.when);
}

function objectsAlike(other: RuledHook, rules: readonly Rule[]): boolean {
  return (
    other.rules.length === rules.length &&
    other.rules.every((rule) => rules.some((one) => one.action === rule.action && implies(rule.when, one.when)))
  );
}

/** Whether a hook runs for every call for which another one does. */
function isWider(one: Hook, other: Hook): boolean {
  const isSame = one.eventPattern === other.eventPattern || other.eventPattern.startsWith(`${one.eventPattern}:`);
  return (
    one.enabled &&
    one.mode !== "monitor" &&
    isSame &&
    JSON.stringify(one.matcher ?? other.matcher) === JSON.stringify(other.matcher)
  );
}

/** A hook that only ever asked about calls that another one denied. */
function byDenials(tally: HookTally | undefined): string[] {
  if (tally === undefined || tally.asked < ENOUGH || tally.denied > 0) return [];
  return [...tally.overruled]
    .filter(([, count]) => count === tally.asked)
    .map(([name]) => `shadowed: ${name} denied every call that it asked about`);
}

/** Decisions by day, agent, project, hook and shape. */
export const showFigures: UiRoute = async ({ query }, { source }) => {
  const days = daysIn(query);
  const { all, days: byDay, agents, projects, hooks, shapes } = await tallyCalls(source, days);
  const figures: Figures = {
    ...row("", all),
    days,
    byDay: everyDay(days).map((day) => row(day, byDay.get(day) ?? noCalls())),
    byAgent: byCalls(rows(agents)),
    byProject: byCalls(rows(projects)),
    byHook: byCalls([...hooks].map(([name, { ran, ...tally }]) => row(name, { ...tally, calls: ran, kept: 0 }))).slice(
      0,
      MOST,
    ),
    byShape: byCalls(rows(shapes)).slice(0, MOST),
  };
  return { json: figures };
};

/** How many days a request asks about. */
function daysIn(query: URLSearchParams): number {
  const days = Number(query.get("days"));
  return Number.isInteger(days) && days > 0 ? Math.min(days, 365) : 30;
}

/** The days up to today, also those without a call. */
function everyDay(days: number): string[] {
  const today = new Date();
  const at = (back: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - back, 12);
  return Array.from({ length: days }, (_, index) => localDay(at(days - 1 - index)));
}

function rows(tallies: ReadonlyMap<string, CallTally>): FigureRow[] {
  return [...tallies].map(([name, tally]) => row(name, tally));
}

function row(name: string, { calls, denied, asked, modified, kept, took }: CallTally): FigureRow {
  const { p50, p95, p99 } = times(took);
  return { name, calls, denied, asked, modified, kept, ms: totalMs(took), p50, p95, p99 };
}

function byCalls(all: FigureRow[]): FigureRow[] {
  return all.sort((one, other) => other.calls - one.calls);
}

const MOST = 100;

const STRICTNESS: Readonly<Record<Rule["action"], number>> = { continue: 0, warn: 0, modify: 0, ask: 1, deny: 2 };
const ENOUGH = 2;
