import { describe, expect, it } from "vitest";
import type { PluginResult } from "./plugin-result.ts";
import { HookRequest } from "./request.ts";

function complete(event: string, ...results: unknown[]) {
  const data = { hook_event_name: event, tool_input: { command: "ls", keep: 1 } };
  return new HookRequest(data).complete(results as PluginResult[]);
}

const denied = (reason: string, hookEventName = "PreToolUse") => ({
  output: { hookSpecificOutput: { hookEventName, permissionDecision: "deny", permissionDecisionReason: reason } },
  exitCode: 2,
});
const block = (reason: string) => ({ output: { decision: "block", reason }, exitCode: 2 });
const context = (hookEventName: string, additionalContext: string) => ({
  output: { hookSpecificOutput: { hookEventName, additionalContext } },
  exitCode: 0,
});
const silent = { output: null, exitCode: 0 };

describe("completing a request", () => {
  it.each([
    [
      "any block fails the call, and no allow leaks into the reason",
      "PreToolUse",
      [
        ["allow", "1 passed"],
        ["block", "2 failed"],
      ],
      denied("2 failed"),
    ],
    ["every reason survives", "PreToolUse", [["block", "a"], null, ["block", "b"]], denied("a; b")],
    [
      "a block without a reason blocks",
      "PreToolUse",
      [["block", null]],
      denied("blocked by a plugin that gave no reason"),
    ],
    ["a block without a text blocks", "Stop", [["block"]], block("blocked by a plugin that gave no reason")],
    [
      "an empty reason blocks",
      "PreToolUse",
      [
        ["block", ""],
        ["block", "b"],
      ],
      denied("b"),
    ],
    ["stop keeps working", "Stop", [["block", "tests fail"]], block("tests fail")],
    ["a sub-agent keeps working", "SubagentStop", [["block", "x"]], block("x")],
    ["a prompt is refused", "UserPromptSubmit", [["block", "x"]], block("x")],
    ["feedback after a tool is a block too", "PostToolUse", [["block", "x"]], block("x")],
    ["an event that is not known blocks", "Unknown", [["block", "x"]], block("x")],
    ["other spellings of an event are the same event", "pre_tool_use", [["block", "x"]], denied("x", "pre_tool_use")],
    ["a canonical name is answered in the agents' word", "tool:pre_execute", [["block", "x"]], denied("x")],
    ["nothing said is silent", "PreToolUse", [], silent],
    ["no opinion is silent", "PreToolUse", [null, undefined, ["allow", null], ["allow"], ["allow", ""]], silent],
    [
      "context after a tool",
      "PostToolUse",
      [
        ["allow", "a"],
        ["allow", "b"],
      ],
      context("PostToolUse", "a\nb"),
    ],
    ["context with a prompt", "UserPromptSubmit", [["allow", "a"]], context("UserPromptSubmit", "a")],
    ["context at the start", "SessionStart", [["allow", "a"]], context("SessionStart", "a")],
    ["context before a tool approves nothing", "PreToolUse", [["allow", "a"]], context("PreToolUse", "a")],
    [
      "an answer that allows approves nothing here",
      "PreToolUse",
      [{ action: "allow", context: "a" }],
      context("PreToolUse", "a"),
    ],
    [
      "where no context is taken, the user reads it",
      "Stop",
      [["allow", "a"]],
      { output: { systemMessage: "a" }, exitCode: 0 },
    ],
    ["an answer may deny", "PreToolUse", [{ action: "deny", reason: "r" }], denied("r")],
    ["an answer may continue", "PreToolUse", [{ action: "continue" }], silent],
    ["asking elsewhere is a block", "Stop", [{ action: "ask", reason: "r" }], block("needs approval: r")],
    [
      "a prompt cannot be changed here",
      "UserPromptSubmit",
      [{ action: "modify", modifiedData: { prompt: "x" } }],
      block("a plugin wants to change what cannot be changed at UserPromptSubmit"),
    ],
    [
      "a result can be replaced",
      "PostToolUse",
      [{ action: "modify", modifiedData: { result: "x" } }],
      { output: { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "x" } }, exitCode: 0 },
    ],
  ])("%s", (_, event, results, expected) => {
    expect(complete(event, ...results)).toEqual(expected);
  });

  it("asks the user before a tool, also about a changed input", () => {
    expect(complete("PreToolUse", { action: "ask", reason: "sure?" }, ["allow", "note"]).output).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "sure?",
        additionalContext: "note",
      },
    });
    const changed = complete("PreToolUse", {
      action: "modify",
      reason: "r",
      modifiedData: { patch: { command: "pwd" } },
    });
    expect(changed.output).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask", updatedInput: { command: "pwd", keep: 1 } },
    });
    const polluting = { action: "modify", modifiedData: JSON.parse('{"patch":{"__proto__":{"a":1}}}') };
    expect(complete("PreToolUse", polluting).exitCode).toBe(2);
  });

  it.each([
    [["maybe", "x"]],
    ["block"],
    [["Block", "x"]],
    [[]],
    [true],
    [{ acton: "deny" }],
    [{ action: "no" }],
    [{}],
    [5],
  ])("takes %j for a failure: a gate stays shut, and elsewhere the user is told", (result) => {
    expect(complete("PreToolUse", result).exitCode).toBe(2);
    expect(complete("Unknown", result).exitCode).toBe(2);
    const after = complete("PostToolUse", ["allow", "kept"], result);
    expect(after).toMatchObject({
      exitCode: 0,
      output: { systemMessage: expect.stringContaining("is not an answer") },
    });
    expect(after.output).toMatchObject({ hookSpecificOutput: { additionalContext: "kept" } });
  });
});
