import { describe, expect, it } from "vitest";
import type { Adapter } from "../../src/adapters/adapter.ts";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { type Payload, textAt, without } from "../../src/adapters/payload.ts";
import { type AgentCall, readCall } from "../../src/adapters/read-call.ts";
import { answer, type Printed } from "../../src/decide/answer.ts";
import { eventSpec } from "../../src/event/catalogue.ts";
import { CALLER, sayingOnly } from "./carried-out.ts";
import { type Saying, sayingsAbout } from "./decisions.ts";
import { payloadsOf } from "./payloads.ts";
import { recorded } from "./saying.ts";

const BASH = recorded("claude-code")["PreToolUse.Bash"] ?? {};
const FAILED = { ...recorded("gemini-cli")["AfterTool.run_shell_command"], tool_response: { error: "it broke" } };
const NAMELESS = { agent: "claude-code", text: JSON.stringify(without(BASH, "hook_event_name")) };
const DENY: Saying = { action: "deny", reasons: ["no"] };
const DENIED = { hookEventName: "PreToolUse", permissionDecision: "deny" };

describe("a hook event that the command line states", () => {
  const agents = ADAPTERS.filter(({ nameKeys }) => nameKeys !== undefined);

  it.each(agents.map((adapter) => [adapter.title, adapter] as const))(
    "is answered like one that the payload of %s names",
    async (_, adapter) => {
      const different: string[] = [];
      for (const { name, payload } of payloadsOf(adapter)) {
        // The way in which a hook event is named is a dialect of its own there.
        if (adapter.id === "copilot" && "hook_event_name" in payload) continue;
        const calls = [payload, without(payload, ...(adapter.nameKeys ?? []))].map((one) => JSON.stringify(one));
        const [told, stated] = calls.map((text) => ({ agent: adapter.id, text, hookEvent: ownName(adapter, payload) }));
        for (const [what, saying] of Object.entries(aFew(told)))
          if (JSON.stringify(await outcome(told, saying)) !== JSON.stringify(await outcome(stated, saying)))
            different.push(`${name}, ${what}`);
      }
      expect(different).toEqual([]);
    },
  );

  it.each(["Nope", "PostToolUse", "SessionEnd", "__proto__", "preToolUse"])(
    "counts for nothing where the payload names another: %s",
    async (hookEvent) => {
      const call = { agent: "claude-code", text: JSON.stringify(BASH), hookEvent };
      expect(JSON.parse((await outcome(call, DENY)).stdout)).toMatchObject({ hookSpecificOutput: DENIED });
    },
  );

  it("is repeated in the answer where the payload names one that the agent does not have", async () => {
    const text = JSON.stringify({ ...BASH, hook_event_name: "PreDream" });
    const { stdout } = await outcome({ agent: "claude-code", text, hookEvent: "PreToolUse" }, DENY);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: DENIED });
  });

  it.each(["Nope", "constructor", ""])("keeps the gate shut where no agent has it: %j", async (hookEvent) => {
    const { stdout, stderr, exitCode } = await outcome({ ...NAMELESS, hookEvent }, DENY);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain(`Claude Code has no "${hookEvent}"; it has SessionStart, Setup, `);
  });

  it("gives way to what the fields say more precisely, and wins over what they only suggest", () => {
    const failed = { agent: "gemini-cli", text: JSON.stringify(FAILED), hookEvent: "AfterTool" };
    expect(readCall(failed)).toMatchObject({ event: { type: "tool:error" }, native: { name: "AfterTool.error" } });
    const suggests = JSON.stringify(recorded("copilot").preToolUse);
    const asked = { agent: "copilot", text: suggests, hookEvent: "permissionRequest" };
    expect(readCall(asked)).toMatchObject({ event: { type: "permission:check" } });
    expect(readCall({ ...asked, hookEvent: "Nope" })).toMatchObject({ event: { type: "tool:pre_execute" } });
  });
});

describe("the name of a hook event", () => {
  it.each(["pretooluse", "PRETOOLUSE", "pre_tool_use", "Pre-Tool-Use"])(
    "is read in other letters and with other marks, in a payload and on the command line: %s",
    async (name) => {
      const told = { agent: "claude-code", text: JSON.stringify({ ...BASH, hook_event_name: name }) };
      for (const call of [told, { ...NAMELESS, hookEvent: name }])
        expect(JSON.parse((await outcome(call, DENY)).stdout)).toMatchObject({ hookSpecificOutput: DENIED });
    },
  );

  it.each(["NoSuch", "__proto__", "constructor"])("that is unknown passes in silence: %s", async (name) => {
    const call = { agent: "claude-code", text: JSON.stringify({ ...BASH, hook_event_name: name }) };
    expect(await outcome(call, DENY)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("of another agent is that agent's, however alike it is to one of the agent that was called", () => {
    const cursor = { hook_event_name: "preToolUse", cursor_version: "2", tool_name: "Write", tool_input: {} };
    const call = { agent: "claude-code", text: JSON.stringify(cursor) };
    expect(readCall(call)).toMatchObject({ native: { adapter: { id: "cursor" } } });
  });
});

it("every agent that can be installed says where its payloads name their hook event", () => {
  expect(ADAPTERS.filter(({ recipe, nameKeys }) => recipe !== undefined && nameKeys === undefined)).toEqual([]);
});

describe("a gate whose text cannot be read", () => {
  const PROMPTS = ADAPTERS.filter(({ id }) => id !== "json").flatMap((adapter) =>
    payloadsOf(adapter)
      .filter(({ payload }) => isPromptGate(adapter, payload))
      .map(({ name, payload }) => [adapter.id, name, payload] as const),
  );

  it.each(PROMPTS)("of %s is denied in the agent's own words: %s", async (agent, _, payload) => {
    const passed: unknown[] = [];
    for (const prompt of [undefined, null, 5, ["sudo"], { text: "sudo" }]) {
      const text = JSON.stringify(withPrompt(payload, prompt));
      const printed = await outcome({ agent, text }, {});
      const denied = await outcome({ agent, text: JSON.stringify(payload) }, DENY);
      if (shapeOf(printed) !== shapeOf(denied)) passed.push([prompt, printed]);
    }
    expect(passed).toEqual([]);
  });

  it.each(["", " "])("is not one without words: %j", async (prompt) => {
    const text = JSON.stringify({ ...recorded("claude-code").UserPromptSubmit, prompt });
    expect(readCall({ agent: "claude-code", text }).kind).toBe("event");
  });
});

/** What is printed when hooks say this. */
function outcome(call: AgentCall | undefined, saying: Saying): Promise<Printed> {
  if (call === undefined) throw new Error("there is no call");
  return answer(call, CALLER, sayingOnly(saying));
}

function aFew(call: AgentCall | undefined): Record<string, Saying> {
  const read = readCall(call ?? { text: "" });
  if (read.kind !== "event") throw new Error(`${call?.agent} ${call?.hookEvent} is ${read.kind}`);
  return Object.fromEntries(Object.entries(sayingsAbout(read.event)).filter(([name]) => SOME.test(name)));
}

/** The agent's own name of the hook event, without what the adapter adds to tell hook events apart. */
function ownName({ nameKeys = [], hookEvents, hookEventOf }: Adapter, payload: Payload): string {
  const name = textAt(payload, ...nameKeys) ?? "";
  return Object.hasOwn(hookEvents, name) ? name : String(hookEventOf(payload));
}

function isPromptGate(adapter: Adapter, payload: Payload): boolean {
  const { as, can } = adapter.hookEvents[adapter.hookEventOf(payload) ?? ""] ?? { as: undefined, can: [] };
  return as !== undefined && eventSpec(as).modifies === "prompt" && can.includes("deny");
}

/** The payload with another prompt, wherever the agent has it. */
function withPrompt(payload: Payload, prompt: unknown): Payload {
  const { tool_info, userPromptSubmit, output } = payload;
  if (tool_info !== undefined) return { ...payload, tool_info: { user_prompt: prompt } };
  if (userPromptSubmit !== undefined) return { ...payload, userPromptSubmit: { prompt } };
  if (output !== undefined) return { ...payload, output: { parts: Array.isArray(prompt) ? { 0: prompt } : prompt } };
  return { ...payload, prompt };
}

/** What an answer is, without its words. */
function shapeOf({ stdout, exitCode }: Printed): string {
  const words = stdout === "" ? {} : JSON.parse(stdout);
  return JSON.stringify([words, exitCode], (key, value) => (MESSAGES.test(key) ? "words" : value));
}

const SOME = /^(?:nothing|context|approved|deny: plain|ask: plain|changed: another value|another result)$/;
const MESSAGES = /reason|message|errorMessage/i;
