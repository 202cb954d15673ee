import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../tests/cases.ts";
import { effectLabels } from "../effects/labels/effect-labels.ts";
import { readDsl, rulesIn } from "./dsl.ts";
import { operatorNamed, operatorWords } from "./operator-words.ts";
import { ACTIONS, type Condition, type Rule } from "./rule.ts";
import { formatRules, ruleText } from "./text.ts";

function formatted(text: string): string {
  const result = formatRules(text);
  if ("problems" in result) throw result.problems[0];
  return result.text;
}

describe("rules have one way to be written", () => {
  const rows: [written: string, formatted: string][] = [
    ["a   exists->deny( 'no' )", 'a exists -> deny("no")\n'],
    ['a in ["x",1,true]   ->   ask()', 'a in ["x", 1, true] -> ask()\n'],
    ["(a exists) and ((b exists))->deny()", "a exists and b exists -> deny()\n"],
    ["(a exists and b exists) or c exists -> deny()", "a exists and b exists or c exists -> deny()\n"],
    ["a exists and (b exists or c exists) -> deny()", "a exists and (b exists or c exists) -> deny()\n"],
    ["a exists and (b exists and c exists) -> deny()", "a exists and (b exists and c exists) -> deny()\n"],
    ["not(a exists) -> deny()", "not a exists -> deny()\n"],
    ["not(a exists or b exists) -> deny()", "not (a exists or b exists) -> deny()\n"],
    ['a matches "^rm\\s+\\"x\\n" -> deny()', 'a matches "^rm\\s+\\"x\\n" -> deny()\n'],
    ['a matches "\\\\n\\\\s" -> deny()', 'a matches "\\\\n\\s" -> deny()\n'],
    ['"not" exists -> deny()', '"not" exists -> deny()\n'],
    ['"a" exists -> modify( "b" ,{"c":[]} )', 'a exists -> modify(b, { "c": [] })\n'],
    ["# kept\n\n\na exists -> deny()   # this too  \n\n", "# kept\n\n\na exists -> deny()  # this too\n"],
    ["\n  # inside", "\n# inside\n"],
    ["", ""],
    ["\r\n \t\r\n", ""],
  ];
  test.each(rows)("%j", (written, expected) => {
    expect(formatted(written)).toBe(expected);
    expect(formatted(expected)).toBe(expected);
  });
});

test("what cannot be read is not rewritten", () => {
  expect(formatRules("a exists -> deny()\nb")).toMatchObject({ problems: [{ code: "rule/syntax" }] });
});

/** Any letter of Unicode. The library's own, "binary", first makes a map of all of them, which takes a second and 130 MB. */
const letter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));
const value = fc.oneof(
  fc.string({ unit: letter, maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom("\\", '"', "'", "n", "u", "0", "\n", "\b", "\ud800", "#", "a", "\u2028"),
    maxLength: 9,
  }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const scalars = fc.oneof(fc.string({ unit: letter }), fc.integer(), fc.boolean());
const VALUES = {
  text: scalars,
  texts: fc.oneof(scalars, fc.array(scalars, { minLength: 1, maxLength: 3 })),
  number: fc.oneof(fc.integer(), fc.integer().map(String)),
  list: fc.array(value, { maxLength: 4 }),
  nothing: fc.constant(undefined),
  anything: fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(fc.string(), value, { maxKeys: 3 })),
};
/** Other words are refused. */
const effect = fc.constantFrom(...Object.keys(effectLabels()));
const EFFECTS = fc.oneof(effect, fc.array(effect, { minLength: 1, maxLength: 3 }));
const field = fc
  .oneof(fc.constantFrom("args.command", "tool", "path", "not", "and", "a b", "args.*.x", "größe"), fc.string())
  // A field with the sign of a JSON path is refused.
  .filter((path) => !path.split(".").includes("") && !path.startsWith("$"));
const comparison: fc.Arbitrary<Condition> = fc
  .tuple(field, fc.constantFrom(...operatorWords()))
  .chain(([path, operator]) =>
    (operatorNamed(operator)?.name === "effect"
      ? EFFECTS
      : VALUES[operatorNamed(operator)?.row.takes ?? "nothing"]
    ).map(
      (wanted): Condition => ({
        kind: "compare",
        field: path,
        operator,
        value: wanted,
      }),
    ),
  );
const condition: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    comparison,
    tie("any").map((of): Condition => ({ kind: "not", of })),
    fc
      .tuple(fc.constantFrom("all" as const, "any" as const), fc.array(tie("any"), { minLength: 2, maxLength: 3 }))
      .map(([kind, of]): Condition => ({ kind, of })),
  ),
})).any;
const target = field.filter((path) => !/(?:^|\.)(?:__proto__|prototype|constructor)(?:\.|$)/.test(path));
const rule: fc.Arbitrary<Rule> = fc
  .tuple(condition, fc.constantFrom(...ACTIONS), fc.option(fc.string({ unit: letter, minLength: 1 })), target, value)
  .map(([when, action, reason, path, wanted]) => ({
    when,
    action,
    reason: reason ?? undefined,
    ...(action === "modify" ? { modify: { field: path, value: wanted } } : {}),
  }));

test("every rule there is can be written down and read again", () => {
  fc.assert(
    fc.property(rule, (given) => {
      const { lines, problems } = readDsl(ruleText(given));
      expect(problems).toEqual([]);
      expect(rulesIn(lines).map((one) => one.rule)).toEqual([given]);
    }),
    { numRuns: cases(200, 50_000) },
  );
});

test("formatting keeps what rules mean, and a second time changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(rule.map(ruleText), fc.constantFrom("", "# note", "  "))), (lines) => {
      const text = lines.join("\n");
      const once = formatted(text);
      expect(formatted(once)).toBe(once);
      const meant = (source: string) => rulesIn(readDsl(source).lines).map((one) => one.rule);
      expect(meant(once)).toEqual(meant(text));
    }),
    { numRuns: cases(100, 10_000) },
  );
});
