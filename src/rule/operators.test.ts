import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { compileCondition } from "./evaluate.ts";
import { operatorWords } from "./operator-words.ts";
import { OPERATORS, type Operator } from "./operators.ts";
import { prepareTools } from "./tools.ts";

const tools = await prepareTools([
  { when: { kind: "compare", field: "x", operator: "matches", value: "a" }, action: "deny" },
  { when: { kind: "compare", field: "x", operator: "runs", value: "a" }, action: "deny" },
]);

function holds(operator: string, value: unknown, wanted: unknown): boolean {
  const event = new HookEvent({ type: "session:message", data: value === MISSING ? {} : { x: value } });
  return compileCondition({ kind: "compare", field: "x", operator, value: wanted }, tools)(event);
}

const MISSING = Symbol("missing");

/** What a command does has an opposite only where it does something of that kind. */
function isAbout({ isAbout: asks }: Operator, value: unknown): boolean {
  const act =
    asks && typeof value === "string" ? tools.text(new HookEvent({ type: "session:message" }), value) : undefined;
  return asks === undefined || (act !== undefined && asks(act));
}

describe.each(Object.entries<Operator>(OPERATORS))("%s", (name, row) => {
  const { examples } = row;
  test("says of every example what the table says, and the opposite behind not_", () => {
    for (const [value, wanted, expected] of examples) {
      const asked = `${JSON.stringify(value)} with ${JSON.stringify(wanted)}`;
      expect(holds(name, value, wanted), asked).toBe(expected);
      expect(holds(`not_${name}`, value, wanted), asked).toBe(!expected && isAbout(row, value));
    }
  });

  test("a missing field never matches, except for not_exists", () => {
    const wanted = examples[0]?.[1];
    expect(holds(name, MISSING, wanted)).toBe(false);
    expect(holds(`not_${name}`, MISSING, wanted)).toBe(name === "exists");
  });

  test("null counts as missing", () => {
    const wanted = examples[0]?.[1];
    expect(holds(name, null, wanted)).toBe(false);
    expect(holds(`not_${name}`, null, wanted)).toBe(name === "exists");
  });
});

test.each([
  ["equals", null, null, true],
  ["equals", 0, null, false],
  ["not_equals", "x", null, true],
  ["not_equals", null, null, false],
  ["not_equals", MISSING, null, false],
  ["equals", MISSING, null, false],
  ["in", null, ["a", null], true],
  ["not_in", null, ["a", null], false],
])("null can be asked for: %s %s %s is %s", (operator, value, wanted, expected) => {
  expect(holds(operator, value, wanted)).toBe(expected);
});

test("regex is another name for matches", () => {
  expect(holds("regex", "rm -rf", "^rm")).toBe(true);
  expect(holds("not_regex", "rm -rf", "^rm")).toBe(false);
});

test("every operator has its not_ form", () => {
  const words = operatorWords();
  expect(words.filter((word) => !word.startsWith("not_")).map((word) => `not_${word}`)).toEqual(
    words.filter((word) => word.startsWith("not_")),
  );
});

const circle: Record<string, unknown> = {};
circle.self = circle;

test.each([
  ["a circle", circle],
  ["a large number", 10n],
  ["a symbol", Symbol("x")],
  ["a function", () => 1],
  ["a date", new Date(0)],
  ["a map", new Map([["a", 1]])],
  ["nothing inside", Object.create(null)],
])("no operator breaks on %s", (_name, value) => {
  for (const [name, { examples, onAct }] of Object.entries<Operator>(OPERATORS)) {
    const wanted = examples[0]?.[1];
    // What is no text is no command, and does neither one thing nor its opposite.
    const opposite = onAct === undefined && !holds(name, value, wanted);
    expect(holds(`not_${name}`, value, wanted)).toBe(opposite);
  }
});
