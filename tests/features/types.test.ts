import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Decision,
  defineHook,
  definePlugin,
  Hook,
  HookEvent,
  HookExecutor,
  HookRegistry,
  type HookSpec,
  type ToolRequest,
} from "../../src/index.ts";
import { guardFunction, hooksFrom } from "../../src/programs/function.ts";

/** What the compiler refuses: `tsc` fails where one of these lines would compile. */

describe("a hook that a program describes", () => {
  it("has the keys, events and operators that exist", () => {
    expectTypeOf(defineHook).parameter(0).toEqualTypeOf<HookSpec>();
    expectTypeOf<ConstructorParameters<typeof Hook>[0]>().toEqualTypeOf<HookSpec>();
    const rules = [{ field: "args.command", operator: "not_contains", value: "x", action: "deny" }] as const;
    const hooks = [
      defineHook({ event: "tool:pre_execute:@shell", rules: 'call runs "sudo" -> deny("no")' }),
      defineHook({ event: "PreToolUse", inline_rules: rules, on_error: "ask" }),
      defineHook({ event: "session:start,session:end", command: "true", timeout: "5s", onError: "continue" }),
      defineHook({ event: "tool:*:write", command: "true" }),
      defineHook({ matcher: { events: ["Stop"], path_patterns: ["src/**"] }, command: "true" }),
      defineHook({ event: "*", all: [{ command: "true" }, { rules: "tool exists -> continue()" }] }),
    ];
    expect(hooks.every((hook) => hook instanceof Hook)).toBe(true);
  });

  it.each([
    // @ts-expect-error No agent emits such an event.
    () => defineHook({ event: "tool:pre_exekute", command: "true" }),
    // @ts-expect-error A matcher has no such condition.
    () => defineHook({ matcher: { evnts: ["Stop"] }, command: "true" }),
    // @ts-expect-error No agent emits such an event.
    () => defineHook({ matcher: { events: ["Stopp"] }, command: "true" }),
    // @ts-expect-error There is no such operator.
    () => defineHook({ event: "*", inlineRules: [{ field: "tool", operator: "equal", value: "x", action: "deny" }] }),
    // @ts-expect-error There is no such action.
    () => defineHook({ event: "*", inlineRules: [{ field: "tool", operator: "equals", value: "x", action: "block" }] }),
    // @ts-expect-error There is no such consequence.
    () => defineHook({ event: "*", command: "true", onError: "allow" }),
    // @ts-expect-error There is no such kind.
    () => defineHook({ event: "*", command: "true", type: "shell" }),
  ])("is refused by the compiler and when it runs: %s", (make) => {
    expect(make).toThrow();
  });

  it("is refused by the compiler where a key is kept and does nothing", () => {
    // @ts-expect-error No hook has such a key.
    expect(defineHook({ event: "*", comand: "true", command: "true" }).command).toBe("true");
    // @ts-expect-error Neither has one in a registry.
    expect(new HookRegistry().register({ event: "*", comand: "true", command: "true" })).toBeTypeOf("function");
  });
});

describe("a decision", () => {
  it("has the input that the tool takes", async () => {
    const decision = await new HookExecutor({ registry: new HookRegistry() }).decide<{ command: string }>(
      HookEvent.toolPreExecute("bash", { command: "ls" }),
    );
    expectTypeOf(decision).toEqualTypeOf<Decision<{ command: string }>>();
    expectTypeOf(decision.input).toEqualTypeOf<{ command: string } | undefined>();
    const answer = decision.toHookDecision();
    if (answer.allow) expectTypeOf(answer.contextPatch?.tool_input).toEqualTypeOf<{ command: string } | undefined>();
    expect(answer).toEqual({ allow: true });
  });
});

describe("a tool's name", () => {
  it("is there where an event always has one", () => {
    const event = HookEvent.toolPreExecute("bash", {});
    expectTypeOf(event.toolName).toEqualTypeOf<string>();
    expectTypeOf(HookEvent.sessionStart("s").toolName).toEqualTypeOf<string | undefined>();
    const plugin = definePlugin({
      preToolUse: (request) => {
        expectTypeOf(request).toEqualTypeOf<ToolRequest>();
        return request.toolName === "bash" ? ["block", null] : null;
      },
    });
    expect(Object.keys(plugin)).toEqual(["preToolUse"]);
    // @ts-expect-error No event calls such a method.
    expect(() => definePlugin({ preToolsUse: () => null })).toThrow();
  });
});

describe("a guarded function", () => {
  it("takes what the function takes, and gives what it gives", async () => {
    const hooks = hooksFrom({ executor: new HookExecutor({ registry: new HookRegistry() }) });
    const guarded = guardFunction(hooks, "add", (input: { a: number }, times: number) => input.a * times);
    expectTypeOf(guarded).toEqualTypeOf<(input: { a: number }, times: number) => Promise<number>>();
    expect(await guarded({ a: 2 }, 3)).toBe(6);
  });
});
