import { expect, test } from "vitest";
import { callEffects } from "../../src/effects/call-effects.ts";
import { anyTest, effectLabelled, effectLabels, effectsLabelled } from "../../src/effects/labels/effect-labels.ts";
import { GUARDS } from "../../src/policies/guards/index.ts";
import { everyNth } from "../cases.ts";
import { guardedCommands, storedCommands } from "../shell/stored-commands.ts";
import { eventOf } from "./judged.ts";
import { LONG, toolRows } from "./tool-lists.ts";

const LABELS = Object.keys(effectLabels());
const TOOLS = ["corpora/dangerous-tools", "corpora/everyday-tools", "corpora/third/dangerous-tools"];

/** A label that is passed over because a call lacks what it needs would be a guard that is not asked. */
test("what is told by the bits of a call is what every effect of it tells", { timeout: LONG }, () => {
  const guards = Object.values(GUARDS).map(({ rules }) => rules.map(({ name }) => name).filter(isLabel));
  const anyOf = guards.map((names) => anyTest(names.map(testOf)));
  const calls = [
    ...everyNth(30, [...new Set([...storedCommands(), ...guardedCommands()])]),
    ...everyNth(6, TOOLS.flatMap(toolRows)).map(({ tool, input }) => ({ tool, args: input })),
    ...Object.values(GUARDS).flatMap(({ stops, passes }) => [...stops(), ...passes()]),
  ];
  const unlike: unknown[] = [];
  for (const call of calls) {
    const act = callEffects(eventOf(call));
    if (act === undefined) continue;
    const named = new Set(LABELS.filter((label) => effectsLabelled(label, act).length > 0));
    for (const label of LABELS) if (testOf(label)(act) !== named.has(label)) unlike.push([call, label]);
    for (const [at, names] of guards.entries())
      if (anyOf[at]?.(act) !== names.some((name) => named.has(name))) unlike.push([call, names]);
  }
  expect(unlike).toEqual([]);
});

function isLabel(name: string): boolean {
  return name !== "unknown";
}

function testOf(label: string) {
  const known = TESTS.get(label) ?? effectLabelled(label);
  if (known === undefined) throw new Error(`no effect is called ${label}`);
  TESTS.set(label, known);
  return known;
}

const TESTS = new Map<string, NonNullable<ReturnType<typeof effectLabelled>>>();
