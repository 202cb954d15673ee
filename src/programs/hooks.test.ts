import { describe, expect, it } from "vitest";
import { answers, denies, hooked } from "../../tests/programs/hooked.ts";
import { ToolDeniedError } from "../decision/blocked.ts";
import { HookExecutor } from "../engine/executor.ts";
import type { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { HooksManager } from "../hosts/hooks-manager.ts";
import { HookRegistry } from "../registry/registry.ts";
import { guardFunction, hooksFrom } from "./function.ts";

describe("the hooks of a program", () => {
  it("may come from a manager and its session", async () => {
    const manager = new HooksManager();
    const spec = { ...denies("tool:pre_execute:write", "not today"), name: "never" };
    manager.hooksConfig = { hooks: [Hook.fromJSON(spec)] };
    const hooks = hooksFrom({ manager, session: { sessionId: "s7" } });
    const decision = await hooks.decide({ type: "tool:pre_execute", toolName: "write", data: {} });
    expect(decision).toMatchObject({ action: "deny", event: { sessionId: "s7", toolName: "write" } });
    await expect(guardFunction(hooks, "write", () => "wrote")({})).rejects.toThrow("not today");
    expect(manager.getStats()).toMatchObject({ never: { calls: 2, denials: 2 } });
  });

  it("may belong to another session than the manager's", async () => {
    const hooks = hooksFrom({ manager: new HooksManager(), session: { sessionId: "s7" } });
    expect((await hooks.decide({ type: "session:stop", sessionId: "s8" })).event.sessionId).toBe("s8");
  });

  it.each(["executor", "manager"])("of an %s remember what a session was denied, as the command does", async (kind) => {
    const hook = Hook.fromJSON({
      event: "tool:pre_execute:bash",
      rules: 'args.command contains "rm " -> deny("not today")',
    });
    const manager = new HooksManager();
    manager.hooksConfig = { hooks: [hook] };
    const registry = new HookRegistry();
    registry.register(hook);
    const session = { sessionId: "s1", cwd: "/tmp" };
    const executor = new HookExecutor({ registry });
    const hooks = hooksFrom(kind === "manager" ? { manager, session } : { executor, ...session });
    const bash = (command: string, sessionId = "s1") =>
      hooks.decide({
        type: "tool:pre_execute",
        toolName: "bash",
        sessionId,
        cwd: "/tmp",
        data: { tool_args: { command } },
      });
    expect((await bash("find build -delete")).action).toBe("continue");
    expect((await bash("rm -r build")).reasons).toEqual(["not today"]);
    expect((await bash("find build -delete")).reasons.join()).toContain("You were denied to remove /tmp/build");
    expect((await bash("ls build")).action).toBe("continue");
    expect((await bash("find build -delete", "s2")).action).toBe("continue");
  });

  it("say where an event comes from", async () => {
    const heard: HookEvent[] = [];
    const trace = { decision: ({ event }: { event: HookEvent }) => void heard.push(event) };
    const executor = new HookExecutor({ registry: new HookRegistry(), trace });
    const hooks = hooksFrom({ executor, sessionId: "s1", cwd: "/tmp", agent: "mine" });
    await hooks.decide({ type: "session:stop" });
    await hooks.decide({ type: "session:stop", cwd: "/", sessionId: "s2" });
    expect(heard.map(({ sessionId, cwd, agent }) => [sessionId, cwd, agent])).toEqual([
      ["s1", "/tmp", "mine"],
      ["s2", "/", "mine"],
    ]);
  });
});

describe("a guarded function", () => {
  it("passes its other arguments on", async () => {
    const join = guardFunction(hooked([]).hooks, "join", ({ a }: { a: string }, b: string) => a + b);
    expect(await join({ a: "x" }, "y")).toBe("xy");
  });

  it.each([undefined, "", 5])("does not run under no name, which no hook would hear: %j", async (name) => {
    const { hooks } = hooked([denies("tool:pre_execute:bash", "not today")]);
    let isRun = false;
    const call = guardFunction(hooks, name as string, () => {
      isRun = true;
    })({});
    await expect(call).rejects.toThrow("without its name");
    expect(isRun).toBe(false);
  });

  it("throws a denial that carries the decision", async () => {
    const { hooks } = hooked([denies("tool:pre_execute", "not today")]);
    const error = await guardFunction(hooks, "write", () => "wrote")({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolDeniedError);
    expect(error).toMatchObject({ message: "not today", decision: { action: "deny" } });
  });

  it("leaves the caller's own object as it is when hooks change the input", async () => {
    const { hooks } = hooked([
      answers("tool:pre_execute", { action: "modify", modified_data: { patch: { path: "b" } } }),
    ]);
    const mine = { path: "a" };
    expect(await guardFunction(hooks, "write", ({ path }: { path: string }) => path)(mine)).toBe("b");
    expect(mine).toEqual({ path: "a" });
  });

  it("throws what the function throws, as it is", async () => {
    const own = new TypeError("disk full");
    const failing = guardFunction(hooked([]).hooks, "write", () => Promise.reject(own));
    await expect(failing({})).rejects.toBe(own);
  });
});
