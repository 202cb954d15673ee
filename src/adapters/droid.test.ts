import { describe, expect, it } from "vitest";
import { decoded, modify, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { droid } from "./droid.ts";
import { type Payload, Unreadable } from "./payload.ts";

const COMMON = { session_id: "s", transcript_path: "/t", cwd: "/w", permission_mode: "auto-low" };
const TOOL = { tool_name: "Execute", tool_input: { command: "rm a", timeout: 5 } };
const SAFER = modify({ command: "ls", timeout: 5 });
const EXIT: Reply = { exitCode: 2, stderr: "no" };

const TABLE: readonly (readonly [hookEvent: string, outcome: FittedDecision, reply: Reply])[] = [
  ["PreToolUse", SAID.nothing, {}],
  ["PreToolUse", SAID.context, {}],
  ["PreToolUse", SAID.deny, denied("no")],
  ["PreToolUse", SAID.approve, specific("PreToolUse", { permissionDecision: "allow" })],
  ["PreToolUse", SAFER, specific("PreToolUse", { updatedInput: { command: "ls", timeout: 5 } })],
  ["PreToolUse", modify({ command: "ls" }), denied("safer (Droid cannot take `timeout` away)")],
  ["PostToolUse", SAID.context, specific("PostToolUse", { additionalContext: "know this" })],
  ["UserPromptSubmit", SAID.nothing, {}],
  ["UserPromptSubmit", SAID.deny, EXIT],
  ["UserPromptSubmit", SAID.context, specific("UserPromptSubmit", { additionalContext: "know this" })],
  ["UserPromptSubmit", modify("please"), specific("UserPromptSubmit", { updatedInput: { prompt: "please" } })],
  ["SessionStart", SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  ["Stop", SAID.deny, EXIT],
  ["Stop", SAID.nothing, {}],
  ["SubagentStop", SAID.deny, EXIT],
  ["PreCompact", SAID.deny, EXIT],
  ["Notification", SAID.context, { stdout: { systemMessage: "know this" } }],
  ["SessionEnd", SAID.context, {}],
];

describe("Factory Droid", () => {
  it.each(TABLE)("is answered at %s: %j", (hookEvent, outcome, wanted) => {
    expect(reply(droid, { ...COMMON, ...TOOL, hook_event_name: hookEvent }, outcome)).toEqual(wanted);
  });

  it("has a row in this table for every hook event", () => {
    expect(new Set(TABLE.map(([hookEvent]) => hookEvent))).toEqual(new Set(Object.keys(droid.hookEvents)));
  });

  it("a shell call is read with its text, session and folder", () => {
    const payload: Payload = { ...COMMON, ...TOOL, hook_event_name: "PostToolUse", tool_response: "done" };
    expect(decoded(droid, payload)).toMatchObject({
      toolName: "Execute",
      sessionId: "s",
      cwd: "/w",
      data: { tool_args: { command: "rm a" }, tool_result: "done", permission_mode: "auto-low" },
    });
  });

  it("a gate without a tool cannot be read", () => {
    expect(() => decoded(droid, { ...COMMON, hook_event_name: "PreToolUse" })).toThrow(Unreadable);
  });

  it("can neither ask nor hear of sub-agents that start", () => {
    expect(droid.hookEvents.PreToolUse?.can).not.toContain("ask");
    expect(droid.hookEvents).not.toHaveProperty("SubagentStart");
  });
});

function specific(hookEventName: string, more: object): Reply {
  return { stdout: { hookSpecificOutput: { hookEventName, ...more } } };
}

function denied(reason: string): Reply {
  const verdict = { permissionDecision: "deny", permissionDecisionReason: reason };
  return { ...specific("PreToolUse", verdict), stderr: reason };
}
