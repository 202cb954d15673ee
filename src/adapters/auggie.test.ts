import { describe, expect, it } from "vitest";
import { decoded, modify, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { auggie } from "./auggie.ts";
import { type Payload, Unreadable } from "./payload.ts";

const COMMON = { conversation_id: "c", workspace_roots: ["/w", "/other"] };
const TOOL = { tool_name: "launch-process", tool_input: { command: "rm a", cwd: "/w" } };
const SAFER = { command: "ls", cwd: "/w" };
const VERDICT = { permissionDecision: "deny", permissionDecisionReason: "no" };

const TABLE: readonly (readonly [hookEvent: string, outcome: FittedDecision, reply: Reply])[] = [
  ["PreToolUse", SAID.nothing, {}],
  ["PreToolUse", SAID.context, {}],
  ["PreToolUse", SAID.deny, { ...specific("PreToolUse", VERDICT), stderr: "no" }],
  ["PreToolUse", modify(SAFER), specific("PreToolUse", { updatedInput: SAFER })],
  ["PostToolUse", SAID.nothing, {}],
  ["PostToolUse", SAID.context, specific("PostToolUse", { decision: "block", reason: "know this" })],
  ["Stop", SAID.nothing, {}],
  ["Stop", SAID.deny, { ...specific("Stop", { decision: "block", reason: "no" }), stderr: "no" }],
  ["SessionStart", SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  ["PromptSubmit", SAID.deny, { stdout: { continue: false, stopReason: "no" }, stderr: "no" }],
  ["PromptSubmit", SAID.nothing, {}],
  ["Notification", SAID.context, { stdout: { systemMessage: "know this" } }],
  ["SessionEnd", SAID.context, {}],
];

describe("Auggie", () => {
  it.each(TABLE)("is answered at %s: %j", (hookEvent, outcome, wanted) => {
    expect(reply(auggie, { ...COMMON, ...TOOL, hook_event_name: hookEvent }, outcome)).toEqual(wanted);
  });

  it("a shell call is read with its text; the conversation is the session, the first root the folder", () => {
    expect(decoded(auggie, { ...COMMON, ...TOOL, hook_event_name: "PreToolUse" })).toMatchObject({
      toolName: "launch-process",
      sessionId: "c",
      cwd: "/w",
      data: { tool_args: { command: "rm a" } },
    });
  });

  it("a tool that failed is told apart, and answered under the name that Auggie gave it", () => {
    const payload: Payload = { ...COMMON, ...TOOL, hook_event_name: "PostToolUse", tool_error: "broke" };
    expect(auggie.hookEvents[auggie.hookEventOf(payload) ?? ""]?.as).toBe("tool:error");
    expect(decoded(auggie, payload).data).toMatchObject({ error: "broke", tool_args: { command: "rm a" } });
    expect(reply(auggie, payload, SAID.context)).toEqual(
      specific("PostToolUse", { decision: "block", reason: "know this" }),
    );
  });

  it.each([undefined, null, ""])("a tool whose error is %j has succeeded", (tool_error) => {
    const payload: Payload = { ...COMMON, ...TOOL, hook_event_name: "PostToolUse", tool_output: "ok", tool_error };
    expect(auggie.hookEventOf(payload)).toBe("PostToolUse");
    expect(decoded(auggie, payload).data).toMatchObject({ tool_result: "ok" });
    expect(decoded(auggie, payload).data).not.toHaveProperty("error");
  });

  it("the prompt is where hooks look for it", () => {
    const payload: Payload = { ...COMMON, hook_event_name: "PromptSubmit", user_prompt: "hello" };
    expect(decoded(auggie, payload).data.prompt).toBe("hello");
  });

  it("a gate without a tool cannot be read", () => {
    expect(() => decoded(auggie, { ...COMMON, hook_event_name: "PreToolUse" })).toThrow(Unreadable);
  });

  it("gets its time in milliseconds, a script to run, and is asked for the prompt", () => {
    const { recipe } = auggie;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    expect(recipe.script).toMatch(/\.sh$/);
    expect(recipe.entry({ hookEvent: "PromptSubmit", command: "/s.sh", seconds: 9, gate: true })).toEqual({
      at: ["hooks", "PromptSubmit"],
      value: {
        hooks: [{ type: "command", command: "/s.sh", timeout: 9000 }],
        metadata: { includeConversationData: true },
      },
    });
  });
});

function specific(hookEventName: string, more: object): Reply {
  return { stdout: { hookSpecificOutput: { hookEventName, ...more } } };
}
