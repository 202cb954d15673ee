import { describe, expect, it } from "vitest";
import { decoded, modify, recorded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { fitDecision } from "./fit.ts";
import { type Payload, Unreadable } from "./payload.ts";
import { qwenCode } from "./qwen-code.ts";

const RECORDED = recorded("qwen-code");
const shell = RECORDED["PreToolUse.run_shell_command"] ?? {};

const TABLE: readonly (readonly [hookEvent: string, outcome: FittedDecision, stdout: unknown])[] = [
  ["PreToolUse", SAID.nothing, undefined],
  ["PreToolUse", SAID.deny, specific("PreToolUse", verdict("deny", "no"))],
  ["PreToolUse", SAID.ask, specific("PreToolUse", verdict("ask", "sure?"))],
  ["PreToolUse", SAID.approve, specific("PreToolUse", { permissionDecision: "allow" })],
  ["PreToolUse", SAID.context, undefined],
  ["PermissionRequest", SAID.deny, specific("PermissionRequest", { decision: { behavior: "deny", message: "no" } })],
  ["PermissionRequest", SAID.ask, undefined],
  ["PermissionRequest", SAID.approve, specific("PermissionRequest", { decision: { behavior: "allow" } })],
  ["PostToolUse", SAID.context, specific("PostToolUse", { additionalContext: "know this" })],
  ["PostToolUseFailure", SAID.context, specific("PostToolUseFailure", { additionalContext: "know this" })],
  ["PostToolBatch", SAID.deny, { decision: "block", reason: "no" }],
  ["UserPromptSubmit", SAID.deny, { decision: "block", reason: "no" }],
  ["UserPromptSubmit", SAID.context, specific("UserPromptSubmit", { additionalContext: "know this" })],
  ["UserPromptExpansion", SAID.deny, { decision: "block", reason: "no" }],
  ["SessionStart", SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  ["Stop", SAID.deny, { decision: "block", reason: "no" }],
  ["Stop", SAID.nothing, undefined],
  ["SubagentStart", SAID.deny, specific("SubagentStart", { additionalContext: "Stop at once and do nothing: no" })],
  ["SubagentStop", SAID.deny, { decision: "block", reason: "no" }],
  ["TodoCreated", SAID.deny, { decision: "block", reason: "no" }],
  ["TodoCompleted", SAID.deny, { decision: "block", reason: "no" }],
  ["Notification", SAID.context, { systemMessage: "know this" }],
  ["StopFailure", SAID.context, undefined],
  ["PermissionDenied", SAID.context, undefined],
  ["PostCompact", SAID.context, undefined],
  ["InstructionsLoaded", SAID.context, undefined],
  ["MessageDisplay", SAID.context, undefined],
  ["SessionDelete", SAID.context, undefined],
  ["SessionEnd", SAID.context, undefined],
];

describe("Qwen Code", () => {
  it.each(TABLE)("is answered at %s: %j", (hookEvent, outcome, stdout) => {
    const answer = reply(qwenCode, { ...shell, hook_event_name: hookEvent }, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(0);
  });

  it("every denial has words on standard error", () => {
    for (const hookEvent of Object.keys(qwenCode.hookEvents)) {
      const { exitCode = 0, stderr = "" } = reply(qwenCode, { ...shell, hook_event_name: hookEvent }, SAID.deny);
      expect(exitCode === 0 || stderr !== "", hookEvent).toBe(true);
    }
  });

  it("a changed input becomes a denial, because it would be ignored", () => {
    const decision = { ...modify({ command: "ls" }), reasons: ["safer"], contexts: [], results: [] };
    const hookEvent = qwenCode.hookEvents.PreToolUse;
    if (hookEvent === undefined) throw new Error("PreToolUse is missing");
    const { outcome, notes } = fitDecision(decision as never, hookEvent, "Qwen Code");
    expect(outcome.action).toBe("deny");
    expect(notes).toEqual(["modify became deny: Qwen Code cannot take another input at tool:pre_execute"]);
  });

  it.each(Object.entries(RECORDED))("%s is read with its session, folder and time", (_, payload) => {
    const { sessionId, cwd, timestamp, data } = decoded(qwenCode, payload);
    expect({ sessionId, cwd }).toEqual({ sessionId: payload.session_id, cwd: payload.cwd });
    expect(timestamp).toBe(Date.parse(String(payload.timestamp)) / 1000);
    expect(data).not.toHaveProperty("timestamp");
  });

  it("a shell call carries its text, a failed tool its error", () => {
    expect(decoded(qwenCode, shell)).toMatchObject({
      toolName: "run_shell_command",
      data: { tool_args: { command: expect.stringContaining("echo hi") } },
    });
    expect(decoded(qwenCode, RECORDED["PostToolUseFailure.read_file"] ?? {}).data.error).toContain("File not found");
  });

  it("a gate without a tool cannot be read", () => {
    const { tool_name: _, ...payload } = shell;
    expect(() => decoded(qwenCode, payload)).toThrow(Unreadable);
  });

  it("gets its time in milliseconds", () => {
    const { recipe } = qwenCode;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    expect(recipe.entry({ hookEvent: "Stop", command: "c", seconds: 9, gate: true }).value).toEqual({
      hooks: [{ type: "command", command: "c", timeout: 9000 }],
    });
  });
});

function specific(hookEventName: string, more: Payload) {
  return { hookSpecificOutput: { hookEventName, ...more } };
}

function verdict(permissionDecision: string, permissionDecisionReason: string): Payload {
  return { permissionDecision, permissionDecisionReason };
}
