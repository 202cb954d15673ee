import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operatorWords } from "./operator-words.ts";
import { RULE_KEYS, readRules } from "./read.ts";
import { ACTIONS } from "./rule.ts";

const rule = { field: "args.command", operator: "contains", value: "rm", action: "deny" };

test("a rule in a file becomes a condition and what it says", () => {
  const { written, problems, warnings } = readRules([{ ...rule, reason: "no" }]);
  expect(written).toEqual([
    {
      rule: {
        when: { kind: "compare", field: "args.command", operator: "contains", value: "rm" },
        action: "deny",
        reason: "no",
      },
      path: ["inline_rules", 0],
      label: "Rule 1",
    },
  ]);
  expect([problems, warnings]).toEqual([[], []]);
});

test("both spellings of a key are read", () => {
  const modify = { ...rule, action: "modify" };
  const snake = readRules([{ ...modify, modify_field: "args.command", modify_value: "ls" }]);
  const camel = readRules([{ ...modify, modifyField: "args.command", modifyValue: "ls" }]);
  expect(camel).toEqual(snake);
  expect(snake.written[0]?.rule.modify).toEqual({ field: "args.command", value: "ls" });
});

describe("a rule with a problem is told with its place and the step", () => {
  const rows: [change: unknown, path: (string | number)[], code: string, what: RegExp, fix: RegExp][] = [
    ["text", [], "rule/no-object", /Rule 2: it is not an object/, /field, operator/],
    [[], [], "rule/no-object", /not an object/, /field/],
    [{ field: undefined }, ["field"], "rule/no-field", /Rule 2: A rule names no field/, /args\.command/],
    [{ field: 7 }, ["field"], "rule/no-field", /7 is not a field/, /args/],
    [{ field: "a..b" }, ["field"], "rule/empty-part", /part without a name/, /one dot/],
    [{ operator: "contians" }, ["operator"], "rule/unknown-operator", /"contians"/, /Did you mean "contains"/],
    [{ operator: undefined }, ["operator"], "rule/unknown-operator", /names no operator/, /equals, contains/],
    [{ operator: "toString" }, ["operator"], "rule/unknown-operator", /"toString"/, /equals/],
    [{ value: undefined }, ["value"], "rule/wrong-value", /needs a text, and got nothing/, /quotes/],
    [{ value: ["a", "b"] }, ["value"], "rule/wrong-value", /needs a text, and got \["a","b"\]/, /one rule each/],
    [{ operator: "in", value: "a" }, ["value"], "rule/wrong-value", /needs a list/, /\["a", "b"\]/],
    [{ operator: "gt", value: "many" }, ["value"], "rule/wrong-value", /needs a number/, /digits/],
    [{ operator: "gt", value: true }, ["value"], "rule/wrong-value", /needs a number/, /digits/],
    [{ operator: "exists", value: false }, ["value"], "rule/wrong-value", /needs nothing/, /not_exists/],
    [
      { operator: "effect", value: "privlege" },
      ["value"],
      "rule/no-effect",
      /is not an effect/,
      /Did you mean "privilege"/,
    ],
    [{ operator: "not_effect", value: ["kill", "x-y"] }, ["value"], "rule/no-effect", /"x-y"/, /privilege/],
    [{ action: "block" }, ["action"], "rule/unknown-action", /"block" is not an action/, /"deny"/],
    [{ action: undefined }, ["action"], "rule/unknown-action", /names no action/, /deny/],
    [{ action: "modify" }, ["action"], "rule/no-target", /does not say what/, /modify_field/],
    [
      { action: "modify", modify_field: "args.__proto__.x" },
      ["modify_field"],
      "rule/forbidden-key",
      /__proto__/,
      /another/,
    ],
    [{ action: "modify", modify_field: 5 }, ["modify_field"], "rule/no-field", /5 is not a field/, /args/],
  ];
  test.each(rows)("%j", (change, path, code, what, fix) => {
    const entry = typeof change === "object" && !Array.isArray(change) ? { ...rule, ...change } : change;
    const { written, problems } = readRules([rule, entry]);
    expect(written).toHaveLength(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code, path: ["inline_rules", 1, ...path] });
    expect(problems[0]?.message).toMatch(what);
    expect(problems[0]?.fix).toMatch(fix);
  });
});

test("every problem of a rule is told, not only the first", () => {
  expect(readRules([{ action: "no" }]).problems.map(({ code }) => code)).toEqual([
    "rule/no-field",
    "rule/unknown-operator",
    "rule/unknown-action",
  ]);
});

test("an unknown key is pointed at and does no harm", () => {
  const { written, problems, warnings } = readRules([{ ...rule, reson: "no" }]);
  expect(written).toHaveLength(1);
  expect(problems).toEqual([]);
  expect(warnings[0]).toMatchObject({ path: ["inline_rules", 0, "reson"], fix: 'Did you mean "reason"?' });
});

test("editors know every key, operator and action of a rule", () => {
  const { definitions } = JSON.parse(readFileSync(new URL("../../schema.json", import.meta.url), "utf8"));
  const { properties } = definitions.hook.properties.inline_rules.items;
  for (const key of Object.keys(RULE_KEYS)) expect(properties).toHaveProperty(key);
  expect(properties.operator.enum).toEqual(operatorWords());
  expect(properties.action.enum).toEqual([...ACTIONS]);
});
