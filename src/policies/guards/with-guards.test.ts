import { expect, test } from "vitest";
import { Hook } from "../../hook/hook.ts";
import { withGuards } from "./with-guards.ts";

const OWN = new Hook({ name: "own", event: "tool:pre_execute", rules: "#" });
const PLAIN = { hooks: [OWN], disabledBy: new Map(), disabledGuards: new Map(), errors: [], warnings: [] };

test("guards that are off add nothing", () => {
  const configuration = { ...PLAIN, settings: { guards: "off" } as const };
  expect(withGuards(configuration)).toBe(configuration);
});

test("guards come before a configuration's own hooks", () => {
  const { hooks } = withGuards({ ...PLAIN, settings: { guards: "standard" } });
  expect(hooks.at(-1)).toBe(OWN);
  expect(hooks.slice(0, -1).every(({ name, priority }) => name.startsWith("guard:") && priority < 0)).toBe(true);
  expect(hooks.map(({ name }) => name)).toEqual(expect.arrayContaining(["guard:files", "guard:git", "guard:secrets"]));
});

test("a guard that the user's own file disables is off, with the place of that setting", () => {
  const place = { file: "hooks.yaml", line: 3 };
  const { hooks, disabledBy } = withGuards({
    ...PLAIN,
    settings: { guards: "standard" },
    disabledGuards: new Map([["guard:privilege", place]]),
  });
  const off = hooks.filter(({ enabled }) => !enabled);
  expect(off.map(({ name }) => name)).toEqual(["guard:privilege"]);
  expect(off.map((hook) => disabledBy.get(hook))).toEqual([place]);
});
