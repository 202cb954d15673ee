import { afterAll, beforeAll, expect, test } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { Problem } from "../../src/problem/problem.ts";
import { readDsl, rulesIn } from "../../src/rule/dsl.ts";
import { compileRules } from "../../src/rule/evaluate.ts";
import { explainRules, explanationText } from "../../src/rule/explain.ts";
import { isAction, type Rule } from "../../src/rule/rule.ts";
import { formatRules } from "../../src/rule/text.ts";
import { prepareTools } from "../../src/rule/tools.ts";
import { cases, seedOr } from "../cases.ts";
import { Chance, randomData, randomRules } from "./random-rules.ts";

const TEXTS = cases(500, 100_000);
const SEED = seedOr(20_260_101);

/** What is thrown inside is looked at by its code; finding its way through the stack would take most of the time. */
const limit = Error.stackTraceLimit;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = limit;
});

test(`${TEXTS} random texts of rules meet random events: none breaks, none hangs`, { timeout: 600_000 }, async () => {
  const chance = new Chance(SEED);
  const tools = await prepareTools([
    { when: { kind: "compare", field: "x", operator: "matches", value: "" }, action: "deny" },
  ]);
  const seen = { rules: 0, problems: 0, refused: 0, matched: 0 };
  let longest = 0;
  for (let index = 0; index < TEXTS; index++) {
    const text = randomRules(chance);
    const event = new HookEvent({ type: "PreToolUse", toolName: "bash", timestamp: 0, data: randomData(chance) });
    const began = performance.now();
    try {
      meet(text, event);
    } catch (error) {
      throw new Error(`seed ${SEED}, text ${index}: ${JSON.stringify(text)}`, { cause: error });
    }
    longest = Math.max(longest, performance.now() - began);
  }
  // A generator that only makes nonsense, or only makes sense, proves nothing.
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(TEXTS / 50);
  expect(longest, "milliseconds of the slowest text").toBeLessThan(10_000);

  function meet(text: string, event: HookEvent): void {
    const { lines, problems } = readDsl(text);
    const rules = rulesIn(lines).map(({ rule }) => rule);
    seen.rules += rules.length;
    seen.problems += problems.length;
    for (const { message } of problems)
      if (!/^Rules, line \d+, column \d+: /.test(message)) throw new Error(`without its place: ${message}`);
    sameWhenFormatted(text, rules, problems.length > 0);
    const evaluate = usable(rules);
    if (evaluate === undefined) return void seen.refused++;
    const explained = explainRules(rules, event, tools);
    if (!explanationText(explained).endsWith("\n")) throw new Error("an explanation without its end");
    const deciding = explained.find(({ decides }) => decides);
    if (deciding !== undefined) seen.matched++;
    const action = actionOf(() => evaluate(event)?.action);
    if (action !== undefined && action !== (deciding?.rule.action ?? "continue"))
      throw new Error(`explained as ${deciding?.text}, and it says ${action}`);
  }

  /** Nothing but the problem of a refused expression may be thrown. */
  function usable(rules: readonly Rule[]) {
    try {
      return compileRules(rules, tools);
    } catch (error) {
      if (error instanceof Problem && error.code === "rule/refused-regex") return undefined;
      throw error;
    }
  }
});

/** Nothing but the problem of a change that cannot be made may be thrown. */
function actionOf(evaluate: () => string | undefined): string | undefined {
  try {
    const action = evaluate();
    if (!isAction(action)) throw new Error(`${action} is nothing a rule can say`);
    return action;
  } catch (error) {
    if (error instanceof Problem && /^rule\/(?:elsewhere|no-inside)$/.test(error.code)) return undefined;
    throw error;
  }
}

function sameWhenFormatted(text: string, rules: readonly Rule[], isBroken: boolean): void {
  const formatted = formatRules(text);
  if ("problems" in formatted !== isBroken) throw new Error("formatting and reading disagree");
  if ("problems" in formatted) return;
  const again = formatRules(formatted.text);
  if (!("text" in again) || again.text !== formatted.text) throw new Error(`not settled: ${formatted.text}`);
  const meant = rulesIn(readDsl(formatted.text).lines).map(({ rule }) => rule);
  if (JSON.stringify(meant) !== JSON.stringify(rules)) throw new Error(`changed: ${formatted.text}`);
}
