import { describe, expect, it } from "vitest";
import { decoded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { kiro } from "./kiro.ts";
import { type Payload, Unreadable } from "./payload.ts";

const shell = { tool_name: "execute_bash", tool_input: { command: "rm -rf build" } };
const done = { ...shell, tool_response: { success: true, result: ["ok"] } };
const failed = { ...shell, tool_response: { success: false, result: "exit 1" } };
const shut: Reply = { exitCode: 2, stderr: "no" };
const text: Reply = { stdout: "know this" };

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, answer: Reply])[] = [
  ...["SessionStart", "agentSpawn"].flatMap((name): (readonly [Payload, FittedDecision, Reply])[] => [
    [payload(name), SAID.nothing, {}],
    [payload(name), SAID.context, text],
  ]),
  ...["UserPromptSubmit", "userPromptSubmit"].flatMap((name): (readonly [Payload, FittedDecision, Reply])[] => [
    [payload(name, { prompt: "do" }), SAID.nothing, {}],
    [payload(name, { prompt: "do" }), SAID.context, text],
    [payload(name, { prompt: "do" }), SAID.deny, shut],
  ]),
  ...["PreToolUse", "preToolUse"].flatMap((name): (readonly [Payload, FittedDecision, Reply])[] => [
    [payload(name, shell), SAID.nothing, {}],
    [payload(name, shell), SAID.approve, {}],
    [payload(name, shell), SAID.context, {}],
    [payload(name, shell), SAID.deny, shut],
    [payload(name, shell), { ...SAID.deny, context: "w" }, { exitCode: 2, stderr: "no\n\nw" }],
  ]),
  ...["PostToolUse", "postToolUse"].flatMap((name): (readonly [Payload, FittedDecision, Reply])[] => [
    [payload(name, done), SAID.context, {}],
    [payload(name, failed), SAID.context, {}],
  ]),
  ...["Stop", "stop", "PostFileSave", "PostFileCreate", "PostFileDelete", "PreTaskExec", "PostTaskExec"].map(
    (name): readonly [Payload, FittedDecision, Reply] => [payload(name), SAID.deny, {}],
  ),
];

describe("Kiro", () => {
  it.each(TABLE)("reads exit codes and plain text, never JSON: %j, %j", (sent, outcome, answer) => {
    expect(reply(kiro, sent, outcome)).toEqual(answer);
  });

  it("no hook event is left without a row of this test", () => {
    const tried = new Set(TABLE.map(([sent]) => kiro.hookEventOf(sent)));
    expect(Object.keys(kiro.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  it("only tools can be stopped", () => {
    const stops = Object.entries(kiro.hookEvents).filter(([, { can }]) => can.includes("deny"));
    expect(stops.map(([name]) => name)).toEqual(["PreToolUse", "preToolUse"]);
  });

  it("a shell call carries its text, an MCP tool its server", () => {
    expect(decoded(kiro, payload("preToolUse", shell))).toMatchObject({
      toolName: "execute_bash",
      cwd: "/w",
      data: { tool_args: { command: "rm -rf build" } },
    });
    expect(decoded(kiro, payload("PreToolUse", { tool_name: "@git/status" })).toolName).toBe("mcp__git__status");
  });

  it("a result without success is a failed tool", () => {
    const sent = payload("PostToolUse", failed);
    expect(kiro.hookEvents[kiro.hookEventOf(sent) ?? ""]?.as).toBe("tool:error");
    expect(decoded(kiro, sent).data.error).toBe("exit 1");
  });

  it.each(["PreToolUse", "preToolUse"])("%s without a tool cannot be read", (name) => {
    expect(() => decoded(kiro, payload(name))).toThrow(Unreadable);
  });

  it.each([
    [payload("agentSpawn"), true],
    [payload("preToolUse", shell), true],
    [payload("PreToolUse", shell), true],
    [payload("PreToolUse", { tool_name: "@git/status" }), true],
    [payload("SessionStart"), true],
    [payload("PostFileSave"), true],
    [payload("PreToolUse", { tool_name: "Bash" }), false],
    [payload("PreToolUse", { tool_name: "mcp__git__status" }), false],
    [payload("PreToolUse", { ...shell, session_id: "s" }), false],
    [{ hook_event_name: "UserPromptSubmit", prompt: "do" }, false],
    [payload("SubagentStop"), false],
  ])("is known by its own names, or by tools of its own without a session: %j is %s", (sent, is) => {
    expect(kiro.recognises(sent)).toBe(is);
  });

  it("gets a file of its own, in seconds", () => {
    const { recipe } = kiro;
    if (recipe?.kind !== "files") throw new Error("files are expected");
    const [file] = recipe.files("project", [{ hookEvent: "PreToolUse", command: "c", seconds: 9, gate: true }], []);
    expect(file?.path).toBe(".kiro/hooks/sluice.json");
    expect(JSON.parse(file?.text ?? "")).toEqual({
      version: "v1",
      hooks: [
        {
          name: "sluice-PreToolUse",
          trigger: "PreToolUse",
          action: { type: "command", command: "c" },
          timeout: 9,
          enabled: true,
        },
      ],
    });
  });
});

function payload(name: string, more: object = {}): Payload {
  return { hook_event_name: name, cwd: "/w", ...more };
}
