import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplayCall } from "./replay-call.ts";
import { agentsWithHistory, callsOfFile, transcriptCalls } from "./transcript-calls.ts";

let home: string;
const counts = { broken: 0 };
const TIME = "2026-11-01T10:00:00.000Z";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sluice-transcripts-"));
  counts.broken = 0;
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, ...lines: readonly (object | string)[]): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return file;
}

async function all(calls: AsyncIterable<ReplayCall>): Promise<ReplayCall[]> {
  const found: ReplayCall[] = [];
  for await (const call of calls) found.push(call);
  return found;
}

const search = () => ({ env: { HOME: home }, root: "/here", since: "2020-01-01T00:00:00.000Z", counts });
const told = ({ event, time, made, session, root }: ReplayCall) => ({
  tool: event.toolName,
  args: event.data.tool_args,
  cwd: event.cwd,
  agent: event.agent,
  time,
  made,
  session,
  root,
});

const claude = (id: string, more: object = {}) => ({
  sessionId: "s",
  cwd: "/gone/project",
  uuid: `u-${id}`,
  type: "assistant",
  timestamp: TIME,
  isSidechain: false,
  message: { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command: `echo ${id}` } }] },
  ...more,
});

describe("the history of an agent", () => {
  it("is known of these agents", () => {
    expect(agentsWithHistory().sort()).toEqual(["claude-code", "codex", "gemini-cli", "qwen-code"]);
  });

  it("of Claude Code has every call once, with those of sub-agents under the session that started them", async () => {
    put(
      ".claude/projects/-p/s.jsonl",
      { type: "summary", summary: "x" },
      claude("a"),
      claude("a"),
      claude("b", { isSidechain: true }),
    );
    put(".claude/projects/-p/agent-1.jsonl", claude("c"));
    put(".claude/projects/-p/z.jsonl", claude("a"), claude("d", { entrypoint: "sdk-ts" }));
    const calls = await all(transcriptCalls("claude-code", search()));
    expect(calls.map(told)).toEqual([
      expect.objectContaining({ args: { command: "echo c" }, made: "sub-agent", session: "s" }),
      {
        tool: "Bash",
        args: { command: "echo a" },
        cwd: "/gone/project",
        agent: "claude-code",
        time: TIME,
        made: undefined,
        session: "s",
        root: "/gone/project",
      },
      expect.objectContaining({ args: { command: "echo b" }, made: "sub-agent" }),
      expect.objectContaining({ args: { command: "echo d" }, made: "sdk" }),
    ]);
    expect(counts.broken).toBe(0);
  });

  it("of Codex has shell calls as its hooks get them, patches, and sub-agents under their parents", async () => {
    const item = (payload: object) => ({ timestamp: TIME, type: "response_item", payload });
    const shell = (args: object, call_id: string) =>
      item({ type: "function_call", name: "shell", arguments: JSON.stringify(args), call_id });
    put(
      ".codex/sessions/2026/11/01/rollout-1.jsonl",
      { timestamp: TIME, type: "session_meta", payload: { id: "s", cwd: "/gone" } },
      shell({ command: ["bash", "-lc", "ls | head"] }, "1"),
      shell({ command: ["git", "commit", "-m", "it's"], workdir: "/gone/sub" }, "2"),
      { timestamp: TIME, type: "event_msg", payload: { type: "exec_command_begin", call_id: "1" } },
      item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch\n*** End Patch", call_id: "3" }),
    );
    put(
      ".codex/sessions/2026/11/01/rollout-2.jsonl",
      {
        timestamp: TIME,
        type: "session_meta",
        payload: { id: "t", cwd: "/gone", source: { subagent: { thread_spawn: { parent_thread_id: "s" } } } },
      },
      shell({ command: ["ls"] }, "4"),
    );
    const calls = (await all(transcriptCalls("codex", search()))).map(told);
    expect(calls).toMatchObject([
      { tool: "Bash", args: { command: "ls | head" }, cwd: "/gone", session: "s" },
      { tool: "Bash", args: { command: "git commit -m 'it'\\''s'" }, cwd: "/gone/sub" },
      { tool: "apply_patch" },
      { args: { command: "ls" }, session: "s", made: "sub-agent" },
    ]);
  });

  it("of Gemini CLI is one object or lines, and names no folder", async () => {
    const toolCalls = [
      { id: "1", name: "run_shell_command", args: { command: "ls" }, status: "success", timestamp: TIME },
    ];
    const message = { id: "m", timestamp: TIME, type: "gemini", content: "", toolCalls };
    put(
      ".gemini/tmp/x/chats/session-1.json",
      JSON.stringify({ sessionId: "s", projectHash: "h", messages: [message] }, null, 2),
    );
    put(
      ".gemini/tmp/x/chats/session-2.jsonl",
      { sessionId: "t", projectHash: "h", kind: "subagent" },
      message,
      { $set: { lastUpdated: TIME } },
      { ...message, toolCalls: [{ ...toolCalls[0], id: "2" }] },
    );
    const calls = (await all(transcriptCalls("gemini-cli", search()))).map(told);
    expect(calls).toMatchObject([
      { tool: "run_shell_command", args: { command: "ls" }, root: "/here", session: "s" },
      { session: "t", made: "sub-agent" },
    ]);
  });

  it("of Qwen Code has the calls of the model's parts", async () => {
    const message = {
      role: "model",
      parts: [{ text: "x" }, { functionCall: { id: "1", name: "write_file", args: { file_path: "a", content: "b" } } }],
    };
    put(".qwen/projects/-p/chats/s.jsonl", {
      uuid: "u",
      sessionId: "s",
      timestamp: TIME,
      type: "assistant",
      cwd: "/gone",
      message,
    });
    const calls = (await all(transcriptCalls("qwen-code", search()))).map(told);
    expect(calls).toMatchObject([{ tool: "write_file", args: { file_path: "a", content: "b" }, cwd: "/gone" }]);
  });

  it("that ended before is not read, and another home counts where the agent has one", async () => {
    const old = put(".claude/projects/-p/s.jsonl", claude("a"));
    utimesSync(old, 1000, 1000);
    expect(await all(transcriptCalls("claude-code", search()))).toEqual([]);
    mkdirSync(join(home, "other/projects/-q"), { recursive: true });
    writeFileSync(join(home, "other/projects/-q/s.jsonl"), JSON.stringify(claude("b")));
    const env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, "other") };
    expect(await all(transcriptCalls("claude-code", { ...search(), env }))).toHaveLength(1);
  });

  it("that is not known is a problem", async () => {
    await expect(all(transcriptCalls("opencode", search()))).rejects.toThrow(/not known for certain/);
  });
});

describe("a file of calls", () => {
  it("may hold anything: what is no call is passed over and counted", async () => {
    const file = put(
      "calls.jsonl",
      claude("a"),
      {
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd: "/gone",
        transcript_path: "/x",
        tool_name: "Bash",
        tool_input: { command: "echo \u202ehi" },
      },
      {
        v: 1,
        id: "abcdef",
        time: TIME,
        kind: "decision",
        event: "tool:pre_execute",
        action: "deny",
        reasons: [],
        results: [],
        event_json: { type: "tool:pre_execute", data: { tool_args: { command: "ls" } }, tool_name: "Bash" },
      },
      { v: 2, id: "abcdef" },
      "{torn",
      "[1,2]",
      `{"a":${'{"a":'.repeat(3000)}1${"}".repeat(3000)}}`,
      "[".repeat(100_000),
      `{"long":"${"x".repeat(9_000_000)}"}`,
      claude("b"),
    );
    const calls = await all(callsOfFile(file, search()));
    expect(calls.map(({ recorded, event }) => [recorded, Object(event.data.tool_args).command])).toEqual([
      ["continue", "echo a"],
      ["continue", "echo \u202ehi"],
      ["deny", "ls"],
      ["continue", "echo b"],
    ]);
    expect(counts.broken).toBe(6);
  });

  it("is recognised by what it holds", async () => {
    for (const name of ["claude-code.jsonl", "codex-rollout.jsonl"]) {
      const file = join(home, name);
      copyFileSync(join("fixtures/transcripts", name), file);
      expect(await all(callsOfFile(file, search()))).toHaveLength(1);
    }
    await expect(all(callsOfFile(join(home, "nothing"), search()))).rejects.toThrow(/no such file/);
  });
});
