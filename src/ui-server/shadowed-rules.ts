import type { Hook } from "../hook/hook.ts";
import { formatPlace } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { implies } from "../rule/implies.ts";
import type { Rule } from "../rule/rule.ts";
import { ruleText } from "../rule/text.ts";
import type { HookTally } from "./journal-tally.ts";

/** A hook with its rules in the order in which they are tried. */
export interface RuledHook {
  readonly hook: Hook;
  readonly rules: readonly Rule[];
}

/** The rules of hooks; what cannot be read has none. */
export function ruledHooks(hooks: readonly Hook[]): RuledHook[] {
  return hooks.map((hook) => ({
    hook,
    rules: hook.parts.flatMap((part) =>
      part.type === "inline" ? readHookRules(part).written.map(({ rule }) => rule) : [],
    ),
  }));
}

/** Why parts of a hook change nothing: an earlier rule, another hook, or what others always decided. */
export function whyShadowed(one: RuledHook, all: readonly RuledHook[], tally: HookTally | undefined): string[] {
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

const STRICTNESS: Readonly<Record<Rule["action"], number>> = { continue: 0, warn: 0, modify: 0, ask: 1, deny: 2 };
const ENOUGH = 2;
