import { describe, expect, it } from "vitest";
import { decoded, modify, output, recorded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { codex } from "./codex.ts";
import { type Payload, Unreadable } from "./payload.ts";

const RECORDED = recorded("codex");
const bash = named("PreToolUse.Bash");
const permission = { ...bash, hook_event_name: "PermissionRequest" };
const interrupt = { ...bash, hook_event_name: "Interrupt" };
const denied = (more = {}) => specific("PreToolUse", { permissionDecision: "deny", ...more });

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
  [bash, SAID.nothing, undefined],
  [bash, SAID.deny, denied({ permissionDecisionReason: "no" })],
  [bash, { ...SAID.deny, context: "w" }, denied({ permissionDecisionReason: "no", additionalContext: "w" })],
  [bash, SAID.context, specific("PreToolUse", { additionalContext: "know this" })],
  [bash, SAID.approve, undefined],
  [
    bash,
    modify({ command: "ls" }),
    specific("PreToolUse", { permissionDecision: "allow", updatedInput: { command: "ls" } }),
  ],
  [
    bash,
    modify({ line: "ls" }),
    denied({ permissionDecisionReason: "safer (Codex accepts no other input without `command`)" }),
  ],
  [
    named("PreToolUse.spawn_agent"),
    modify({ message: "less" }),
    specific("PreToolUse", { permissionDecision: "allow", updatedInput: { message: "less" } }),
  ],
  [permission, SAID.nothing, undefined],
  [permission, SAID.ask, undefined],
  [permission, SAID.approve, specific("PermissionRequest", { decision: { behavior: "allow" } })],
  [permission, SAID.deny, specific("PermissionRequest", { decision: { behavior: "deny", message: "no" } })],
  [named("PostToolUse.Bash"), SAID.nothing, undefined],
  [named("PostToolUse.Bash"), SAID.context, specific("PostToolUse", { additionalContext: "know this" })],
  [named("PostToolUse.Bash"), output("short"), { decision: "block", reason: "short" }],
  [named("PostToolUse.Bash"), output(""), { decision: "block", reason: "(empty)" }],
  [
    named("PostToolUse.Bash"),
    output({ a: 1 }, "w"),
    { decision: "block", reason: '{"a":1}', ...specific("PostToolUse", { additionalContext: "w" }) },
  ],
  [named("UserPromptSubmit"), SAID.deny, { decision: "block", reason: "no" }],
  [named("UserPromptSubmit"), SAID.context, specific("UserPromptSubmit", { additionalContext: "know this" })],
  [named("SessionStart.startup"), SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  [named("Stop"), SAID.nothing, {}],
  [named("Stop"), SAID.deny, { decision: "block", reason: "no" }],
  [named("SubagentStop"), SAID.deny, { decision: "block", reason: "no" }],
  [
    named("SubagentStart"),
    SAID.deny,
    specific("SubagentStart", { additionalContext: "Stop at once and do nothing: no" }),
  ],
  [named("PreCompact.auto"), SAID.deny, { continue: false, stopReason: "no" }],
  [named("PreCompact.auto"), SAID.nothing, undefined],
  [named("PostCompact.auto"), SAID.context, { systemMessage: "know this" }],
  [interrupt, SAID.context, { systemMessage: "know this" }],
  [named("PreModelRequest"), SAID.deny, undefined],
  [named("SessionEnd.other"), SAID.context, undefined],
];

describe("Codex", () => {
  it.each(TABLE)("is answered only what its schema knows: %j, %j", (payload, outcome, stdout) => {
    const answer = reply(codex, payload, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(0);
  });

  it.each(Object.entries(RECORDED))("%s is read with its session and folder", (_, payload) => {
    const { sessionId, cwd } = decoded(codex, payload);
    expect({ sessionId, cwd }).toEqual({ sessionId: payload.session_id, cwd: payload.cwd });
  });

  it("a shell call carries its text, and a result is the tool's own", () => {
    const { toolName, data } = decoded(codex, named("PostToolUse.Bash"));
    expect(toolName).toBe("Bash");
    expect(data).toMatchObject({ tool_args: { command: "echo second" }, tool_result: "second\n" });
  });

  it("a patch stays a patch", () => {
    const { toolName, data } = decoded(codex, named("PreToolUse.apply_patch"));
    expect(toolName).toBe("apply_patch");
    expect(data.tool_args).toEqual({ command: expect.stringContaining("*** Add File: p.txt") });
  });

  it("a gate without a tool cannot be read", () => {
    const { tool_name: _, ...payload } = bash;
    expect(() => decoded(codex, payload)).toThrow(Unreadable);
  });

  it("asks for a review of its hooks, in seconds and without a matcher", () => {
    const recipe = codex.recipe;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    expect(recipe.entry({ hookEvent: "PreToolUse", command: "c", seconds: 9, gate: true })).toEqual({
      at: ["hooks", "PreToolUse"],
      value: { hooks: [{ type: "command", command: "c", timeout: 9 }] },
    });
    expect(recipe.afterwards?.user).toContain("/hooks");
    expect(codex.hookEvents.SessionEnd?.seconds).toBe(3);
  });
});

function named(name: string): Payload {
  const payload = RECORDED[name];
  if (payload === undefined) throw new Error(`${name} was not recorded`);
  return payload;
}

function specific(hookEventName: string, more: object) {
  return { hookSpecificOutput: { hookEventName, ...more } };
}
