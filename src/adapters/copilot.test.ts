import { describe, expect, it } from "vitest";
import { decoded, modify, output, recorded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { copilot } from "./copilot.ts";
import { type Payload, Unreadable } from "./payload.ts";

const RECORDED = recorded("copilot");
const pre = RECORDED.preToolUse ?? {};
const COMMON = { sessionId: "s", timestamp: 1_794_702_954_660, cwd: "/w" };
const DESCRIBED: Readonly<Record<string, Payload>> = {
  postToolUseFailure: { ...COMMON, toolName: "bash", toolArgs: { command: "ls" }, error: "broke" },
  userPromptTransformed: { ...COMMON, prompt: "/x", transformedPrompt: "do x" },
  subagentStart: { ...COMMON, transcriptPath: "/t", agentName: "explore" },
  subagentStop: { ...COMMON, agentId: "a", agentType: "explore", agentName: "explore", response: "done" },
  preCompact: { ...COMMON, transcriptPath: "/t", trigger: "auto", customInstructions: "" },
  errorOccurred: { ...COMMON, error: { message: "boom", name: "Oops" }, errorContext: "system", recoverable: true },
  notification: { ...COMMON, message: "hi", notification_type: "idle" },
};
const PAYLOADS: Readonly<Record<string, Payload>> = {
  ...RECORDED,
  ...DESCRIBED,
  sessionStart: RECORDED["sessionStart.new"] ?? {},
};
const BLOCK = { stdout: { decision: "block", reason: "no" }, stderr: "no" };
const LIMITS = { stdout: { additionalContext: "know this" } };
const DENY = { permissionDecision: "deny", permissionDecisionReason: "no" };

const TABLE: readonly (readonly [hookEvent: string, outcome: FittedDecision, reply: Reply])[] = [
  ["preToolUse", SAID.nothing, {}],
  ["preToolUse", SAID.context, {}],
  ["preToolUse", SAID.deny, { stdout: DENY, stderr: "no" }],
  ["preToolUse", SAID.ask, { stdout: { permissionDecision: "ask", permissionDecisionReason: "sure?" } }],
  ["preToolUse", SAID.approve, { stdout: { permissionDecision: "allow" } }],
  ["preToolUse", modify({ command: "ls" }), { stdout: { modifiedArgs: { command: "ls" } } }],
  [
    "preToolUse",
    { ...SAID.ask, input: { command: "ls" } },
    { stdout: { permissionDecision: "ask", permissionDecisionReason: "sure?", modifiedArgs: { command: "ls" } } },
  ],
  ["permissionRequest", SAID.nothing, {}],
  ["permissionRequest", SAID.ask, {}],
  ["permissionRequest", SAID.approve, { stdout: { behavior: "allow" } }],
  ["permissionRequest", SAID.deny, { stdout: { behavior: "deny", message: "no" }, stderr: "no" }],
  ["postToolUse", SAID.context, LIMITS],
  ["postToolUse", output("short"), result("short")],
  ["postToolUse", output({ resultType: "success", textResultForLlm: "own" }), result("own")],
  ["postToolUseFailure", SAID.context, LIMITS],
  ["sessionStart", SAID.context, LIMITS],
  ["notification", SAID.context, LIMITS],
  ["userPromptSubmitted", SAID.deny, {}],
  ["userPromptTransformed", SAID.deny, {}],
  ["agentStop", SAID.deny, BLOCK],
  ["agentStop", SAID.nothing, {}],
  ["subagentStop", SAID.deny, BLOCK],
  ["subagentStart", SAID.deny, { stdout: { additionalContext: "Stop at once and do nothing: no" }, stderr: "no" }],
  ["preCompact", SAID.deny, {}],
  ["errorOccurred", SAID.context, {}],
  ["sessionEnd", SAID.context, {}],
];

describe("Copilot", () => {
  it.each(TABLE)("is answered at %s: %j", (hookEvent, outcome, wanted) => {
    const payload = PAYLOADS[hookEvent] ?? {};
    expect(copilot.hookEventOf(payload)).toBe(hookEvent);
    expect(reply(copilot, payload, outcome)).toEqual(wanted);
  });

  it("has a row in this table for every hook event that it is asked for", () => {
    const asked = Object.entries(copilot.hookEvents).filter(([, { installed }]) => installed !== "never");
    expect(new Set(TABLE.map(([hookEvent]) => hookEvent))).toEqual(new Set(asked.map(([name]) => name)));
  });

  it.each(Object.entries(RECORDED))("%s is read with its session, folder and time", (_, payload) => {
    const { sessionId, cwd, timestamp } = decoded(copilot, payload);
    expect({ sessionId, cwd }).toEqual({ sessionId: payload.sessionId, cwd: payload.cwd });
    expect(timestamp).toBe(Number(payload.timestamp) / 1000);
  });

  it.each(["preToolUse", "permissionRequest", "postToolUse"])("the shell call of %s carries its text", (hookEvent) => {
    expect(decoded(copilot, RECORDED[hookEvent] ?? {})).toMatchObject({
      toolName: "bash",
      data: { tool_args: { command: expect.stringContaining("echo hi") } },
    });
  });

  it("an input that comes as text is read all the same", () => {
    const payload = { ...pre, toolArgs: '{"command":"ls"}' };
    expect(decoded(copilot, payload).data.tool_args).toEqual({ command: "ls" });
  });

  it("a result, a failure and an error are where hooks look for them", () => {
    expect(decoded(copilot, RECORDED.postToolUse ?? {}).data.tool_result).toMatchObject({ resultType: "success" });
    expect(decoded(copilot, DESCRIBED.postToolUseFailure ?? {}).data.error).toBe("broke");
    expect(decoded(copilot, DESCRIBED.errorOccurred ?? {}).data).toMatchObject({
      error_type: "Oops",
      error_message: "boom",
    });
  });

  it("a gate without a tool cannot be read", () => {
    const { toolName: _, ...payload } = pre;
    expect(() => copilot.hookEvents.preToolUse?.decode(payload)).toThrow(Unreadable);
  });

  it("its file names every hook event on the command line, with the time in seconds", () => {
    const { recipe } = copilot;
    if (recipe?.kind !== "files") throw new Error("a file is expected");
    expect(recipe.statesHookEvent).toBe(true);
    const line = "c run --moment preToolUse";
    const wanted = { hookEvent: "preToolUse", command: `${line} || exit 2`, windows: line, seconds: 9, gate: true };
    const [file] = recipe.files("user", [wanted], []);
    expect(file?.path).toBe(".copilot/hooks/sluice.json");
    expect(JSON.parse(file?.text ?? "")).toEqual({
      version: 1,
      hooks: {
        preToolUse: [
          {
            type: "command",
            bash: "c run --moment preToolUse || exit 2",
            powershell: "& c run --moment preToolUse",
            timeoutSec: 9,
          },
        ],
      },
    });
  });
});

describe("Copilot's hooks, run by an editor or under their other names", () => {
  const payload: Payload = {
    hook_event_name: "PreToolUse",
    session_id: "s",
    timestamp: "2026-08-21T00:00:00.000Z",
    cwd: "/w",
    tool_name: "Bash",
    tool_input: { command: "rm a" },
  };

  it.each(["preToolUse", "PreToolUse"])("are read at %s", (name) => {
    expect(copilot.hookEvents[name]?.decode(payload)).toMatchObject({
      toolName: "Bash",
      sessionId: "s",
      cwd: "/w",
      timestamp: Date.parse("2026-08-21T00:00:00.000Z") / 1000,
      data: { tool_args: { command: "rm a" } },
    });
  });

  const EDITOR: readonly (readonly [hookEvent: string, outcome: FittedDecision, reply: Reply])[] = [
    ["PreToolUse", SAID.nothing, {}],
    ["PreToolUse", SAID.deny, both("PreToolUse", DENY, DENY, "no")],
    [
      "PreToolUse",
      modify({ command: "ls" }),
      both("PreToolUse", { modifiedArgs: { command: "ls" } }, { updatedInput: { command: "ls" } }),
    ],
    ["Stop", SAID.deny, both("Stop", BLOCK.stdout, BLOCK.stdout, "no")],
    ["PostToolUse", SAID.context, both("PostToolUse", LIMITS.stdout, LIMITS.stdout)],
    ["UserPromptSubmit", SAID.deny, { exitCode: 2, stderr: "no" }],
  ];

  it.each(EDITOR)("are answered at %s in both spellings: %j", (name, outcome, wanted) => {
    expect(reply(copilot, { ...payload, hook_event_name: name }, outcome)).toEqual(wanted);
  });

  it("a change of another shape is denied, because the editor would ignore it", () => {
    expect(reply(copilot, payload, modify({ line: "ls" })).stdout).toMatchObject({ permissionDecision: "deny" });
  });
});

function result(textResultForLlm: string): Reply {
  return { stdout: { modifiedResult: { resultType: "success", textResultForLlm } } };
}

function both(hookEventName: string, own: object, editors: object, stderr?: string): Reply {
  const stdout = { ...own, hookSpecificOutput: { hookEventName, ...editors } };
  return { stdout, ...(stderr === undefined ? {} : { stderr }) };
}
