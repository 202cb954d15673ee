import { basename } from "node:path";
import type { Configuration } from "../decide/project.ts";
import type { Hook } from "../hook/hook.ts";
import { formatPlace } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { implies } from "../rule/implies.ts";
import type { Rule } from "../rule/rule.ts";
import { ruleText } from "../rule/text.ts";
import { times } from "../trace/call-statistics.ts";
import { noDurations } from "../trace/call-sums.ts";
import { sumOf } from "./journal-index.ts";
import { type CallTally, type HookTally, lastDays, mergeCalls, noCalls } from "./journal-tally.ts";
import { daysIn } from "./review-routes.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { FigureRow, Figures, RuleRow } from "./wire.ts";

/** Every hook and guard that holds here, with what the last days report about it. */
export const listRules: UiRoute = async ({ query }, context) => {
  const days = daysIn(query);
  const configuration = draftedConfiguration(context.hello.root, new Map(), context);
  const { hooks } = sumOf(await context.index.days(days));
  const all = Object.values(hooks).reduce((sum, { ms }) => sum + ms, 0);
  const ruled = ruledHooks(configuration.written);
  const active = ruled.filter(({ hook }) => whyOff(hook, configuration) === undefined);
  const rules = ruled.map((one) => ({
    ...ruleRow(one, hooks[one.hook.name], all, configuration),
    shadowed: whyShadowed(one, active, hooks[one.hook.name]),
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
  const always = Object.entries(tally?.together ?? {}).find(([, count]) => objections > 1 && count === objections)?.[0];
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
    share: all === 0 ? 0 : (tally?.ms ?? 0) / all,
    ...(always !== undefined && { always }),
    isWritable: file !== undefined && layer !== "managed" && pack === undefined,
  };
}

/** A record names the rule of a guard, and of every other rule its reason: rules with the same reason share their calls. */
function ruleFigures(rules: readonly Rule[], tally: HookTally | undefined): RuleRow["rules"] {
  const saidBy = ({ when, reason }: Rule) => {
    const effect = when.kind === "compare" && when.operator === "effect" ? String(when.value) : undefined;
    return tally?.said[effect ?? ""] ?? tally?.said[reason ?? ""];
  };
  const known = rules.map((rule) => (rules.length === 1 ? allSaid(tally) : saidBy(rule)));
  const told = [...new Set(known)].reduce((sum, one) => sum + (one?.count ?? 0), 0);
  const isAllTold = told === (allSaid(tally)?.count ?? 0);
  return rules.map((rule, index) => {
    const one = known[index];
    const isAlone = known.filter((other) => other === one).length === 1;
    const text = ruleText(rule);
    if (one === undefined) return isAllTold ? { text, fired: 0 } : { text };
    return isAlone ? { text, fired: one.count, ...(one.last > 0 && { last: one.last }) } : { text };
  });
}

function allSaid(tally: HookTally | undefined): { readonly count: number; readonly last: number } | undefined {
  const all = Object.values(tally?.said ?? {});
  if (tally === undefined || all.length === 0) return undefined;
  return { count: all.reduce((sum, { count }) => sum + count, 0), last: tally.lastFired };
}

/** Why a hook does not run here; undefined if it does. */
export function whyOff(hook: Hook, { disabledBy, trust, hooks }: Configuration): string | undefined {
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

/** The first rule that matches decides, so a rule after a wider one is never reached. */
function byEarlierRules({ rules }: RuledHook): string[] {
  return rules.flatMap((rule, index) => {
    const first = rules.slice(0, index).find((earlier) => implies(rule.when, earlier.when));
    return first === undefined ? [] : [`never reached: ${ruleText(rule)} is after ${ruleText(first)}`];
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
  return Object.entries(tally.overruled)
    .filter(([, count]) => count === tally.asked)
    .map(([name]) => `shadowed: ${name} denied every call that it asked about`);
}

/** Decisions by day, agent, project, hook and shape. Every table adds up to the same calls. */
export const showFigures: UiRoute = async ({ query }, { index }) => {
  const count = daysIn(query);
  const days = await index.days(count);
  const { all, agents, projects, hooks, shapes } = sumOf(days);
  const runs = Object.entries(hooks).map(([name, { ran, ...tally }]) => row(name, { ...tally, calls: ran, kept: 0 }));
  const figures: Figures = {
    ...row("", all),
    days: count,
    byDay: lastDays(count).map((day) => row(day, days.get(day)?.all ?? noCalls())),
    byAgent: rows(agents),
    byProject: rows(projects),
    byHook: byCalls(runs),
    byShape: rows(shapes),
  };
  return { json: figures };
};

/** The rows of a table, the most frequent first; what is beyond its length is one row together. */
function rows(tallies: Readonly<Record<string, CallTally>>): FigureRow[] {
  const sorted = Object.entries(tallies)
    .reverse()
    .sort(([, one], [, other]) => other.calls - one.calls);
  const rest = noCalls();
  for (const [, tally] of sorted.slice(MAX_ROWS)) mergeCalls(rest, tally);
  const shown = sorted.slice(0, MAX_ROWS).map(([name, tally]) => row(name, tally));
  return rest.calls === 0 ? shown : [...shown, row(`${sorted.length - MAX_ROWS} others`, rest)];
}

/** Percentiles are left out if there was no call: that is not the same as no time. */
function row(name: string, { calls, denied, asked, modified, kept, ms, took }: CallTally): FigureRow {
  const counts = { name, calls, denied, asked, modified, kept, ms };
  if (calls === 0) return counts;
  const { p50, p95, p99 } = times(took);
  return { ...counts, p50, p95, p99 };
}

function byCalls(all: FigureRow[]): FigureRow[] {
  return all.sort((one, other) => other.calls - one.calls);
}

const MAX_ROWS = 50;

const STRICTNESS: Readonly<Record<Rule["action"], number>> = { continue: 0, warn: 0, modify: 0, ask: 1, deny: 2 };
const ENOUGH = 2;
