import { describe, expect, it } from "vitest";
import { whyUnknownKey } from "./tool-inputs.ts";

const claude = (toolName: string) => ({ toolName, agent: "claude-code" });
const write = { file_path: "a", content: "x" };

describe("a key that the tool does not have", () => {
  const refused: [call: object, before: object, after: object, key: string][] = [
    [claude("Write"), write, { ...write, contnet: "y" }, "contnet"],
    [claude("Write"), write, { ...write, mode: 1 }, "mode"],
    [claude("Write"), write, { ...write, path: "b" }, "path"],
    [claude("Bash"), { command: "ls" }, { command: "ls", comand: "x" }, "comand"],
    [claude("Bash"), { command: "ls" }, { command: "ls", sandbox_level: 1 }, "sandbox_level"],
    [{ toolName: "Write" }, write, { ...write, foo: 1 }, "foo"],
    [
      { toolName: "editor", agent: "cline" },
      { path: "a", new_text: "x" },
      { path: "a", new_text: "x", content: "y" },
      "content",
    ],
    [{ toolName: "mcp__x__put", agent: "codex" }, { filePath: "a" }, { filePath: "a", file_path: "b" }, "file_path"],
    [{}, { message: "a", options: { verbose: 1 } }, { message: "a", options: { verbose: 1, verbsoe: 2 } }, "verbsoe"],
  ];
  it.each(refused)("%j: %j cannot become %j", (call, before, after, key) => {
    expect(whyUnknownKey(call, before, after)).toContain(`"${key}"`);
  });

  const taken: [call: object, before: object, after: object][] = [
    [claude("Write"), write, { ...write, content: "y" }],
    [claude("Write"), write, { file_path: "a" }],
    [claude("Bash"), { command: "ls" }, { command: "ls", timeout: 5, description: "d", run_in_background: true }],
    [
      claude("Edit"),
      { file_path: "a", old_string: "x", new_string: "y" },
      { file_path: "a", old_string: "x", new_string: "z", replace_all: true },
    ],
    [claude("Grep"), { pattern: "x" }, { pattern: "x", "-n": true, "-A": 2 }],
    [{ toolName: "bash" }, { command: "ls" }, { command: "ls", safe: true }],
    [
      { toolName: "mcp__jira__create", agent: "codex" },
      { title: "x", assignee: "a" },
      { title: "x", assignee: "a", assignees: ["a"], priority: 1 },
    ],
    [{ toolName: "own" }, { param1: 1, a: 1 }, { param1: 1, param2: 2, a: 1, b: 2 }],
    [{ toolName: "own" }, { cmd: "ls" }, { command: "ls" }],
    [{ toolName: "Write" }, { where: "a", text: "b" }, { where: "a", text: "b", mode: 1 }],
    [{ toolName: "x" }, {}, { a: 1 }],
  ];
  it.each(taken)("%j: %j may become %j", (call, before, after) => {
    expect(whyUnknownKey(call, before, after)).toBeUndefined();
  });
});
