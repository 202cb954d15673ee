import { expect, test } from "vitest";
import { Hook } from "../../hook/hook.ts";
import { builtInHook } from "./built-in.ts";

test("a built-in hook equals the hook that is read from its own text", () => {
  const hook = builtInHook("deny:memory", "denies again what was denied");
  const read = Hook.fromJSON(hook.toJSON(), hook.origin);
  const { rules, ...own } = { ...hook };
  const { rules: readRules, ...again } = { ...read };
  expect(own).toEqual(again);
  expect(rules).toEqual(readRules);
  expect(hook.inlineRules).toEqual(read.inlineRules);
  expect(hook.toJSON()).toEqual(read.toJSON());
});
