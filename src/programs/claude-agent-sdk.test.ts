import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answers, denies, hooked } from "../../tests/programs/hooked.ts";
import { type ClaudeHookEvent, type ClaudeHookOutput, claudeAgentHooks } from "./claude-agent-sdk.ts";
import type { Hooks } from "./hooks.ts";

const DENY = (event: string) => denies(event, "not today");
const ASK = (event: string) => answers(event, { action: "ask", reason: "really?" });
const CONTEXT = (event: string) => answers(event, { context: "tabs, not spaces" });
const MODIFY = (event: string, modified_data: object) => answers(event, { action: "modify", modified_data });
const ALLOW = (event: string) => answers(event, { action: "allow" });

describe("the hooks option of the Claude Agent SDK", () => {
  it("has one callback for every hook event, and its gates stay shut when a callback fails", () => {
    const option = claudeAgentHooks(hooked([]).hooks);
    expect(Object.keys(option).sort()).toEqual(
      [
        ...[
          "PreToolUse",
          "PostToolUse",
          "PostToolUseFailure",
          "UserPromptSubmit",
          "SessionStart",
          "SessionEnd",
          "Stop",
        ],
        ...["SubagentStart", "SubagentStop", "PreCompact", "Notification", "PermissionRequest"],
      ].sort(),
    );
    expect(option.PreToolUse).toEqual([{ hooks: [expect.any(Function)], timeout: 120, onFailure: "block" }]);
    expect(option.PostToolUse).toEqual([{ hooks: [expect.any(Function)], timeout: 120 }]);
    expect(option.UserPromptSubmit[0].timeout).toBe(60);
  });

  it("fits the type that the SDK gives to its option", () => {
    const option: SdkHooksOption = claudeAgentHooks(hooked([]).hooks);
    expect(option.Stop).toHaveLength(1);
  });

  it.each(recordings())("hears %s as %s, and has no opinion of its own", async (file, ...events) => {
    const { hooks, heard } = hooked([]);
    expect(await fire(hooks, file)).toEqual({});
    const { session_id } = recorded(file);
    const raw = expect.objectContaining({ session_id });
    expect(heard).toMatchObject(
      events.map((type) => ({ type, sessionId: session_id, agent: "claude-agent-sdk", raw })),
    );
  });

  it("starts a session at its first prompt, as the SDK says nothing of a new or resumed one, and never again", async () => {
    const { prompts, start, heard } = session([CONTEXT("session:start")]);
    const told = said({ hookEventName: "UserPromptSubmit", additionalContext: "tabs, not spaces" });
    expect(await prompts("a")).toEqual(told);
    expect(await prompts("a")).toEqual({});
    expect(await prompts("b")).toEqual(told);
    await start("c");
    expect(await prompts("c")).toEqual({});
    expect(heard.filter(({ type }) => type === "session:start").map(({ sessionId }) => sessionId)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(heard[0]?.data).not.toHaveProperty("prompt");
  });

  it("keeps the words of the start for the first prompt that passes", async () => {
    const once = { event: "user:prompt_submit", command: "grep -q first && { echo no; exit 1; } || exit 0" };
    const { prompts } = session([CONTEXT("session:start"), once]);
    expect(await prompts("a", "first")).toEqual({ decision: "block", reason: "no" });
    expect(await prompts("a", "second")).toMatchObject(said({ additionalContext: "tabs, not spaces" }));
  });

  it.each(["bypassPermissions", "plan", "dontAsk", "a mode of tomorrow"])(
    "denies what needs approval in the mode %s, in which Claude can drop the question",
    async (permission_mode) => {
      const input = { ...recorded("PreToolUse.Bash"), cwd: process.cwd(), permission_mode };
      const { signal } = new AbortController();
      const [{ hooks }] = claudeAgentHooks(hooked([ASK("tool:pre_execute")]).hooks).PreToolUse;
      expect(await hooks[0](input, undefined, { signal })).toMatchObject(
        said({ permissionDecision: "deny", permissionDecisionReason: "needs approval: really?" }),
      );
    },
  );

  it("hands a tool's input and result to hooks under their own names", async () => {
    const { hooks, heard } = hooked([]);
    await fire(hooks, "PostToolUse.Bash");
    expect(heard[0]).toMatchObject({
      toolName: "Bash",
      data: {
        tool_args: { description: "write x" },
        tool_result: { stdout: "out\nerr" },
        tool_use_id: "toolu_s0_0_1mwh23jt7",
      },
    });
  });

  it.each(sayings())("says it in the SDK's words: %s", async (_, file, specs, answer) => {
    expect(await fire(hooked(specs).hooks, file)).toEqual(answer);
  });

  it("adds words to a notification", async () => {
    const [{ hooks }] = claudeAgentHooks(hooked([CONTEXT("session:notification")]).hooks).Notification;
    const input = { hook_event_name: "Notification", session_id: "s1", cwd: process.cwd(), message: "waiting" };
    expect(await hooks[0](input, undefined, { signal: new AbortController().signal })).toEqual(
      said({ hookEventName: "Notification", additionalContext: "tabs, not spaces" }),
    );
  });

  it("never approves what no user's hook approved", async () => {
    for (const [, file, specs] of sayings()) {
      const said = JSON.stringify(await fire(hooked(specs).hooks, file));
      expect(said).not.toMatch(/"allow"|"approve"/);
    }
  });

  it.each([
    ["PreToolUse.Bash", "tool:pre_execute", { permissionDecision: "allow" }],
    ["PermissionRequest.WebFetch", "permission:check", { decision: { behavior: "allow" } }],
  ])("approves %s where the user's own hook does, and no other objects", async (file, event, specific) => {
    expect((await fire(hooked([ALLOW(event)]).hooks, file)).hookSpecificOutput).toMatchObject(specific);
    const objected = await fire(hooked([ALLOW(event), DENY(event)]).hooks, file);
    expect(JSON.stringify(objected)).not.toContain('"allow"');
  });

  it.each(["PreToolUse.Bash", "PermissionRequest.WebFetch", "UserPromptSubmit", "Stop"])(
    "denies %s when the hooks themselves break, and says so",
    async (file) => {
      const decide = () => Promise.reject(new Error("no disk"));
      expect(JSON.stringify(await fire({ decide }, file))).toMatch(/(deny|block).*the hooks broke: no disk/);
    },
  );

  it("denies when the SDK gives up before every hook has spoken", async () => {
    const { hooks } = hooked([{ event: "tool:pre_execute", command: "sleep 30" }]);
    const said = await fire(hooks, "PreToolUse.Bash", AbortSignal.timeout(100));
    expect(said.hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });
});

/** The SDK's own type, as far as it concerns the hook events heard here. */
type SdkHooksOption = Partial<
  Record<
    ClaudeHookEvent | "PostCompact",
    { matcher?: string; hooks: SdkCallback[]; timeout?: number; onFailure?: "continue" | "block" }[]
  >
>;
type SdkCallback = (
  input: SdkInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<SdkOutput>;
type SdkInput = { session_id: string; transcript_path: string; cwd: string } & (
  | { hook_event_name: "PreToolUse"; tool_name: string; tool_input: unknown }
  | { hook_event_name: "Stop"; stop_hook_active: boolean }
);
type SdkOutput =
  | { async: true }
  | {
      continue?: boolean;
      stopReason?: string;
      systemMessage?: string;
      decision?: "approve" | "block";
      reason?: string;
      hookSpecificOutput?:
        | {
            hookEventName: "PreToolUse";
            permissionDecision?: "allow" | "deny" | "ask" | "defer";
            permissionDecisionReason?: string;
            updatedInput?: Record<string, unknown>;
            additionalContext?: string;
          }
        | {
            hookEventName: "PermissionRequest";
            decision:
              | { behavior: "allow"; updatedInput?: Record<string, unknown> }
              | { behavior: "deny"; message?: string; interrupt?: boolean };
          }
        | { hookEventName: "PostToolUse"; additionalContext?: string; updatedToolOutput?: unknown }
        | { hookEventName: "PostToolUseFailure"; additionalContext?: string }
        | { hookEventName: "UserPromptSubmit"; additionalContext?: string }
        | { hookEventName: "SessionStart"; additionalContext?: string }
        | { hookEventName: "SubagentStart"; additionalContext?: string }
        | { hookEventName: "Notification"; additionalContext?: string };
    };

function recordings(): [file: string, ...events: string[]][] {
  return [
    ["SessionStart.startup", "session:start"],
    ["UserPromptSubmit", "session:start", "user:prompt_submit"],
    ["PreToolUse.Bash", "tool:pre_execute"],
    ["PermissionRequest.WebFetch", "permission:check"],
    ["PostToolUse.Bash", "tool:post_execute"],
    ["PostToolUseFailure.Bash", "tool:error"],
    ["SubagentStart", "subagent:start"],
    ["SubagentStop", "subagent:stop"],
    ["PreCompact.manual", "session:pre_compact"],
    ["Stop", "session:stop"],
    ["SessionEnd.other", "session:end"],
  ];
}

function sayings(): [what: string, file: string, specs: object[], answer: ClaudeHookOutput][] {
  const input = { command: "ls" };
  const preToolUse = (specific: object) => said({ hookEventName: "PreToolUse", ...specific });
  const permission = (decision: object) => said({ hookEventName: "PermissionRequest", decision });
  const context = (hookEventName: ClaudeHookEvent) => said({ hookEventName, additionalContext: "tabs, not spaces" });
  return [
    [
      "a denied call",
      "PreToolUse.Bash",
      [DENY("tool:pre_execute")],
      preToolUse({ permissionDecision: "deny", permissionDecisionReason: "not today" }),
    ],
    [
      "a call that somebody has to be asked about",
      "PreToolUse.Bash",
      [ASK("tool:pre_execute")],
      preToolUse({ permissionDecision: "ask", permissionDecisionReason: "really?" }),
    ],
    [
      "a changed call, which is not approved by that",
      "PreToolUse.Bash",
      [MODIFY("tool:pre_execute", { args: input })],
      preToolUse({ updatedInput: input }),
    ],
    [
      "a changed call that somebody has to be asked about",
      "PreToolUse.Bash",
      [MODIFY("tool:pre_execute", { args: input }), ASK("tool:pre_execute")],
      preToolUse({
        permissionDecision: "ask",
        permissionDecisionReason: "really?",
        updatedInput: input,
      }),
    ],
    ["words before a call", "PreToolUse.Bash", [CONTEXT("tool:pre_execute")], context("PreToolUse")],
    ["words after a call", "PostToolUse.Bash", [CONTEXT("tool:post_execute")], context("PostToolUse")],
    [
      "an objection after the fact",
      "PostToolUse.Bash",
      [DENY("tool:post_execute")],
      { decision: "block", reason: "not today" },
    ],
    [
      "another result",
      "PostToolUse.Bash",
      [MODIFY("tool:post_execute", { result: { stdout: "***" } })],
      said({ hookEventName: "PostToolUse", updatedToolOutput: { stdout: "***" } }),
    ],
    ["words after a failure", "PostToolUseFailure.Bash", [CONTEXT("tool:error")], context("PostToolUseFailure")],
    ["words at the beginning", "SessionStart.startup", [CONTEXT("session:start")], context("SessionStart")],
    ["words with a prompt", "UserPromptSubmit", [CONTEXT("user:prompt_submit")], context("UserPromptSubmit")],
    ["a denied prompt", "UserPromptSubmit", [DENY("user:prompt_submit")], { decision: "block", reason: "not today" }],
    [
      "a prompt where no user can be asked",
      "UserPromptSubmit",
      [ASK("user:prompt_submit")],
      { decision: "block", reason: "needs approval: really?" },
    ],
    [
      "another prompt, which Claude cannot be handed",
      "UserPromptSubmit",
      [MODIFY("user:prompt_submit", { prompt: "hello" })],
      {
        decision: "block",
        reason: expect.stringMatching(/says modify \(.*cannot change here\)\. What a hook wants instead: hello$/),
      },
    ],
    [
      "a denied permission",
      "PermissionRequest.WebFetch",
      [DENY("permission:check")],
      permission({ behavior: "deny", message: "not today" }),
    ],
    [
      "a permission to be asked for, as is about to happen",
      "PermissionRequest.WebFetch",
      [ASK("permission:check")],
      {},
    ],
    [
      "a changed input that only an approval could carry",
      "PermissionRequest.WebFetch",
      [MODIFY("permission:check", { patch: { url: "https://example.com" } })],
      permission({
        behavior: "deny",
        message: expect.stringMatching(/says modify \(a changed input is taken only together with an approval\)$/),
      }),
    ],
    ["work that is not done", "Stop", [DENY("session:stop")], { decision: "block", reason: "not today" }],
    [
      "words at the end, which must not keep the agent working",
      "Stop",
      [CONTEXT("session:stop")],
      { systemMessage: "tabs, not spaces" },
    ],
    [
      "a sub-agent's work that is not done",
      "SubagentStop",
      [DENY("subagent:stop")],
      { decision: "block", reason: "not today" },
    ],
    [
      "no compaction now",
      "PreCompact.manual",
      [DENY("session:pre_compact")],
      { decision: "block", reason: "not today", systemMessage: "not today" },
    ],
    [
      "a sub-agent that should not start",
      "SubagentStart",
      [DENY("subagent:start")],
      {
        continue: false,
        stopReason: "not today",
        ...said({ hookEventName: "SubagentStart", additionalContext: "Stop at once and do nothing: not today" }),
      },
    ],
  ];
}

/** One `hooks` option over several prompts. */
function session(specs: object[]) {
  const { hooks, heard } = hooked(specs);
  const option = claudeAgentHooks(hooks);
  const call = (hookEvent: "UserPromptSubmit" | "SessionStart", session_id: string, more: object) => {
    const input = { hook_event_name: hookEvent, session_id, cwd: process.cwd(), ...more };
    return option[hookEvent][0].hooks[0](input, undefined, { signal: new AbortController().signal });
  };
  const prompts = (id: string, prompt = "hello") => call("UserPromptSubmit", id, { prompt });
  return { heard, prompts, start: (id: string) => call("SessionStart", id, { source: "clear" }) };
}

function said(hookSpecificOutput: object): ClaudeHookOutput {
  return { hookSpecificOutput } as ClaudeHookOutput;
}

function recorded(file: string) {
  return JSON.parse(readFileSync(new URL(`../../fixtures/claude-code/${file}.json`, import.meta.url), "utf8"));
}

function fire(hooks: Hooks, file: string, signal = new AbortController().signal): Promise<ClaudeHookOutput> {
  const [{ hooks: callbacks }] = claudeAgentHooks(hooks)[file.split(".")[0] as ClaudeHookEvent];
  // The folder of the recording is not there.
  return callbacks[0]({ ...recorded(file), cwd: process.cwd() }, undefined, { signal });
}
