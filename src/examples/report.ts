import type { Action } from "../decision/result.ts";
import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { type Place, Problem } from "../problem/problem.ts";
import { type ConditionExplanation, explainRules } from "../rule/explain.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import type { WrittenRule } from "../rule/read.ts";
import type { Condition } from "../rule/rule.ts";
import { conditionText, ruleText } from "../rule/text.ts";
import { prepareTools } from "../rule/tools.ts";
import type { FindPlace } from "./place-finder.ts";

/** What came of one example, one remedy or one test. */
export interface TestOutcome {
  /** An example is put to its hook alone, a remedy and a test to all hooks together. */
  readonly kind: "example" | "remedy" | "test";
  /** The hook, or the file of the test. */
  readonly group: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "not_run";
  readonly place?: Place | undefined;
  readonly expected: string;
  readonly got?: Action;
  /** The hook that decided, and its rule. */
  readonly saidBy?: { readonly hook: string; readonly rule?: string; readonly place?: Place | undefined };
  readonly reason?: string;
  /** Why it failed or was not run. */
  readonly why?: string;
  /** The command line that shows it. */
  readonly next?: string;
  readonly durationMs: number;
}

/** What examples and tests never reached. */
export interface Coverage {
  readonly rules: { readonly total: number; readonly undecided: readonly Uncovered[] };
  /** The alternatives of rules that decided: each side of an `or`. */
  readonly branches: { readonly total: number; readonly unreached: readonly Uncovered[] };
  readonly hooks: { readonly total: number; readonly withoutExamples: readonly Uncovered[] };
}

/** A rule that never decided, a side of an `or` that was never true when its rule decided, or a hook without examples. */
export interface Uncovered {
  readonly hook: string;
  readonly rule?: string;
  readonly place?: Place | undefined;
}

/** Everything that was tried, and how it ended. */
export interface TestReport {
  readonly outcomes: readonly TestOutcome[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Examples and files that cannot be read. */
  readonly problems: readonly Problem[];
  /** Something was tried, and nothing failed. */
  readonly ok: boolean;
  readonly coverage?: Coverage;
}

/** Adds up what came of everything. */
export function reportOf(
  outcomes: readonly TestOutcome[],
  problems: readonly Problem[],
  coverage: Coverage | undefined,
): TestReport {
  const count = (status: TestOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const [passed, failed, notRun] = [count("passed"), count("failed"), count("not_run")];
  const ok = passed > 0 && failed === 0 && problems.length === 0;
  return { outcomes, passed, failed, notRun, problems, ok, ...(coverage === undefined ? {} : { coverage }) };
}

/** One event, and the hooks it was put to. */
export interface Tried {
  readonly hooks: readonly Hook[];
  readonly event: EventFacts;
}

/** Which rules never decided about any event, and which hooks do not have examples. */
export async function coverageOf(
  hooks: readonly Hook[],
  tried: readonly Tried[],
  placeOf: FindPlace,
): Promise<Coverage> {
  // By hook and rule: the alternatives that held when the rule decided.
  const decided = new Map<Hook, Map<string, Set<string>>>();
  for (const { hooks: asked, event } of tried) {
    for (const hook of asked.filter((one) => one.matches(event))) {
      for (const { hook: part, written, condition } of await decidingRules(hook, event)) {
        const ofPart = decided.get(part) ?? new Map<string, Set<string>>();
        const held = new Set([...(ofPart.get(written.label) ?? []), ...heldAlternatives(condition)]);
        decided.set(part, ofPart.set(written.label, held));
      }
    }
  }
  const rules = hooks.flatMap((hook) => hook.parts.flatMap((part) => rulesOf(part, hook)));
  const placeOfRule = ({ part, whole, written }: (typeof rules)[number]) =>
    part === whole ? placeOf(whole, written.path, written.line) : whole.origin?.place;
  const branches = rules.flatMap((rule) => {
    const held = decided.get(rule.part)?.get(rule.written.label);
    const texts = held === undefined ? [] : alternativesOf(rule.written.rule.when).map(conditionText);
    return texts.map((text) => ({
      hook: rule.whole.name,
      rule: text,
      place: placeOfRule(rule),
      isHeld: held?.has(text),
    }));
  });
  return {
    rules: {
      total: rules.length,
      undecided: rules
        .filter(({ part, written }) => !decided.get(part)?.has(written.label))
        .map((rule) => ({ hook: rule.whole.name, rule: ruleText(rule.written.rule), place: placeOfRule(rule) })),
    },
    branches: {
      total: branches.length,
      unreached: branches.filter(({ isHeld }) => !isHeld).map(({ hook, rule, place }) => ({ hook, rule, place })),
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

/** The sides of every `or` of a condition; below a `not`, no side has to be true. */
function alternativesOf(condition: Condition): Condition[] {
  if (condition.kind === "any") return condition.of.flatMap((part) => [part, ...alternativesOf(part)]);
  return condition.kind === "all" ? condition.of.flatMap(alternativesOf) : [];
}

/** The sides of every `or` that held. */
function heldAlternatives(condition: ConditionExplanation): string[] {
  if (condition.kind === "any")
    return condition.of.filter(({ held }) => held).flatMap((part) => [part.text, ...heldAlternatives(part)]);
  return condition.kind === "all" ? condition.of.flatMap(heldAlternatives) : [];
}

/** A rule of a hook, and how the rule language writes it. */
interface HookRule {
  /** The hook, or the part of it, that contains the rule. */
  readonly hook: Hook;
  readonly written: WrittenRule;
  readonly text: string;
  readonly condition: ConditionExplanation;
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
    return explained.flatMap(({ decides, text, condition }, index) => {
      const one = written[index];
      return decides && one !== undefined ? [{ hook, written: one, text, condition }] : [];
    });
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
