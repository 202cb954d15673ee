import { describe, expect, test } from "vitest";
import { judged } from "./judged.ts";

describe("a tool that is given a line for a shell is a shell, whatever it and its key are called", () => {
  test.each([
    ["mcp__desktop-commander__start_process", { command: "rm -rf /", timeout_ms: 1 }],
    ["mcp__desktop-commander__interact_with_process", { pid: 1, input: "rm -rf src" }],
    ["mcp__iterm__write_to_terminal", { command: "rm -rf src" }],
    ["mcp__shell__run_command", { cmd: "rm -rf src" }],
    ["mcp__shell__run_command", { input: "rm -rf src" }],
    ["mcp__shell__run_command", { script: "rm -rf src" }],
    ["mcp__shell__run_command", { code: "rm -rf src" }],
    ["mcp__shell__runCommand", { commandLine: "rm -rf src" }],
    ["mcp__shell__run_command", { args: ["rm", "-rf", "src"] }],
    ["mcp__shell__run_command", { command: "rm", args: ["-rf", "src"] }],
    ["mcp__shell__run_command", { argv: "rm -rf src" }],
    ["mcp__shell__run_command", { command: "rm", args: "-rf src" }],
    ["mcp__ssh__exec", { cmd: "rm -rf src" }],
    ["mcp__bash__bash", { input: "rm -rf src" }],
    ["mcp__bash__bash", { args: ["-c", "rm -rf src"] }],
    ["mcp__bash__bash", { command: "ls", cmd: "rm -rf src" }],
    ["exec_command", { cmd: "rm -rf src" }],
    ["unified_exec", { input: ["bash", "-lc", "rm -rf src"] }],
    ["shell", { command: ["rm", "-rf", "src"] }],
  ])("%s %j", async (tool, args) => {
    expect(await judged("standard", { tool, args })).toMatchObject({ action: "deny", by: ["files"] });
  });
});

describe("words about commands are no commands", () => {
  test.each([
    ["mcp__docs__search", { input: "rm -rf /" }],
    ["mcp__shell__explain_command", { command: "rm -rf /" }],
    ["mcp__terminal__search_history", { input: "rm -rf /" }],
    ["mcp__commands__list", { input: "rm -rf /" }],
    ["mcp__notes__add", { input: "rm -rf /", code: "rm -rf /" }],
    ["mcp__github__run_workflow", { input: "rm -rf /" }],
    ["mcp__db__run_query", { input: "rm -rf /" }],
    ["mcp__terminal__run_python", { code: "x = 'rm -rf /'" }],
    ["mcp__desktop-commander__read_process_output", { input: "rm -rf /" }],
  ])("%s %j", async (tool, args) => {
    expect(await judged("strict", { tool, args })).toMatchObject({ action: "continue" });
  });
});
