import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { aggregate } from "./aggregate.ts";
import { HookBlockedError, ToolDeniedError } from "./blocked.ts";
import { refused } from "./decision.ts";
import type { Action, HookResult } from "./result.ts";

const hook = Hook.fromJSON({ name: "guard", event: "*", command: "true" });
const ran = { success: false, timedOut: false, exitCode: 1, stdout: "", stderr: "", duration: 0, durationMs: 0 };
const said = (action: Action, reason?: string): HookResult => ({ hook, action, reason, shouldContinue: false, ...ran });
const broke = (action: Action, reason: string): HookResult => ({
  ...said(action, reason),
  failure: { why: "exited", exitCode: 1 },
});
const bash: HookEvent = HookEvent.toolPreExecute("bash", {});
const decide = (results: HookResult[], event = bash) => aggregate({ event, results });

describe("a blocked operation says what, by whom and in whose words", () => {
  const start = new HookEvent({ type: "session:stop" });
  const rows: [results: HookResult[], event: HookEvent, message: string][] = [
    [[said("deny", "Blocked: sudo")], bash, 'bash blocked by hook "guard": Blocked: sudo'],
    [[said("deny", "one"), said("deny", "two")], bash, 'bash blocked by hook "guard":\n- guard: one\n- guard: two'],
    [[said("deny")], bash, 'bash blocked by hook "guard"'],
    [[said("deny", "work left")], start, 'session:stop blocked by hook "guard": work left'],
    [[said("ask", "sure?")], bash, "bash needs approval: sure?"],
    [[said("ask")], bash, "bash needs approval"],
  ];
  test.each(rows)("%#", (results, event, message) => {
    const error = new HookBlockedError(decide(results, event));
    expect(error.message).toBe(message);
    expect(error.name).toBe("HookBlockedError");
    expect(error).toBeInstanceOf(Error);
  });

  test("it carries the result that blocked, and the decision", () => {
    const results = [said("continue"), said("ask", "sure?"), said("deny", "no")];
    const decision = decide(results);
    const error = new HookBlockedError(decision);
    expect(error.result).toBe(results[2]);
    expect(error.decision).toBe(decision);
  });
});

test.each([
  [[said("deny", "Dangerous command")], "Dangerous command"],
  [[said("deny", "one"), said("deny", "two")], "- guard: one\n- guard: two"],
  [[said("deny")], "Tool call denied by hook"],
  [[said("deny", "")], "Tool call denied by hook"],
  [[said("deny", 'hook "guard" exited with code 1')], "Tool call denied by hook"],
  [[said("deny", 'hook "guard" exited with code 1'), said("deny", "two")], "two"],
  [
    [said("deny", 'hook "guard" exited with code 1. Do instead: ls')],
    'hook "guard" exited with code 1. Do instead: ls',
  ],
  [[broke("deny", 'hook "guard" exited with code 1')], 'hook "guard" exited with code 1'],
])("a denied tool call says the reason alone", (results, message) => {
  const error = new ToolDeniedError(decide(results));
  expect(error.message).toBe(message);
  expect(error.name).toBe("ToolDeniedError");
  expect(error).toBeInstanceOf(HookBlockedError);
  expect(error.result?.action).toBe("deny");
});

test("a host's own refusal denies in every reading", () => {
  const changed = { value: { command: "pwd" } };
  const open = aggregate({ event: bash, results: [said("modify", "rewritten")], changed });
  const decision = refused(open, "permission denied for bash", "DESTRUCTIVE_BLOCKED");
  expect(decision).toMatchObject({ action: "deny", reasons: ["permission denied for bash"], approved: false });
  expect("input" in decision).toBe(false);
  expect(decision.toHookDecision()).toEqual({
    allow: false,
    code: "DESTRUCTIVE_BLOCKED",
    reason: "permission denied for bash",
  });
  expect(new HookBlockedError(decision).message).toBe("bash blocked: permission denied for bash");
  expect(open.action).toBe("modify");
});
