import { describe, expect, test } from "vitest";
import type { Answer } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { readDsl, rulesIn } from "./dsl.ts";
import { compileRules } from "./evaluate.ts";
import { compileHookRules } from "./hook-rules.ts";
import { readRules } from "./read.ts";
import { prepareTools } from "./tools.ts";

async function answer(text: string, data: object, isLate?: () => boolean): Promise<Answer | undefined> {
  const rules = rulesIn(readDsl(text).lines).map(({ rule }) => rule);
  const evaluate = compileRules(rules, await prepareTools(rules));
  return evaluate(new HookEvent({ type: "tool:pre_execute", toolName: "bash", data }), isLate);
}

test("the first rule that matches decides", async () => {
  const text = 'args.a exists -> ask("first")\nargs.b exists -> deny("second")';
  expect(await answer(text, { args: { a: 1, b: 1 } })).toMatchObject({ action: "ask", reason: "first" });
  expect(await answer(text, { args: { b: 1 } })).toMatchObject({ action: "deny", reason: "second" });
});

test("a rule that continues ends the search", async () => {
  const text = 'args.a exists -> continue()\nargs.b exists -> deny("second")';
  expect(await answer(text, { args: { a: 1, b: 1 } })).toEqual({ action: "continue" });
});

test("where no rule matches the call continues", async () => {
  expect(await answer("args.a exists -> deny()", {})).toEqual({ action: "continue" });
  expect(await answer("", {})).toEqual({ action: "continue" });
});

describe("a rule without a reason gives itself as the reason", () => {
  const rows: [text: string, reason: string | undefined][] = [
    ['args.a equals "x" -> deny()', 'Denied by rule: args.a equals "x"'],
    ["args.a exists -> ask()", "A rule wants this approved: args.a exists"],
    ["args.a exists -> continue()", undefined],
    ["args.a exists -> modify(args.a, 1)", undefined],
  ];
  test.each(rows)("%s", async (text, reason) => {
    expect((await answer(text, { args: { a: "x" } }))?.reason).toBe(reason);
  });
});

describe("conditions add up", () => {
  const rows: [condition: string, holds: boolean][] = [
    ["args.a exists and args.b exists", true],
    ["args.a exists and args.c exists", false],
    ["args.a exists and args.b exists and args.c exists", false],
    ["args.c exists or args.a exists", true],
    ["args.c exists or args.d exists", false],
    ["args.c exists or args.d exists or args.a exists", true],
    ["not args.c exists", true],
    ["not (args.a exists and args.b exists)", false],
    ["args.c exists and args.c exists or args.a exists", true],
    ["args.c exists and (args.c exists or args.a exists)", false],
    ['args.c not_equals "x"', false],
    ['not args.c equals "x"', true],
    ["args.c not_exists", true],
    ["args.list.* equals 2", true],
    ["args.list.* not_equals 2", false],
    ["args.list.* not_equals 9", true],
    ["args.none.* not_equals 9", false],
    ["args.none.* not_exists", true],
    ["args.list equals 2", true],
    ["args.list not_gt 2", true],
  ];
  test.each(rows)("%s: %s", async (condition, holds) => {
    const said = await answer(`${condition} -> deny()`, { args: { a: 1, b: 2, list: [1, 2], none: [] } });
    expect(said?.action).toBe(holds ? "deny" : "continue");
  });
});

test("a condition of thousands of parts is no deeper than one of two", async () => {
  for (const join of [" and ", " or "]) {
    const condition = Array.from({ length: 10_000 }, () => `args.a ${join === " or " ? "not_" : ""}exists`).join(join);
    expect(await answer(`${condition} -> deny("x")`, { args: { a: 1 } })).toMatchObject({
      action: join === " and " ? "deny" : "continue",
    });
  }
});

test("rules with regular expressions can be ended between two of them", async () => {
  const text = 'args.a matches "x" -> deny()\nargs.a exists -> deny()';
  expect(await answer(text, { args: { a: 1 } }, () => true)).toBeUndefined();
  expect(await answer(text, { args: { a: 1 } }, () => false)).toMatchObject({ action: "deny" });
  expect(await answer("args.a exists -> deny()", { args: { a: 1 } }, () => true)).toMatchObject({ action: "deny" });
});

test("a rule that says what to do instead says it with its reason", async () => {
  const entry = { field: "args.a", operator: "exists", action: "deny", reason: "No", remedy: "git stash" };
  const rules = readRules([entry]).written.map(({ rule }) => rule);
  const evaluate = compileRules(rules, await prepareTools(rules));
  const event = new HookEvent({ type: "tool:pre_execute", data: { args: { a: 1 } } });
  expect(evaluate(event)).toEqual({ action: "deny", reason: "No. Do instead: git stash" });
});

describe("a negated operator about what a call does", () => {
  const words = ["runs", "writes", "reads", "deletes", "network", "effect"] as const;
  const rows = words.flatMap((word) => [
    [`not_${word}`, "Read", { file_path: "a.ts" }, "continue"] as const,
    [`not_${word}`, "Bash", { command: "true" }, "deny"] as const,
  ]);
  test.each(rows)("%s on %s %j is %s: what is missing never matches", async (operator, tool, args, action) => {
    const value = operator === "not_effect" ? "privilege" : "x";
    const hook = { inlineRules: [{ field: "args.command", operator, value, action: "deny" }], rules: undefined };
    const { evaluate, problems } = await compileHookRules(hook);
    expect(problems).toEqual([]);
    expect(evaluate(HookEvent.toolPreExecute(tool, args))?.action).toBe(action);
  });
});
