import type { Answer } from "../decision/result.ts";
import type { CallEffects, LookupsFor } from "../effects/effect.ts";
import { anyTest } from "../effects/labels/effect-labels.ts";
import type { EventFacts } from "../event/field.ts";
import { oncePerObject } from "../event/once.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";
import { readConditionText, readDsl, rulesIn } from "./dsl.ts";
import { CONTINUE, compileRules, type Evaluate } from "./evaluate.ts";
import { unknownNames } from "./names.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Tools } from "./operators.ts";
import { problemOf, type ReadRules, readRules, type WrittenRule } from "./read.ts";
import { asksAboutRecent } from "./recent.ts";
import { type Rule, regexesIn } from "./rule.ts";
import { prepareTools } from "./tools.ts";

/** What an inline hook says, in either form. */
export type InlineHook = Pick<Hook, "inlineRules" | "rules">;

/** Reads the rules of a hook: `inline_rules` first, then `rules`. What a hook says never changes, so it is read once. */
export const readHookRules = oncePerObject((hook: InlineHook): ReadRules => {
  const { inlineRules = [], rules = "" } = hook;
  const inline = readRules(inlineRules);
  const { lines, problems } = readDsl(rules);
  const read = {
    written: [...inline.written, ...rulesIn(lines)],
    problems: [...inline.problems, ...problems],
    warnings: inline.warnings,
  };
  return read;
});

/** What came of compiling a hook's rules: those that can be read, and everything that a person has to fix. */
export interface CompiledHook {
  readonly evaluate: Evaluate;
  readonly usesRegex: boolean;
  readonly usesRecent: boolean;
  readonly problems: readonly Problem[];
  /** Whether it certainly has nothing to say about an event; the quickest answer of a guard, and the most frequent one. */
  readonly passes?: ((event: EventFacts) => boolean) | undefined;
}

/** Compiles the rules of a hook. A guard with a hole has failed, but the rules that can be read still deny. */
export async function compileHookRules(hook: InlineHook, look?: LookupsFor): Promise<CompiledHook> {
  return compileRead(readHookRules(hook), asksAboutRecent(hook), look);
}

/** Compiles a condition as the rule that denies where it holds. */
export async function compileConditionText(text: string, look?: LookupsFor): Promise<CompiledHook> {
  return compileRead(readConditionText(text), asksAboutRecent({ inlineRules: undefined, rules: text }), look);
}

async function compileRead(
  { written, problems }: Pick<ReadRules, "written" | "problems">,
  usesRecent: boolean,
  look: LookupsFor | undefined,
): Promise<CompiledHook> {
  const tools = await prepareTools(
    written.map(({ rule }) => rule),
    look,
  );
  const refused = written.map((one) => [...unknownNames(one), ...refusedRegexes(one, tools)]);
  const rules = written.filter((_, index) => refused[index]?.length === 0).map(({ rule }) => rule);
  return {
    evaluate: compileRules(rules, tools),
    usesRegex: rules.some(({ when }) => regexesIn(when).length > 0),
    usesRecent,
    problems: [...problems, ...refused.flat()],
  };
}

/** Rules that were read already, without regular expressions and questions about the past. */
export interface ReadyRules {
  readonly ready: readonly Rule[];
  /** What a call comes to that one of them matches; the rule's own words where it is left out. */
  readonly answers?: (event: EventFacts, read: Pick<Tools, "act" | "text">) => Answer;
}

/** Compiles rules that need no reading. */
export async function compileReadyRules({ ready, answers }: ReadyRules, look?: LookupsFor): Promise<CompiledHook> {
  const tools = await prepareTools(ready, look);
  const holds = answers && actTest(ready);
  const evaluate = holds === undefined ? compileRules(ready, tools) : undefined;
  // Dozens of rules ask about one call: what it does is looked up once for all of them.
  const answer: Evaluate = (event) => {
    if (evaluate !== undefined) return evaluate(event) === CONTINUE ? CONTINUE : answers?.(event, tools);
    const act = tools.act(event);
    return act !== undefined && holds?.(act) ? answers?.(event, tools) : CONTINUE;
  };
  const passes =
    holds &&
    ((event: EventFacts) => {
      const act = tools.act(event);
      return act === undefined || !holds(act);
    });
  const isPlain = evaluate !== undefined && answers === undefined;
  return { evaluate: isPlain ? evaluate : answer, usesRegex: false, usesRecent: false, problems: [], passes };
}

/** Whether one of these rules holds for a call; undefined if one asks about something else. */
function actTest(rules: readonly Rule[]): ((act: CallEffects) => boolean) | undefined {
  const tests = rules.flatMap(({ when }) => {
    if (when.kind !== "compare" || when.field !== "call") return [];
    const named = operatorNamed(when.operator);
    const test = named?.negated === false ? named.row.onAct?.(when.value) : undefined;
    return test === undefined ? [] : [test];
  });
  return tests.length === rules.length ? anyTest(tests) : undefined;
}

function refusedRegexes({ rule, path, label, line }: WrittenRule, tools: Tools): Problem[] {
  return regexesIn(rule.when).flatMap((pattern) => {
    try {
      tools.regex(pattern);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [problemOf(label, error, [...path, line ?? "value"])];
    }
  });
}
