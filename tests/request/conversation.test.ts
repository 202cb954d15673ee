import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getLatestAssistantMessage, getText, HookRequest, isToolOperation } from "../../src/index.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/transcripts", import.meta.url));
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-conversation-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function conversationOf(file: string) {
  return new HookRequest({ transcript_path: join(FIXTURES, file), session_id: "asked" }).conversation;
}

function written(text: string) {
  const file = join(folder, "t.jsonl");
  writeFileSync(file, text);
  return new HookRequest({ transcript_path: file, session_id: "asked" }).conversation;
}

describe("a conversation", () => {
  it("is the same whichever agent wrote it down: who spoke, which tool, what was said", () => {
    const rows = (file: string) =>
      conversationOf(file).messages.map((message) => [message.type, message.tool_name ?? "", getText(message)]);
    expect(rows("claude-code.jsonl")).toEqual([
      ["user", "", "Rename the test file, please."],
      ["user", "", "<command-name>/clear</command-name>"],
      ["assistant", "", ""],
      ["assistant", "", "I rename it now."],
      ["assistant", "Bash", ""],
      ["user", "Bash", "renamed"],
      ["user", "", "This session is continued: the file was renamed."],
      ["system", "", "Conversation compacted"],
      ["assistant", "", "It is called check.py now."],
      ["assistant", "", "I am a helper of the agent."],
    ]);
    expect(rows("codex-rollout.jsonl")).toEqual([
      ["system", "", "Work carefully."],
      ["user", "", "<environment_context>\n  <cwd>/project</cwd>\n</environment_context>"],
      ["user", "", "List the files."],
      ["assistant", "shell", ""],
      ["user", "shell", "README.md"],
      ["assistant", "", "There is one file: README.md."],
      ["system", "", "The files were listed."],
    ]);
    expect(rows("plain.jsonl")).toEqual([
      ["system", "", "Be brief."],
      ["user", "", "Which day is it?"],
      ["assistant", "today", ""],
      ["user", "", "Sunday"],
      ["assistant", "", "Sunday."],
    ]);
  });

  it("is plain objects with the keys that are always there", () => {
    const [message] = conversationOf("claude-code.jsonl").messages;
    expect(message).toEqual({
      type: "user",
      content: "Rename the test file, please.",
      is_meta: false,
      is_compact_summary: false,
      is_sidechain: false,
      uuid: "u-1",
      timestamp: "2026-11-01T10:00:00.000Z",
      session_id: "s-1",
    });
  });

  it("marks remarks of the agent, summaries and tools", () => {
    const { messages } = conversationOf("claude-code.jsonl");
    const marked = (key: "is_meta" | "is_compact_summary") => messages.flatMap((one, at) => (one[key] ? [at] : []));
    expect(marked("is_meta")).toEqual([1]);
    expect(marked("is_compact_summary")).toEqual([6]);
    expect(messages.flatMap((one, at) => (isToolOperation(one) ? [at] : []))).toEqual([4, 5]);
    const rollout = conversationOf("codex-rollout.jsonl").messages;
    expect(rollout.flatMap((one, at) => (one.is_meta ? [at] : []))).toEqual([1]);
    expect(rollout.at(-1)?.is_compact_summary).toBe(true);
    expect(conversationOf("plain.jsonl").messages.map(isToolOperation)).toEqual([false, false, true, true, false]);
  });

  it("knows its session, and asks the request where the transcript does not say it", () => {
    expect(conversationOf("claude-code.jsonl").session_id).toBe("s-1");
    expect(conversationOf("codex-rollout.jsonl").session_id).toBe("0199-r");
    expect(conversationOf("plain.jsonl").session_id).toBe("asked");
  });

  it("skips broken lines and counts them", () => {
    const conversation = written(
      '\uFEFF{"role":"user","content":"one"}\r\n\n{"role": nonsense}\n[1]\n5\n{"role":"user","content":"two"}\n{"role":"us',
    );
    expect(conversation.messages.map(getText)).toEqual(["one", "two"]);
    expect(conversation.metadata).toMatchObject({ lines: 6, broken_lines: 4, long_lines: 0 });
  });

  it.each([
    ["no path", ""],
    ["a file that is not there", "/nowhere/at/all.jsonl"],
    ["a folder", tmpdir()],
    ["a device", "/dev/zero"],
  ])("is empty with %s", (_, path) => {
    expect(new HookRequest({ transcript_path: path }).conversation).toEqual({ messages: [] });
  });

  it("is read when first asked for, and once", () => {
    const file = join(folder, "later.jsonl");
    const request = new HookRequest({ transcript_path: "later.jsonl", cwd: folder });
    writeFileSync(file, '{"role":"user","content":"hello"}\n');
    expect(request.conversation.messages).toHaveLength(1);
    rmSync(file);
    expect(request.conversation.messages).toHaveLength(1);
  });

  it("cuts a text that is too long, and skips a line that is", () => {
    const long = JSON.stringify({ role: "user", content: "x".repeat(150_000) });
    const longer = JSON.stringify({ role: "user", content: "x".repeat(5 * 1024 * 1024) });
    const { messages, metadata } = written(`${long}\n${longer}\n{"role":"user","content":"end"}`);
    expect(messages.map((message) => getText(message).length)).toEqual([100_000 + 29, 3]);
    expect(getText(messages[0]).endsWith("… [50000 characters left out]")).toBe(true);
    expect(metadata).toMatchObject({ lines: 3, long_lines: 1, shortened_messages: 1 });
  });

  it("survives nesting without end", () => {
    const deep = `{"role":"user","content":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const { messages, metadata } = written(`${deep}\n{"role":"user","content":"end"}`);
    expect(messages).toHaveLength(2);
    expect(metadata?.shortened_messages).toBe(1);
  });
});

describe("the text of a message", () => {
  it.each([
    ["a text", "plain", "plain"],
    ["content", { content: "c" }, "c"],
    [
      "blocks",
      {
        content: [
          { type: "text", text: "a" },
          { type: "tool_use", name: "x" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    ["blocks as JSON", { content: '[{"type":"text","text":"a"}]' }, "a"],
    ["a text in brackets", { content: '[{"not": "blocks"}]' }, '[{"not": "blocks"}]'],
    ["a message inside", { type: "user", message: { role: "user", content: [{ type: "text", text: "in" }] } }, "in"],
    ["a result", { content: [{ type: "tool_result", content: [{ type: "text", text: "r" }] }] }, "r"],
    ["nothing", null, ""],
    ["a number", 5, ""],
    ["no content", { type: "user" }, ""],
  ])("is found in %s", (_, message, text) => {
    expect(getText(message)).toBe(text);
    expect(new HookRequest({}).getText(message)).toBe(text);
  });

  it.each([
    [{ content: "tool_use in words" }, false],
    [{ content: [{ type: "tool_use" }] }, true],
    [{ content: '[{"type":"tool_result","content":"x"}]' }, true],
    [{ message: { content: [{ type: "server_tool_use" }] } }, true],
    [{ type: "user", toolUseResult: {} }, true],
    [{ tool_use_id: "t" }, true],
    [{ tool_name: null, content: "x" }, false],
    [null, false],
    ["tool_use", false],
  ])("of a tool is told apart: %j", (message, isTool) => {
    expect(isToolOperation(message)).toBe(isTool);
    expect(new HookRequest({}).isToolOperation(message)).toBe(isTool);
  });

  it("that the agent said last is found among messages and conversations, sub-agents aside", () => {
    const conversation = conversationOf("claude-code.jsonl");
    expect(getText(getLatestAssistantMessage(conversation))).toBe("It is called check.py now.");
    expect(getLatestAssistantMessage(conversation.messages)?.uuid).toBe("a-4");
    expect(getLatestAssistantMessage({ messages: [] })).toBeUndefined();
  });
});
