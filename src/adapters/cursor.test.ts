import { describe, expect, it } from "vitest";
import { decoded, modify, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { cursor } from "./cursor.ts";
import { type Payload, Unreadable } from "./payload.ts";

const write = payload("preToolUse", { tool_name: "Write", tool_input: { file_path: "a" }, tool_use_id: "t" });
const shell = payload("beforeShellExecution", { command: "rm -rf build", cwd: "/w/sub", sandbox: false });
const mcp = payload("beforeMCPExecution", {
  tool_name: "query",
  tool_input: '{"sql":"select 1"}',
  mcp_server_name: "db",
  command: "npx db",
});
const read = payload("beforeReadFile", { file_path: "/w/.env", content: "KEY=1", attachments: [] });
const after = payload("postToolUse", { tool_name: "Shell", tool_input: { command: "ls" }, tool_output: '{"out":"a"}' });
const failed = payload("postToolUseFailure", { tool_name: "Shell", tool_input: {}, error_message: "exit 1" });
const stop = payload("stop", { status: "completed", loop_count: 0 });
const subagent = payload("subagentStart", { subagent_type: "explore", task: "look" });
const deny = (...keys: string[]) => ({ permission: "deny", ...Object.fromEntries(keys.map((key) => [key, "no"])) });

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
  [write, SAID.nothing, {}],
  [write, SAID.approve, {}],
  [write, SAID.deny, deny("user_message", "agent_message")],
  [write, SAID.context, { additional_context: "know this" }],
  [write, { ...SAID.deny, context: "w" }, { permission: "deny", user_message: "no\n\nw", agent_message: "no\n\nw" }],
  [write, modify({ file_path: "b" }), { updated_input: { file_path: "b" } }],
  ...[shell, mcp].flatMap((gate): (readonly [Payload, FittedDecision, unknown])[] => [
    [gate, SAID.nothing, {}],
    [gate, SAID.approve, { permission: "allow" }],
    [gate, SAID.deny, deny("user_message", "agent_message")],
    [gate, SAID.ask, { permission: "ask", user_message: "sure?", agent_message: "sure?" }],
  ]),
  [shell, { ...SAID.deny, context: "w" }, { permission: "deny", user_message: "no\n\nw", agent_message: "no\n\nw" }],
  [read, SAID.nothing, {}],
  [read, SAID.deny, deny("user_message", "agent_message")],
  [payload("beforeTabFileRead", { file_path: "a" }), SAID.deny, deny("user_message", "agent_message")],
  [after, SAID.nothing, {}],
  [after, SAID.context, { additional_context: "know this" }],
  [failed, SAID.context, { additional_context: "know this" }],
  [payload("afterShellExecution", { command: "ls", output: "a" }), SAID.context, {}],
  [payload("afterMCPExecution", { tool_name: "q", tool_input: "{}", result_json: "{}" }), SAID.context, {}],
  [payload("beforeSubmitPrompt", { prompt: "do" }), SAID.nothing, {}],
  [payload("beforeSubmitPrompt", { prompt: "do" }), SAID.deny, { continue: false, user_message: "no" }],
  [payload("beforeSubmitPrompt", { prompt: "do" }), SAID.context, { additional_context: "know this" }],
  [stop, SAID.nothing, {}],
  [stop, SAID.context, {}],
  [stop, SAID.deny, { followup_message: "no" }],
  [payload("stop", { status: "aborted" }), SAID.deny, {}],
  [payload("stop", { status: "error" }), SAID.deny, {}],
  [payload("subagentStop", { status: "completed" }), SAID.deny, { followup_message: "no" }],
  [subagent, SAID.nothing, {}],
  [subagent, SAID.deny, deny("user_message", "agent_message")],
  [subagent, SAID.ask, { permission: "ask", user_message: "sure?", agent_message: "sure?" }],
  [payload("sessionStart", {}), SAID.context, { additional_context: "know this" }],
  [payload("sessionEnd", { reason: "exit" }), SAID.context, {}],
  [payload("preCompact", { trigger: "auto" }), SAID.deny, { user_message: "no" }],
  [payload("preCompact", { trigger: "auto" }), SAID.nothing, {}],
  [payload("afterFileEdit", { file_path: "a", edits: [] }), SAID.context, {}],
  [payload("afterTabFileEdit", { file_path: "a", edits: [] }), SAID.context, {}],
  [payload("afterAgentResponse", { text: "t" }), SAID.context, {}],
  [payload("afterAgentThought", { text: "t" }), SAID.context, {}],
  [payload("workspaceOpen", {}), SAID.context, {}],
];

describe("Cursor", () => {
  it.each(TABLE)("always gets an object: %j, %j", (sent, outcome, stdout) => {
    const answer = reply(cursor, sent, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(0);
  });

  it("no hook event is left without a row of this test", () => {
    const tried = new Set(TABLE.map(([sent]) => cursor.hookEventOf(sent)));
    expect(Object.keys(cursor.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  it("a call is heard once: the shell and MCP tools only where the user can be asked", () => {
    const { preToolUse, beforeShellExecution, afterShellExecution, beforeReadFile } = cursor.hookEvents;
    const matcher = new RegExp(preToolUse?.matcher ?? "");
    expect(["Write", "Read", "ShellX", "Task"].every((name) => matcher.test(name))).toBe(true);
    expect(["Shell", "MCP:query"].some((name) => matcher.test(name))).toBe(false);
    expect(beforeShellExecution?.installed).toBeUndefined();
    expect([afterShellExecution?.installed, beforeReadFile?.installed]).toEqual(["never", "never"]);
  });

  it("a shell call carries its text, and the folder is that of the call", () => {
    const event = decoded(cursor, shell);
    expect(event).toMatchObject({ toolName: "Shell", sessionId: "s", cwd: "/w/sub" });
    expect(event.data.tool_args).toMatchObject({ command: "rm -rf build" });
  });

  it("an MCP tool is named with its server, and its input is read", () => {
    expect(decoded(cursor, mcp)).toMatchObject({
      toolName: "mcp__db__query",
      cwd: "/w",
      data: { tool_args: { sql: "select 1" } },
    });
    const { mcp_server_name: _, ...nameless } = mcp;
    expect(decoded(cursor, nameless).toolName).toBe("MCP:query");
  });

  it("results are read, and failures have their words", () => {
    expect(decoded(cursor, after).data).toMatchObject({ tool_args: { command: "ls" }, tool_result: { out: "a" } });
    expect(decoded(cursor, failed).data).toMatchObject({ error: "exit 1" });
    expect(decoded(cursor, read)).toMatchObject({ toolName: "Read", data: { tool_args: { file_path: "/w/.env" } } });
  });

  it("how a turn ended tells what it was", () => {
    const as = (status: string) => cursor.hookEvents[cursor.hookEventOf(payload("stop", { status })) ?? ""]?.as;
    expect(["completed", "aborted", "error"].map(as)).toEqual(["session:stop", "user:interrupt", "session:error"]);
  });

  it.each([
    payload("preToolUse", { tool_input: {} }),
    payload("beforeShellExecution", {}),
    payload("beforeMCPExecution", { tool_input: "{}" }),
    payload("beforeMCPExecution", { tool_name: "query", tool_input: "{torn" }),
    payload("beforeMCPExecution", { tool_name: "query", tool_input: "select 1" }),
    payload("beforeMCPExecution", { tool_name: "query", tool_input: ["select 1"] }),
    payload("preToolUse", { tool_name: "Write", tool_input: "{torn" }),
    payload("beforeReadFile", { content: "" }),
    payload("beforeSubmitPrompt", { attachments: [] }),
  ])("a gate that does not say what is about to happen cannot be read: %j", (sent) => {
    expect(() => decoded(cursor, sent)).toThrow(Unreadable);
  });

  it("gates are shut when a hook breaks, and the file has its version", () => {
    const { recipe } = cursor;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    const entry = (hookEvent: string, matcher?: string) =>
      recipe.entry({ hookEvent, command: "c", seconds: 9, gate: true, matcher }).value;
    expect(recipe.needs).toEqual({ version: 1 });
    expect(entry("preToolUse", "^x")).toEqual({ command: "c", timeout: 9, matcher: "^x", failClosed: true });
    expect(entry("stop")).toEqual({ command: "c", timeout: 9 });
  });

  it.each([
    [{ cursor_version: "2", hook_event_name: "preToolUse" }, true],
    [{ hook_event_name: "beforeShellExecution" }, true],
    [{ hook_event_name: "preToolUse", cwd: "/w" }, false],
  ])("is known by its version or by names that only it has: %j", (sent, is) => {
    expect(cursor.recognises(sent)).toBe(is);
  });
});

function payload(name: string, more: object): Payload {
  return {
    conversation_id: "c",
    generation_id: "g",
    session_id: "s",
    hook_event_name: name,
    cursor_version: "2.1",
    workspace_roots: ["/w"],
    transcript_path: null,
    ...more,
  };
}
