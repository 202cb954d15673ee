import { describe, expect, it } from "vitest";
import { decoded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { type Payload, Unreadable } from "./payload.ts";
import { windsurf } from "./windsurf.ts";

const INFO: Readonly<Record<string, object>> = {
  pre_user_prompt: { user_prompt: "do" },
  pre_read_code: { file_path: "/w/a.ts" },
  pre_write_code: { file_path: "/w/a.ts", edits: [{ old_string: "a", new_string: "b" }] },
  pre_run_command: { command_line: "rm -rf build", cwd: "/w" },
  pre_mcp_tool_use: { mcp_server_name: "db", mcp_tool_name: "query", mcp_tool_arguments: { sql: "x" } },
  post_read_code: { file_path: "/w/a.ts" },
  post_write_code: { file_path: "/w/a.ts", edits: [] },
  post_run_command: { command_line: "ls", cwd: "/w" },
  post_mcp_tool_use: { mcp_server_name: "db", mcp_tool_name: "query", mcp_tool_arguments: {}, mcp_result: "rows" },
  post_cascade_response: { response: "done" },
  post_cascade_response_with_transcript: { transcript_path: "/t" },
  post_setup_worktree: { worktree_path: "/w2", root_workspace_path: "/w" },
};

const SAYINGS: readonly (readonly [FittedDecision, gate: Reply, note: Reply])[] = [
  [SAID.nothing, {}, {}],
  [SAID.approve, {}, {}],
  [SAID.context, { stdout: "know this" }, {}],
  [SAID.deny, { exitCode: 2, stderr: "no" }, {}],
  [{ ...SAID.deny, context: "w" }, { exitCode: 2, stderr: "no\n\nw" }, {}],
];

describe("Windsurf", () => {
  it.each(Object.keys(windsurf.hookEvents))("%s is answered by an exit code alone", (name) => {
    for (const [outcome, gate, note] of SAYINGS)
      expect(reply(windsurf, payload(name), outcome)).toEqual(name.startsWith("pre_") ? gate : note);
  });

  it("only what comes before an act can be stopped", () => {
    for (const [name, { can }] of Object.entries(windsurf.hookEvents))
      expect(can).toEqual(name.startsWith("pre_") ? ["deny"] : []);
  });

  it.each([
    ["pre_run_command", "run_command", { command: "rm -rf build", command_line: "rm -rf build", cwd: "/w" }],
    ["pre_read_code", "read_code", { file_path: "/w/a.ts" }],
    ["post_write_code", "write_code", { file_path: "/w/a.ts", edits: [] }],
    ["pre_mcp_tool_use", "mcp__db__query", { sql: "x" }],
  ])("%s is a call of %s with %j", (name, toolName, tool_args) => {
    const event = decoded(windsurf, payload(name));
    expect(event).toMatchObject({ toolName, sessionId: "t" });
    expect(event.data.tool_args).toEqual(tool_args);
  });

  it("prompts, results and folders are told where Windsurf tells them", () => {
    expect(decoded(windsurf, payload("pre_user_prompt")).data.prompt).toBe("do");
    expect(decoded(windsurf, payload("post_mcp_tool_use")).data.tool_result).toBe("rows");
    expect(decoded(windsurf, payload("pre_run_command")).cwd).toBe("/w");
  });

  it.each(Object.keys(INFO).filter((name) => name.startsWith("pre_")))(
    "%s without what is about to happen cannot be read",
    (name) => {
      expect(() => decoded(windsurf, { ...payload(name), tool_info: {} })).toThrow(Unreadable);
      expect(() => decoded(windsurf, { agent_action_name: name })).toThrow(Unreadable);
    },
  );

  it("is known by the name of its actions, and has neither matchers nor times", () => {
    expect(windsurf.recognises(payload("pre_read_code"))).toBe(true);
    const { recipe } = windsurf;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    expect(recipe.entry({ hookEvent: "pre_run_command", command: "c", seconds: 9, gate: true })).toEqual({
      at: ["hooks", "pre_run_command"],
      value: { command: "c", show_output: true },
    });
  });
});

function payload(name: string): Payload {
  return {
    agent_action_name: name,
    trajectory_id: "t",
    execution_id: "e",
    timestamp: "2026-11-15T00:00:00Z",
    tool_info: INFO[name],
  };
}
