import { expect, test } from "vitest";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import type { Hook } from "../../src/hook/hook.ts";
import { guardHooks, hooksUnder } from "../../src/policies/guards/guard-hooks.ts";
import { guardPolicy } from "../../src/policies/guards/policy.ts";
import { HookRegistry } from "../../src/registry/registry.ts";

function decided(
  hooks: readonly Hook[],
  command: string,
  type: "tool:pre_execute" | "tool:post_execute" = "tool:pre_execute",
) {
  const registry = new HookRegistry();
  for (const hook of hooks) registry.register(hook);
  const event = new HookEvent({
    type,
    data: { tool_name: "Bash", tool_args: { command }, tool_result: "" },
    cwd: "/p",
  });
  return new HookExecutor({ registry }).decide(event);
}
const stated = (value: object, preset: "off" | "standard" = "off") =>
  hooksUnder(
    preset,
    guardPolicy(preset, [{ statement: { value, layer: "user", place: { file: "f", line: 2 } }, isTrusted: true }]),
  );

test("a guard judges a call before it happens, and nothing afterwards", async () => {
  const hooks = guardHooks("standard");
  const denied = await decided(hooks, "git push --force");
  expect(denied).toMatchObject({
    action: "deny",
    results: expect.arrayContaining([expect.objectContaining({ rule: "git-force-push" })]),
  });
  expect((await decided(hooks, "ls")).action).toBe("continue");
  const after = await decided(hooks, "git push --force", "tool:post_execute");
  expect([after.action, after.contexts, after.results]).toEqual(["continue", [], []]);
  for (const hook of hooks) {
    expect(hook).toMatchObject({ type: "inline", tags: ["guard"], priority: -1000 });
    expect(hook.eventPattern).toBe("tool:pre_execute");
  }
});

test("a rule about what cannot be told beforehand is written as one", () => {
  const rules = guardHooks("paranoid").flatMap(({ inlineRules }) => inlineRules ?? []);
  const unknown = rules.filter(({ operator }) => operator === "unknown");
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.every((rule) => !("value" in rule))).toBe(true);
  expect(rules.filter(({ operator }) => operator === "effect").every(({ value }) => typeof value === "string")).toBe(
    true,
  );
});

test("an exception lets its call pass until it ends, and no other", async () => {
  const entry = { rule: "git-force-push", command: "git push --force", reason: "mine" };
  const hooks = (until?: string) => stated({ allow: [{ ...entry, ...(until ? { until } : {}) }] }, "standard");
  expect((await decided(hooks(), "git push --force")).action).toBe("continue");
  expect((await decided(hooks(), "git push --force origin main")).action).toBe("deny");
  expect((await decided(hooks("2999-01-01"), "git push --force")).action).toBe("continue");
  expect((await decided(hooks("2020-01-01"), "git push --force")).action).toBe("deny");
});

test("a rule that only watches lets the call pass", async () => {
  expect((await decided(stated({ rules: { "git-force-push": "monitor" } }), "git push --force")).action).toBe(
    "continue",
  );
  expect((await decided(stated({ rules: { "git-force-push": "ask" } }), "git push --force")).action).toBe("ask");
  expect((await decided(stated({ mode: "monitor" }, "standard"), "git push --force")).action).toBe("continue");
});
