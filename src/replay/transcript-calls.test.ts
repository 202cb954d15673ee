import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
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
    expect(agentsWithHistory()).toEqual(["claude-code", "codex", "gemini-cli", "opencode", "qwen-code"]);
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

  it("of Codex names the server of an MCP tool, and marks what a program ran", async () => {
    put(
      ".codex/sessions/2026/11/01/rollout-1.jsonl",
      {
        timestamp: TIME,
        type: "session_meta",
        payload: { id: "s", cwd: "/gone", source: "exec", originator: "codex_sdk_ts" },
      },
      {
        timestamp: TIME,
        type: "response_item",
        payload: { type: "function_call", name: "mark", namespace: "mcp__marker", arguments: "{}", call_id: "1" },
      },
    );
    const calls = (await all(transcriptCalls("codex", search()))).map(told);
    expect(calls).toMatchObject([{ tool: "mcp__marker__mark", args: {}, made: "sdk" }]);
  });

  it("of Gemini CLI is one object or lines; older versions name no folder", async () => {
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

  it("of Gemini CLI names the folder in a file of its own, and lays sub-agents below their session", async () => {
    const message = (id: string, more: object = {}) => ({
      id: `m-${id}`,
      timestamp: TIME,
      type: "gemini",
      content: "",
      toolCalls: [{ id, name: "run_shell_command", args: { command: id }, timestamp: TIME, ...more }],
    });
    const meta = (sessionId: string, kind: string) => ({ sessionId, projectHash: "h", kind });
    const base = ".gemini/tmp/project";
    put(`${base}/.project_root`, "/gone/project");
    put(`${base}/chats/session-1.jsonl`, meta("s", "main"), message("a", { agentId: "t" }), {
      $set: { messages: [message("a"), message("b")] },
    });
    put(`${base}/chats/s/t.jsonl`, meta("t", "subagent"), message("c"));
    const calls = (await all(transcriptCalls("gemini-cli", search()))).map(told);
    expect(calls).toMatchObject([
      { args: { command: "a" }, session: "s", cwd: "/gone/project", made: undefined },
      { args: { command: "b" }, session: "s", made: undefined },
      { args: { command: "c" }, session: "s", cwd: "/gone/project", made: "sub-agent" },
    ]);
  });

  it("of OpenCode is a database, read with what its log holds and without what was never finished", async () => {
    const folder = join(home, ".local/share/opencode");
    mkdirSync(folder, { recursive: true });
    for (const name of ["opencode.db", "opencode.db-wal"])
      copyFileSync(join("fixtures/transcripts", name), join(folder, name));
    const calls = (await all(transcriptCalls("opencode", search()))).map(told);
    const reads = Array.from({ length: 20 }, (_, at) => expect.objectContaining({ tool: "read", args: read(at + 4) }));
    expect(calls).toEqual([
      {
        tool: "bash",
        args: { command: "touch shell.txt", description: "make a file" },
        cwd: "/gone/project",
        agent: "opencode",
        time: "2026-11-16T17:51:24.795Z",
        made: undefined,
        session: "ses_a",
        root: "/gone/project",
      },
      expect.objectContaining({ args: expect.objectContaining({ content: "line of text äöü\n".repeat(60) }) }),
      ...reads,
      expect.objectContaining({ args: { command: "exit 3" }, session: "ses_a", made: "sub-agent" }),
      expect.objectContaining({ args: { command: "echo deep" }, session: "ses_a", made: "sub-agent" }),
    ]);
    expect(counts.broken).toBe(0);
    expect(await all(callsOfFile(join(folder, "opencode.db"), search()))).toHaveLength(24);
    const env = { HOME: "/nowhere", XDG_DATA_HOME: join(home, ".local/share") };
    expect(await all(transcriptCalls("opencode", { ...search(), env }))).toHaveLength(24);
  });

  const read = (at: number) => expect.objectContaining({ filePath: `/gone/project/file-${at}.txt` });

  it("of OpenCode before its database is a file for each part, and its export is one object", async () => {
    const session = (id: string, parentID?: string) => ({ id, parentID, projectID: "p", directory: "/gone", time: {} });
    const part = (id: string, sessionID: string, status = "completed") => ({
      id,
      sessionID,
      messageID: "m",
      type: "tool",
      tool: "bash",
      callID: "call_0",
      state: { status, input: { command: `echo ${id}` }, time: { start: Date.parse(TIME) } },
    });
    const storage = ".local/share/opencode/storage";
    const old = put(`${storage}/session/p/ses_a.json`, session("ses_a"));
    utimesSync(old, 1000, 1000);
    put(`${storage}/session/p/ses_b.json`, session("ses_b", "ses_a"));
    put(`${storage}/part/msg_1/prt_1.json`, part("prt_1", "ses_a"));
    put(`${storage}/part/msg_1/prt_2.json`, { id: "prt_2", type: "text", text: "x" });
    put(`${storage}/part/msg_2/prt_3.json`, part("prt_3", "ses_b"));
    put(`${storage}/part/msg_2/prt_4.json`, part("prt_4", "ses_b", "pending"));
    const calls = (await all(transcriptCalls("opencode", search()))).map(told);
    expect(calls).toMatchObject([
      { args: { command: "echo prt_1" }, cwd: "/gone", session: "ses_a", made: undefined, time: TIME },
      { args: { command: "echo prt_3" }, cwd: "/gone", session: "ses_a", made: "sub-agent" },
    ]);
    const exported = { info: session("ses_a"), messages: [{ info: {}, parts: [part("prt_1", "ses_a")] }] };
    const file = put("export.json", JSON.stringify(exported, null, 2));
    expect((await all(callsOfFile(file, search()))).map(told)).toMatchObject([{ cwd: "/gone", session: "ses_a" }]);
  });

  it("may be compressed, as closed days of the journal are", async () => {
    const file = put("calls.jsonl", claude("a"), claude("b"));
    writeFileSync(`${file}.gz`, gzipSync(`${readFileSync(file, "utf8")}\n{"half`));
    expect((await all(callsOfFile(`${file}.gz`, search()))).map(told)).toEqual(
      (await all(callsOfFile(file, search()))).map(told),
    );
    expect(counts.broken).toBe(1);
  });

  it("of Qwen Code has calls of sub-agents once, from their own files or as they were counted", async () => {
    const line = (sessionId: string, more: object) => ({
      uuid: "u",
      sessionId,
      timestamp: TIME,
      cwd: "/gone",
      ...more,
    });
    const counted = (uuid: string, prompt_id: string, command: string) => ({
      uuid,
      type: "system",
      subtype: "ui_telemetry",
      systemPayload: {
        uiEvent: { "event.name": "qwen-code.tool_call", function_name: "shell", function_args: { command }, prompt_id },
      },
    });
    const made = (command: string) => ({
      type: "assistant",
      message: { role: "model", parts: [{ functionCall: { id: command, name: "shell", args: { command } } }] },
    });
    put(
      ".qwen/projects/-p/chats/s.jsonl",
      line("s", made("a")),
      line("s", counted("1", "2230b71e", "a")),
      line("s", counted("2", "s########3", "a")),
      line("s", counted("3", "s#general-purpose-en7q41#0", "b")),
      line("s", counted("4", "s#general-purpose-en7q41#1", "b")),
    );
    put(".qwen/projects/-p/chats/t.jsonl", line("t", counted("5", "t#general-purpose-x#0", "c")));
    put(".qwen/projects/-p/subagents/t/agent-1.jsonl", line("t", { ...made("c"), agentId: "1", isSidechain: true }));
    const calls = (await all(transcriptCalls("qwen-code", search()))).map(told);
    expect(calls.map(({ args, made: how, session }) => [Object(args).command, how, session])).toEqual([
      ["c", "sub-agent", "t"],
      ["a", undefined, "s"],
      ["b", "sub-agent", "s"],
      ["b", "sub-agent", "s"],
    ]);
  });

  it("keeps calls apart that a model has numbered anew in another session", async () => {
    const other = { sessionId: "t", message: claude("a").message };
    const content = [{ type: "tool_use", id: "a", name: "Bash", input: { command: "echo other" } }];
    put(".claude/projects/-p/s.jsonl", claude("a"));
    put(".claude/projects/-p/t.jsonl", claude("a", other), claude("a", { message: { role: "assistant", content } }));
    expect(await all(transcriptCalls("claude-code", search()))).toHaveLength(2);
  });

  it("may lie in folders that cannot be read", async () => {
    put(".claude/projects/-p/s.jsonl", claude("a"));
    symlinkSync("loop", join(home, ".claude/projects/loop"));
    symlinkSync(".", join(home, ".claude/projects/-p/here"));
    expect(await all(transcriptCalls("claude-code", search()))).toHaveLength(1);
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
    await expect(all(transcriptCalls("cursor", search()))).rejects.toThrow(/not known for certain/);
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
