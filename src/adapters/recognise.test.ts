import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ADAPTERS, adapterFor } from "./index.ts";
import type { Payload } from "./payload.ts";

const FOLDER = new URL("../../fixtures/payloads/", import.meta.url);
// These are what a plugin is handed inside the agent; its shim wraps them before they reach us.
const WRAPPED = ["opencode"];

const RECORDED = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !WRAPPED.includes(entry.name))
  .flatMap(({ name }) => readdirSync(new URL(`${name}/`, FOLDER)).map((file) => [name, file] as const));

function recorded(agent: string, file: string): Payload {
  return JSON.parse(readFileSync(new URL(`${agent}/${file}`, FOLDER), "utf8"));
}

const TIME = "2026-11-15T00:26:45.690Z";

/** Payloads as the manuals describe them, for agents that were not recorded and for dialects. */
const DESCRIBED: readonly (readonly [agent: string, payload: Payload])[] = [
  ["droid", { ...claudeLike("PreToolUse"), permission_mode: "auto-low", tool_name: "Execute" }],
  ["droid", { ...claudeLike("SessionEnd"), permission_mode: "off" }],
  ["droid", { ...claudeLike("Stop"), permission_mode: "spec", tool_execution_count: 3 }],
  ["auggie", { hook_event_name: "PreToolUse", conversation_id: "c", workspace_roots: ["/w"], tool_name: "view" }],
  ["auggie", { hook_event_name: "SessionEnd", conversation_id: "c", workspace_roots: [] }],
  ["vscode", { ...claudeLike("PreToolUse"), timestamp: TIME, tool_name: "create_file", tool_use_id: "t" }],
  ["vscode", { ...claudeLike("Stop"), timestamp: TIME, stop_hook_active: false }],
  ["vscode", { ...claudeLike("SessionStart"), timestamp: TIME, source: "new" }],
  ["copilot", { hook_event_name: "PreToolUse", session_id: "s", timestamp: TIME, cwd: "/w", tool_name: "Bash" }],
  ["copilot", { sessionId: "s", timestamp: 1, cwd: "/w", toolName: "bash", toolArgs: "{}" }],
  ["codex", { ...claudeLike("SessionStart"), transcript_path: null, model: "gpt-5", source: "startup" }],
  ["codex", { ...claudeLike("Interrupt"), turn_id: "t", model: "gpt-5", permission_mode: "default" }],
  ["qwen-code", { ...claudeLike("SessionStart"), timestamp: TIME, permission_mode: "default", source: "startup" }],
  ["claude-code", { ...claudeLike("Notification"), permission_mode: "plan", message: "m" }],
  ["cursor", { hook_event_name: "preToolUse", cursor_version: "2.1", conversation_id: "c", workspace_roots: ["/w"] }],
  ["windsurf", { agent_action_name: "pre_run_command", trajectory_id: "t", tool_info: { command_line: "ls" } }],
  ["cline", { clineVersion: "3.0.65", hookName: "tool_call", taskId: "t", timestamp: TIME }],
  ["kiro", { hook_event_name: "preToolUse", cwd: "/w", tool_name: "execute_bash", tool_input: {} }],
  ["kiro", { hook_event_name: "PreToolUse", cwd: "/w", tool_name: "fs_write", tool_input: {} }],
  ["opencode", { hook: "tool.execute.before", input: { tool: "bash" }, output: { args: {} }, cwd: "/w" }],
  ["amp", { agent: "amp", event: "tool.call", tool: "Bash", input: { cmd: "ls" } }],
  ["gemini-cli", { ...claudeLike("SessionEnd"), transcript_path: "/home/dev/.gemini/tmp/a.json", timestamp: TIME }],
  ["json", { type: "tool:pre_execute", tool_name: "Bash" }],
];

describe("the agent is told from the fields of its payload", () => {
  it("as every payload was recorded", () => {
    const told = RECORDED.map(([agent, file]) => [adapterFor(recorded(agent, file))?.id, file]);
    expect(told).toEqual(RECORDED.map(([agent, file]) => [agent, file]));
  });

  it.each(DESCRIBED)("%s: %j, as its manual says", (agent, payload) => {
    expect(adapterFor(payload)?.id).toBe(agent);
  });

  it("the hook event of every recorded payload is told too, and has a row", () => {
    const told = RECORDED.map(([agent, file]) => {
      const adapter = ADAPTERS.find(({ id }) => id === agent);
      const event = adapter?.hookEventOf(recorded(agent, file))?.split(".")[0] ?? "";
      return [agent, file, event, Object.hasOwn(adapter?.hookEvents ?? {}, event)];
    });
    expect(told).toEqual(RECORDED.map(([agent, file]) => [agent, file, file.split(".")[0], true]));
  });

  it("a payload of an unknown agent belongs to no adapter", () => {
    expect(adapterFor({ hello: "world" })).toBeUndefined();
  });
});

function claudeLike(name: string): Payload {
  return { session_id: "s", transcript_path: "/home/dev/t.jsonl", cwd: "/w", hook_event_name: name };
}
