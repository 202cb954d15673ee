import { describe, expect, it } from "vitest";
import { decoded, modify, output, recorded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { geminiCli } from "./gemini-cli.ts";
import { type Payload, Unreadable } from "./payload.ts";

const RECORDED = recorded("gemini-cli");
const shell = named("BeforeTool.run_shell_command");
const after = named("AfterTool.run_shell_command");
const request = Object(named("BeforeModel").llm_request);
const notification: Payload = { ...shell, hook_event_name: "Notification", message: "may I?" };

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
  [shell, SAID.nothing, undefined],
  [shell, SAID.approve, undefined],
  [shell, SAID.context, { systemMessage: "know this" }],
  [shell, SAID.deny, { decision: "deny", reason: "no" }],
  [shell, { ...SAID.deny, context: "w" }, { decision: "deny", reason: "no\n\nw" }],
  [shell, SAID.ask, { decision: "ask", reason: "sure?", systemMessage: "sure?" }],
  [
    shell,
    { ...SAID.ask, input: { command: "ls" } },
    {
      decision: "ask",
      reason: "sure?",
      systemMessage: "sure?",
      ...specific("BeforeTool", { tool_input: { command: "ls" } }),
    },
  ],
  [
    shell,
    modify({ command: "ls", description: "w" }),
    specific("BeforeTool", { tool_input: { command: "ls", description: "w" } }),
  ],
  [after, SAID.nothing, undefined],
  [after, SAID.context, specific("AfterTool", { additionalContext: "know this" })],
  [after, output("short"), { decision: "deny", reason: "short" }],
  [after, output(""), { decision: "deny", reason: "(empty)" }],
  [after, output({ llmContent: "less", returnDisplay: "x" }), { decision: "deny", reason: "less" }],
  [
    after,
    output({ a: 1 }, "w"),
    { decision: "deny", reason: '{"a":1}', ...specific("AfterTool", { additionalContext: "w" }) },
  ],
  [named("AfterTool.read_file"), SAID.context, specific("AfterTool", { additionalContext: "know this" })],
  [named("BeforeAgent"), SAID.deny, { decision: "deny", reason: "no" }],
  [named("BeforeAgent"), SAID.context, specific("BeforeAgent", { additionalContext: "know this" })],
  [named("BeforeAgent"), SAID.nothing, undefined],
  [named("AfterAgent"), SAID.deny, { decision: "deny", reason: "no" }],
  [named("AfterAgent"), SAID.context, { systemMessage: "know this" }],
  [named("AfterAgent"), SAID.nothing, undefined],
  [named("BeforeModel"), SAID.deny, { decision: "deny", reason: "no" }],
  [named("BeforeModel"), SAID.nothing, undefined],
  [
    named("BeforeModel"),
    modify({ llm_model: "gemini-2.5-flash", llm_request: request }),
    specific("BeforeModel", { llm_request: { ...request, model: "gemini-2.5-flash" } }),
  ],
  [
    named("BeforeModel"),
    modify({ llm_model: "gemini-2.5-pro", llm_request: { ...request, messages: [] } }),
    specific("BeforeModel", { llm_request: { ...request, messages: [] } }),
  ],
  [
    named("AfterModel"),
    output({ llm_response: { text: "x" } }),
    specific("AfterModel", { llm_response: { text: "x" } }),
  ],
  [named("AfterModel"), SAID.context, undefined],
  [named("BeforeToolSelection"), SAID.context, undefined],
  [named("SessionStart.startup"), SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  [named("SessionEnd.exit"), SAID.context, undefined],
  [named("PreCompress.auto"), SAID.deny, undefined],
  [notification, SAID.context, undefined],
];

describe("Gemini CLI", () => {
  it.each(TABLE)("is answered on the top level, with exit code 0: %j, %j", (payload, outcome, stdout) => {
    const answer = reply(geminiCli, payload, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(0);
  });

  it("a denial is told on standard error too, so that it is never without words", () => {
    expect(reply(geminiCli, shell, SAID.deny).stderr).toBe("no");
  });

  it.each(Object.entries(RECORDED))("%s is read with its session, folder and time", (_, payload) => {
    const { sessionId, cwd, timestamp } = decoded(geminiCli, payload);
    expect({ sessionId, cwd }).toEqual({ sessionId: payload.session_id, cwd: payload.cwd });
    expect(timestamp).toBe(Date.parse(String(payload.timestamp)) / 1000);
  });

  it("a shell call carries its text", () => {
    const { toolName, data } = decoded(geminiCli, shell);
    expect(toolName).toBe("run_shell_command");
    expect(data.tool_args).toMatchObject({ command: expect.stringContaining("echo hi") });
  });

  it("a result with an error is a failed tool", () => {
    const failed = named("AfterTool.read_file");
    expect(geminiCli.hookEvents[geminiCli.hookEventOf(failed) ?? ""]?.as).toBe("tool:error");
    expect(decoded(geminiCli, failed).data.error).toBe("File not found: /home/dev/project/nope.txt");
    expect(geminiCli.hookEvents[geminiCli.hookEventOf(after) ?? ""]?.as).toBe("tool:post_execute");
  });

  it("an answer of the model tells the model and its tokens", () => {
    expect(decoded(geminiCli, named("AfterModel")).data).toMatchObject({
      llm_model: "gemini-2.5-pro",
      llm_tokens: 110,
    });
  });

  it("a gate without a tool cannot be read", () => {
    const { tool_name: _, ...payload } = shell;
    expect(() => decoded(geminiCli, payload)).toThrow(Unreadable);
  });

  it("is told milliseconds, and only of costly hook events that are heard", () => {
    const { recipe, hookEvents } = geminiCli;
    if (recipe?.kind !== "entries") throw new Error("entries are expected");
    expect(recipe.entry({ hookEvent: "BeforeTool", command: "c", seconds: 9, gate: true })).toEqual({
      at: ["hooks", "BeforeTool"],
      value: { hooks: [{ type: "command", command: "c", name: "sluice", timeout: 9000 }] },
    });
    for (const name of ["BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"])
      expect(hookEvents[name]?.installed).toBe("if matched");
    expect(hookEvents["AfterTool.error"]?.installed).toBe("never");
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
