import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases, seedOr } from "../cases.ts";
import { compareReplay, type RecordedCalls, recordedCalls } from "./compare-replay.ts";
import { CHANGES } from "./policy-changes.ts";

const before = process.env.XDG_CONFIG_HOME;
let recorded: RecordedCalls;

beforeAll(async () => {
  recorded = await recordedCalls(cases(4, 400), seedOr(7));
});

afterAll(() => {
  recorded.remove();
  if (before === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = before;
});

it("the calls are what they are said to be", () => {
  const { calls, actions } = recorded;
  const wrong = calls.flatMap(({ label, payload }, index) =>
    // What the memory of denials says depends on what came before.
    label === undefined || label === actions[index] || actions[index] === "deny"
      ? []
      : [{ payload, label, is: actions[index] }],
  );
  expect(wrong).toEqual([]);
  expect(new Set(actions).size).toBeGreaterThan(2);
});

describe("replay says what deciding every call again says, and cannot tell only where something was removed, when", () => {
  it.each(Object.entries(CHANGES))("%s", async (_, files) => {
    const { wrong, untold, differing, counted, drift } = await compareReplay(recorded, files);
    expect(wrong).toEqual([]);
    expect(untold).toEqual([]);
    expect({ counted, drift }).toEqual({ counted: differing, drift: 0 });
  });
});
