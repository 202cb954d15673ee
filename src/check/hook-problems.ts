import type { Path } from "../config/tree.ts";
import { membersOf } from "../hook/combination.ts";
import type { Hook } from "../hook/hook.ts";
import { within } from "../hook/members.ts";
import { PromptTemplate } from "../llm/prompt-template.ts";
import type { CompileRegex } from "../pattern/regex.ts";
import { Problem, problems } from "../problem/problem.ts";
import { alwaysHolds } from "../rule/contradiction.ts";
import { readConditionText } from "../rule/dsl.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { lintInHook, lintMatcher, lintOrder, lintRule } from "../rule/lint.ts";
import type { ProjectPlace } from "../rule/path-shape.ts";
import type { WrittenRule } from "../rule/read.ts";
import { regexesIn } from "../rule/rule.ts";
import { refusedRegex } from "../rule/tools.ts";

/** What makes a hook useless, and what is most likely a mistake. */
export interface HookProblems {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** What may be used to look for problems: the engine for regular expressions, and the project on the disk. */
export interface Means {
  readonly regex: CompileRegex;
  /** Left out where the hook belongs to no project. */
  readonly place?: ProjectPlace | undefined;
}

/**
 * What is wrong with one hook, or with one member of it: rules that cannot be read or can never match, addresses that are
 * none, prompts with unknown placeholders. It starts nothing and reads no file. Paths lead into the hook.
 */
export function problemsInHook(hook: Hook, { regex, place = NO_PROJECT }: Means): HookProblems {
  const { written, problems: unread, warnings } = readHookRules(hook);
  const order = lintOrder(written, ({ when }) => alwaysHolds(when, hook));
  const isDead = (one: WrittenRule) => lintRule(one, place).length > 0;
  return {
    errors: [
      ...unread,
      ...written.flatMap((one) => [...refused(one, regex), ...lintRule(one, place)]),
      ...written.flatMap((one) => (isDead(one) ? [] : lintInHook(one, hook))),
      ...order.flatMap(({ problem, isSame }) => (isSame ? [] : [problem])),
      ...conditionProblems(hook, { regex, place }),
      ...(CHECKS[hook.type]?.(hook) ?? []),
    ],
    warnings: [...warnings, ...order.flatMap(({ problem, isSame }) => (isSame ? [problem] : []))],
  };
}

/** What is wrong with the patterns of events and of a matcher. */
export function problemsOfMatcher(hook: Hook, place: ProjectPlace = NO_PROJECT): readonly Problem[] {
  return lintMatcher(hook, place);
}

/** No path is inside of it, and nothing is on its disk. */
const NO_PROJECT: ProjectPlace = { root: "\0", exists: () => false, isFolder: () => false };

function refused({ rule, path, label, line }: WrittenRule, regex: CompileRegex): Problem[] {
  return regexesIn(rule.when).flatMap((pattern) => {
    const compiled = regex(pattern);
    return "test" in compiled ? [] : [refusedRegex(label, pattern, compiled, [...path, line ?? "value"])];
  });
}

/** What is wrong with the conditions of `when`, however deep. */
function conditionProblems({ type, combination }: Hook, { regex, place }: Required<Means>): Problem[] {
  if (type !== "combine") return [];
  return conditionsIn(combination).flatMap(({ when, path }) => {
    if (when.rule === undefined) return [];
    const { written, problems: unread } = readConditionText(when.rule);
    const linted = written.flatMap((one) => [...refused(one, regex), ...lintRule(one, place ?? NO_PROJECT)]);
    return [
      ...unread.map((problem) => within(path, problem)),
      ...linted.map((problem) => within([...path, "if"], atText(problem))),
    ];
  });
}

/** A condition is one text; its problem is placed at its beginning. */
function atText({ code, message, fix }: Problem): Problem {
  return new Problem(code, { what: message, ...(fix && { fix }) }, { path: [] });
}

type When = Extract<NonNullable<Hook["combination"]>, { way: "when" }>;

/** Every `when` in a combination, with the keys that lead to it. */
function conditionsIn(combination: Hook["combination"], above: Path = []): { when: When; path: Path }[] {
  if (combination === undefined) return [];
  const path = [...above, combination.way];
  const inner = membersOf(combination).flatMap((member, index) =>
    conditionsIn(member.combination, [...path, memberKey(combination.way, index)]),
  );
  return combination.way === "when" ? [{ when: combination, path }, ...inner] : inner;
}

function memberKey(way: NonNullable<Hook["combination"]>["way"], index: number): string | number {
  if (way === "retry") return "of";
  return way === "when" ? (["then", "else"][index] ?? "then") : index;
}

const CHECKS: Partial<Record<Hook["type"], (hook: Hook) => readonly Problem[]>> = {
  opa: ({ name, opa }) => addressProblems(name, opa?.url ?? "", ["opa", "url"]),
  http: ({ name, url = "" }) => addressProblems(name, url, ["url"]),
  llm: ({ name, prompt = "" }) =>
    [...prompt.matchAll(/\{\{(?:[^{}]*\}\})?/g)].flatMap(({ 0: slot, index }) => {
      try {
        if (slot === "{{") throw PROBLEMS.openSlot({ name });
        new PromptTemplate(slot);
        return [];
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const before = prompt.slice(0, index).split("\n");
        const path = ["prompt", before.length, (before.at(-1)?.length ?? 0) + 1];
        return [new Problem(error.code, { what: error.message, ...(error.fix && { fix: error.fix }) }, { path })];
      }
    }),
};

function addressProblems(name: string, url: string, path: Path): Problem[] {
  return URL.canParse(url) && /^https?:/i.test(url) ? [] : [PROBLEMS.noAddress({ name, url }, { path })];
}

const PROBLEMS = problems("hook", {
  openSlot: ({ name }: { name: string }) => ({
    what: `the prompt of hook "${name}" has a {{ without its }}; the model would read it as it is written.`,
    fix: "Close it: {{args.content}}, for example.",
  }),
  noAddress: ({ name, url }: { name: string; url: string }) => ({
    what: `hook "${name}" posts to "${url}", which is not the address of a server.`,
    fix: "Write one that begins with http:// or https://.",
  }),
});
