import { describe, expect, it } from "vitest";
import {
  EVENTS,
  fireEvent,
  HOOK_TEMPLATES,
  Hook,
  HookEvent,
  HookExecutor,
  HookRegistry,
  HooksManager,
  PromptTemplate,
  SessionLifecycleHooks,
  ToolExecutionHooks,
  ToolExecutor,
} from "../src/index.ts";

describe("what a program may well write", () => {
  it("a registry takes what a file would say", () => {
    const registry = new HookRegistry();
    registry.register({ event: "session:start", command: "true" });
    registry.loadHooks([{ event: "session:start", command: "true" }]);
    expect(registry.getHooks(HookEvent.sessionStart("s"))).toHaveLength(2);
  });

  it("a row of the table of events knows its name and cannot be changed", () => {
    expect(EVENTS["tool:pre_execute"].name).toBe("tool:pre_execute");
    expect(Object.isFrozen(EVENTS) && Object.isFrozen(EVENTS["session:end"])).toBe(true);
  });

  it("a tool in an event's data is its tool, unless the event names one", () => {
    const hook = Hook.fromJSON({ matcher: { events: ["Error"], tools: ["bash"] }, command: "true" });
    expect(hook.matches(new HookEvent({ type: "Error", data: { tool: "bash" } }))).toBe(true);
    expect(new HookEvent({ type: "Error", toolName: "ls", data: { tool: "bash" } }).toolName).toBe("ls");
  });

  it("PostToolUse with an error is the failure of a tool", () => {
    expect(new HookEvent({ type: "PostToolUse", data: { error: "x" } }).type).toBe("tool:error");
    expect(new HookEvent({ type: "PostToolUse", data: { error: null } }).type).toBe("tool:post_execute");
  });

  it("a template carries its examples, and still reads as a hook", () => {
    expect(Object(Reflect.get(HOOK_TEMPLATES.block_sudo, "examples")).length).toBeGreaterThan(1);
    expect(Object.keys(HOOK_TEMPLATES.block_sudo)).not.toContain("examples");
  });

  it("no manager may also be null", async () => {
    const session = { sessionId: "s" };
    expect(await new ToolExecutionHooks(null).wrapToolCall(session, "x", { a: 1 }, async ({ a }) => a)).toBe(1);
    expect((await new SessionLifecycleHooks(null).onStop(session)).action).toBe("continue");
  });

  it("null for what is left out is what a program says that comes from Python", async () => {
    const event = HookEvent.toolPreExecute("bash", {}, null as never);
    expect(event.toolName).toBe("bash");
    HookRegistry.resetInstance();
    expect(await fireEvent(event, { executor: null })).toEqual([]);
    const life = new SessionLifecycleHooks(new HooksManager());
    const session = { sessionId: "s" };
    const said = [
      life.onCheckpoint(session, "c", null as never),
      life.onStop(session, null as never),
      life.onSubagentStop(session, null as never),
    ];
    for (const { action } of await Promise.all(said)) expect(action).toBe("continue");
  });

  it("a context may spell its session either way", async () => {
    const registry = new HookRegistry();
    const seen: unknown[] = [];
    registry.register({ event: "tool:post_execute", rules: 'tool exists -> continue("seen")' });
    const executor = new HookExecutor({ registry, trace: { result: (event) => void seen.push(event.sessionId) } });
    await new ToolExecutor({ executor }).execute({ name: "x", execute: () => 1 }, {}, { session_id: "s-1" });
    expect(seen).toEqual(["s-1"]);
  });

  it("a prompt is changed by its own word or by a patch", async () => {
    for (const data of [{ prompt: "new" }, { patch: { prompt: "new" } }]) {
      const registry = new HookRegistry();
      const answer = JSON.stringify({ action: "modify", modified_data: data });
      registry.register({ event: "user:prompt_submit", command: `echo '${answer}'` });
      const decision = await new HookExecutor({ registry }).decide(HookEvent.userPromptSubmit("old"));
      expect(decision).toMatchObject({ action: "modify", input: "new" });
    }
  });

  it("{{event}} is the canonical name, whatever the program calls it", () => {
    expect(new PromptTemplate("{{event}}").render({ event: "PreToolUse" })).toBe("tool:pre_execute");
  });

  it("members of a combined hook fail as the whole says", async () => {
    const registry = new HookRegistry();
    registry.register({ event: "tool:pre_execute", all: [{ url: "http://127.0.0.1:1/" }] });
    const decision = await new HookExecutor({ registry }).decide(HookEvent.toolPreExecute("x", {}));
    expect(decision.action).toBe("deny");
  });

  it("a misspelt verdict is a failure, also beside keys that are right", async () => {
    const registry = new HookRegistry();
    registry.register({ event: "tool:pre_execute", command: `echo '{"acton":"deny","reason":"x"}'` });
    const decision = await new HookExecutor({ registry }).decide(HookEvent.toolPreExecute("x", {}));
    expect(decision).toMatchObject({ action: "deny", results: [{ failure: { why: "bad_json" } }] });
  });
});
