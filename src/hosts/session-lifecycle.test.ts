import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Decision } from "../decision/decision.ts";
import { HooksManager } from "./hooks-manager.ts";
import { SessionLifecycleHooks } from "./session-lifecycle.ts";

let root: string;
const session = { session_id: "s1" };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-life-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function lifeWith(...hooks: object[]): SessionLifecycleHooks {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  return new SessionLifecycleHooks(manager);
}

type Method = Exclude<keyof SessionLifecycleHooks, "constructor">;
type Row = [method: Method, args: unknown[], event: string, data: object];

const now = { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) };
const HOOK_EVENTS: Row[] = [
  ["onSessionStart", ["dev", { a: 1 }], "session:start", { event_type: "start", profile: "dev", config: { a: 1 } }],
  ["onSessionStart", [], "session:start", { event_type: "start", profile: null, config: {} }],
  ["onSessionEnd", [12.5, "quit"], "session:end", { event_type: "end", duration_ms: 12.5, exit_reason: "quit" }],
  ["onSessionEnd", [], "session:end", { event_type: "end", duration_ms: null, exit_reason: null }],
  [
    "onError",
    [new TypeError("bad"), "bash", { severity: "critical" }],
    "session:error",
    { error_type: "TypeError", error_message: "bad", tool: "bash", severity: "critical", ...now },
  ],
  [
    "onError",
    ["words"],
    "session:error",
    { error_type: "string", error_message: "words", tool: null, stack_trace: null },
  ],
  [
    "onCheckpoint",
    ["c1", { checkpoint_type: "manual", messageCount: 3, storagePath: "/x" }],
    "session:checkpoint",
    { checkpoint_id: "c1", checkpoint_type: "manual", message_count: 3, storage_path: "/x", ...now },
  ],
  ["onCheckpoint", ["c1"], "session:checkpoint", { checkpoint_type: "auto", message_count: 0 }],
  [
    "onModelSwitch",
    ["small", "large", { triggeredBy: "fallback", reason: "quota" }],
    "llm:model_switch",
    { old_model: "small", new_model: "large", triggered_by: "fallback", reason: "quota", ...now },
  ],
  ["onModelSwitch", [null, "large"], "llm:model_switch", { old_model: null, triggered_by: "user" }],
  [
    "onMemoryUpdate",
    ["AGENTS.md", "created"],
    "memory:update",
    { file_path: "AGENTS.md", update_type: "created", ...now },
  ],
  ["onMemoryUpdate", ["AGENTS.md"], "memory:update", { update_type: "modified" }],
  ["onSubagentStart", ["reviewer"], "subagent:start", { agent_type: "reviewer" }],
  ["onSubagentStop", [{ agentType: "reviewer", turns: 2 }], "subagent:stop", { agent_type: "reviewer", turns: 2 }],
  ["onUserPrompt", ["hello"], "user:prompt_submit", { prompt: "hello" }],
  ["onNotification", ["done", { title: "Build" }], "session:notification", { message: "done", title: "Build", ...now }],
  ["onStop", [{ reason: "finished" }], "session:stop", { reason: "finished" }],
  ["onMessage", ["assistant", [{ text: "hi" }]], "session:message", { role: "assistant", content: [{ text: "hi" }] }],
  ["onInterrupt", [], "user:interrupt", {}],
];

/** Calls a method by its name; the rows above hold arguments that fit. */
function call(life: SessionLifecycleHooks, method: Method, args: unknown[]): Promise<Decision> {
  const act = life[method] as (...args: unknown[]) => Promise<Decision>;
  return act.call(life, ...args);
}

describe("each method fires its event with data that was checked", () => {
  test.each(HOOK_EVENTS)("%s(session, ...%j) fires %s", async (method, args, event, data) => {
    const life = lifeWith({ name: "all", event: "*", command: "cat" });
    const decision = await call(life, method, [session, ...args]);
    expect(decision.event).toMatchObject({ type: event, sessionId: "s1", data: { session_id: "s1", ...data } });
    const [result] = decision.results;
    expect(JSON.parse(result?.stdout ?? "")).toMatchObject({ type: event, data: { session_id: "s1", ...data } });
  });

  test("no method is left out", () => {
    const methods = Object.getOwnPropertyNames(SessionLifecycleHooks.prototype).filter((name) => name.startsWith("on"));
    expect([...new Set(HOOK_EVENTS.map(([method]) => method))].sort()).toEqual(methods.sort());
  });
});

describe("without a manager", () => {
  test.each(HOOK_EVENTS)("%s does nothing and lets everything pass", async (method, args, event) => {
    const decision = await call(new SessionLifecycleHooks(), method, [undefined, ...args]);
    expect(decision).toMatchObject({ action: "continue", results: [], event: { type: event } });
    expect(decision.toHookDecision()).toEqual({ allow: true });
  });
});

describe("data that does not fit", () => {
  const rows: [what: string, act: (life: SessionLifecycleHooks) => Promise<Decision>, path: string][] = [
    ["a severity of its own", (life) => life.onError(session, "x", null, { severity: "fatal" as "error" }), "severity"],
    ["no checkpoint", (life) => life.onCheckpoint(session, undefined as never), "checkpoint_id"],
    ["an empty checkpoint", (life) => life.onCheckpoint(session, ""), "checkpoint_id"],
    ["no new model", (life) => life.onModelSwitch(session, "a", null as never), "new_model"],
    ["another update", (life) => life.onMemoryUpdate(session, "a", "moved" as "created"), "update_type"],
    ["a negative duration", (life) => life.onSessionEnd(session, -1), "duration_ms"],
    ["a prompt that is no text", (life) => life.onUserPrompt(session, {} as string), "prompt"],
  ];
  test.each(rows)("(%s) is refused with its path before any hook runs", async (_what, act, path) => {
    const manager = new HooksManager({ root });
    const decide = vi.spyOn(manager, "decide");
    const refused = expect.objectContaining({ name: "Problem", path: [path] });
    await expect(act(new SessionLifecycleHooks(manager))).rejects.toEqual(refused);
    expect(decide).not.toHaveBeenCalled();
  });

  test("a session without an id is refused", async () => {
    await expect(lifeWith().onStop({})).rejects.toMatchObject({ code: "host/no-session" });
  });
});

describe("the decision", () => {
  const rule = (event: string, action: string, more: object = {}) => ({
    type: "inline",
    matcher: { events: [event] },
    inline_rules: [{ field: "event", operator: "exists", value: true, action, reason: "because", ...more }],
  });
  const gates: [event: string, act: (life: SessionLifecycleHooks) => Promise<Decision>][] = [
    ["ModelSwitch", (life) => life.onModelSwitch(session, "a", "b")],
    ["MemoryUpdate", (life) => life.onMemoryUpdate(session, "AGENTS.md", "modified")],
    ["SubagentStart", (life) => life.onSubagentStart(session, "reviewer")],
    ["SubagentStop", (life) => life.onSubagentStop(session, "reviewer")],
    ["Stop", (life) => life.onStop(session)],
    ["UserPromptSubmit", (life) => life.onUserPrompt(session, "hi")],
  ];
  test.each(gates)("on %s can be a denial", async (event, act) => {
    expect(await act(lifeWith(rule(event, "deny")))).toMatchObject({ action: "deny", reasons: ["because"] });
  });

  const facts: [event: string, act: (life: SessionLifecycleHooks) => Promise<Decision>][] = [
    ["Error", (life) => life.onError(session, new Error("x"))],
    ["Checkpoint", (life) => life.onCheckpoint(session, "c")],
    ["SessionStart", (life) => life.onSessionStart(session)],
    ["SessionEnd", (life) => life.onSessionEnd(session)],
    ["Notification", (life) => life.onNotification(session, "x")],
  ];
  test.each(facts)("on %s cannot undo it; a denial's words are kept", async (event, act) => {
    expect(await act(lifeWith(rule(event, "deny")))).toMatchObject({ action: "continue", contexts: ["because"] });
  });

  test("holds what hooks made of a prompt", async () => {
    const shout = { modify_field: "prompt", modify_value: "HI" };
    const decision = await lifeWith(rule("UserPromptSubmit", "modify", shout)).onUserPrompt(session, "hi");
    expect(decision).toMatchObject({ action: "modify", input: "HI" });
  });

  test("holds what a hook wants the session to know", async () => {
    const life = lifeWith({ event: "SessionStart", command: "echo use pnpm" });
    expect((await life.onSessionStart(session)).contexts).toEqual(["use pnpm"]);
  });
});
