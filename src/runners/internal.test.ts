import { describe, expect, expectTypeOf, it } from "vitest";
import { Hook, HookEvent, HookExecutor, type HookFunction, HookRegistry, HookType } from "../index.ts";

/** A function as a hook, without a file: `registry.register({ event, run })`. */

const call = (command = "ls") => HookEvent.toolPreExecute("bash", { command }, { sessionId: "s", cwd: "/" });

async function decide(run: HookFunction, more: { timeout?: number; onError?: "deny" | "continue" } = {}) {
  const registry = new HookRegistry();
  registry.register({ event: "tool:pre_execute", run, ...more });
  return new HookExecutor({ registry }).decide(call("rm -rf x"));
}

describe("a function as a hook", () => {
  it("is registered without a file, with its type or without", () => {
    const registry = new HookRegistry();
    const remove = registry.register({ event: "tool:pre_execute", run: () => null });
    registry.register({ event: "tool:pre_execute", type: "internal", name: "own", run: () => null });
    expect(registry.hooks.map(({ type }) => type)).toEqual([HookType.INTERNAL, "internal"]);
    expect(registry.getHooks(call()).map(({ isNamed }) => isNamed)).toEqual([false, true]);
    remove();
    expect(registry.size).toBe(1);
    expect(registry.hooks[0]?.toJSON()).toEqual({ event: "tool:pre_execute", type: "internal", name: "own" });
  });

  it("is given the event, and its answer counts like every hook's", async () => {
    const seen: unknown[] = [];
    const denied = await decide((event) => {
      expectTypeOf(event).toEqualTypeOf<HookEvent>();
      seen.push(event.toolName, event.data.tool_args);
      return ["block", "no"];
    });
    expect([denied.action, denied.reasons]).toEqual(["deny", ["no"]]);
    expect(seen).toEqual(["bash", { command: "rm -rf x" }]);
    expect((await decide(async () => ({ action: "ask", reason: "sure?" }))).action).toBe("ask");
    expect((await decide(() => {})).action).toBe("continue");
    expect((await decide(() => ["allow", "fine"])).contexts).toEqual(["fine"]);
    const changed = await decide(() => ({ action: "modify", modifiedData: { patch: { command: "ls" } } }));
    expect([changed.action, changed.input]).toEqual(["modify", { command: "ls" }]);
  });

  it("that throws, gives nonsense or takes too long is a failure of that hook", async () => {
    const failing: readonly [HookFunction, string][] = [
      [() => Promise.reject(new Error("broken")), "broken"],
      [() => JSON.parse('"yes"'), "is not an answer"],
      [() => new Promise(() => {}), "did not finish"],
    ];
    for (const [run, text] of failing) {
      const decision = await decide(run, { timeout: 0.05 });
      expect([decision.action, decision.reasons.join()]).toEqual(["deny", expect.stringContaining(text)]);
      expect((await decide(run, { timeout: 0.05, onError: "continue" })).action).toBe("continue");
    }
  });

  it("changes nothing of the caller's event", async () => {
    const args = { command: "ls" };
    const registry = new HookRegistry();
    registry.register({
      event: "*",
      run: (event) => void Object.assign(Object(event.data.tool_args), { command: "rm" }),
    });
    await new HookExecutor({ registry }).decide(HookEvent.toolPreExecute("bash", args));
    expect(args).toEqual({ command: "ls" });
  });

  it("is refused beside another kind, and in a file", () => {
    expect(() => Hook.fromJSON({ event: "*", type: "command", run: () => null })).toThrow("the type command");
    expect(() => Hook.fromJSON({ event: "*", type: "internal" })).toThrow('`type` is "internal"');
  });
});
