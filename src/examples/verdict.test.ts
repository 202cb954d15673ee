import { describe, expect, it } from "vitest";
import { type ExampleVerdict, type HookExample, isWithin, mismatch } from "./verdict.ts";

const example: HookExample = {
  name: "n",
  event: { type: "tool:pre_execute" },
  expect: "deny",
  path: [],
  hooks: [],
  env: {},
};
const verdict: ExampleVerdict = { action: "deny", reason: "No force push.", matchedBy: ["a"], failures: [] };

describe("a verdict fits an example", () => {
  it.each<[Partial<HookExample>, Partial<ExampleVerdict>]>([
    [{}, {}],
    [{ reason: "force push" }, {}],
    [{ reason: "/^no force/i" }, {}],
    [{ hooks: ["a"] }, {}],
    [
      { expect: "modify", input: { a: 1 } },
      { action: "modify", input: { a: 1, b: 2 } },
    ],
  ])("%j and %j", async (wanted, got) => {
    expect(await mismatch({ ...example, ...wanted }, { ...verdict, ...got })).toBeUndefined();
  });
});

describe("a verdict does not fit, and why is told", () => {
  it.each<[Partial<HookExample>, Partial<ExampleVerdict>, string]>([
    [{}, { action: "ask" }, "expected deny, and got ask"],
    [{ reason: "sudo" }, {}, 'expected a reason with sudo, and got "No force push."'],
    [{ reason: "/^force/" }, {}, "expected a reason with /^force/"],
    [{ reason: "/(a)\\1/" }, {}, "the regular expression"],
    [{ hooks: ["a", "b"] }, {}, "b did not take part"],
    [{ input: { a: 1 } }, { input: { a: 2 } }, 'expected the input to hold {"a":1}, and got {"a":2}'],
    [{}, { failures: ['hook "a" timed out'] }, "a broken hook proves nothing"],
  ])("%j and %j", async (wanted, got, words) => {
    expect(await mismatch({ ...example, ...wanted }, { ...verdict, ...got })).toContain(words);
  });
});

describe("what is within", () => {
  it.each([
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
    [[1, { a: 1 }], [1, { a: 1, b: 2 }], true],
    [[1], [1, 2], false],
    [{ a: 1 }, undefined, false],
    [{ a: undefined }, {}, false],
    [{ 0: 1 }, [1], false],
    ["a", "a", true],
  ])("%j in %j: %s", (wanted, got, answer) => {
    expect(isWithin(wanted, got)).toBe(answer);
  });
});
