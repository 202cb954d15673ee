import { describe, expect, test } from "vitest";
import { Problem } from "../problem/problem.ts";
import { EVENT_NAMES, EVENTS } from "./catalogue.ts";
import { attachBudget, type EventInit, HookEvent } from "./event.ts";
import { budgetOf } from "./event-budget.ts";

const args = { command: "ls" };
const extras = { sessionId: "sess_123", cwd: "/p", agent: "claude-code", timestamp: 12.5, raw: { any: 1 } };

describe("nine factories make the everyday events", () => {
  const rows: [type: string, event: HookEvent, facts: object][] = [
    ["tool:pre_execute", HookEvent.toolPreExecute("bash", args), { toolName: "bash", data: { tool_args: args } }],
    [
      "tool:post_execute",
      HookEvent.toolPostExecute("bash", args, { success: true }),
      { toolName: "bash", data: { tool_args: args, tool_result: { success: true } } },
    ],
    [
      "tool:error",
      HookEvent.toolError("bash", args, "Command failed"),
      { toolName: "bash", data: { tool_args: args, error: "Command failed" } },
    ],
    ["llm:pre_request", HookEvent.llmPreRequest("m", { a: 1 }), { data: { a: 1, llm_model: "m" } }],
    [
      "llm:post_response",
      HookEvent.llmPostResponse("m", 7, { a: 1 }),
      { data: { a: 1, llm_model: "m", llm_tokens: 7 } },
    ],
    ["session:start", HookEvent.sessionStart("s1", { a: 1 }), { sessionId: "s1", data: { a: 1 } }],
    ["session:end", HookEvent.sessionEnd("s1"), { sessionId: "s1", data: {} }],
    [
      "permission:check",
      HookEvent.permissionCheck("bash", "ask", { tool_args: args }),
      { toolName: "bash", data: { tool_args: args, perm_level: "ask" } },
    ],
    ["user:prompt_submit", HookEvent.userPromptSubmit("hello"), { data: { prompt: "hello" } }],
  ];
  test.each(rows)("%s", (type, event, facts) => {
    expect(event).toMatchObject({ type, ...facts });
  });

  test("each takes a session, a folder, an agent, a time and the original payload", () => {
    const events = [
      HookEvent.toolPreExecute("bash", args, extras),
      HookEvent.toolPostExecute("bash", args, "r", extras),
      HookEvent.toolError("bash", args, "e", extras),
      HookEvent.llmPreRequest("m", {}, extras),
      HookEvent.llmPostResponse("m", 1, {}, extras),
      HookEvent.sessionStart("sess_123", {}, extras),
      HookEvent.sessionEnd("sess_123", {}, extras),
      HookEvent.permissionCheck("bash", "ask", {}, extras),
      HookEvent.userPromptSubmit("p", extras),
    ];
    for (const event of events) expect(event).toMatchObject(extras);
  });

  test.each([
    ["an Error", new TypeError("it broke"), "it broke"],
    ["a text", "it broke", "it broke"],
    ["an object", { status: 500 }, '{"status":500}'],
    ["an object that cannot be a text", Object.create(null), "{}"],
    ["nothing", undefined, "undefined"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
  ])("a tool that throws %s leaves a readable error", (_what, thrown, text) => {
    expect(HookEvent.toolError("bash", args, thrown).data.error).toBe(text);
  });
});

test.each(EVENT_NAMES)("%s can be made by hand, under its name and every alias", (name) => {
  for (const type of [name, ...EVENTS[name].aliases] as EventInit["type"][]) {
    const event = new HookEvent({ type });
    expect(event).toMatchObject({ type: name, data: {} });
    expect(event.isGate).toBe(EVENTS[name].gate);
  }
});

describe("a name that is no event is refused", () => {
  test.each([
    ["tool:pre_exec", 'Did you mean "tool:pre_execute"? `sluice events` lists them all.'],
    ["pretooluse", 'Did you mean "PreToolUse"? `sluice events` lists them all.'],
    ["banana", "`sluice events` lists them all."],
    [undefined, "`sluice events` lists them all."],
  ])("%s", (type, fix) => {
    const make = () => new HookEvent({ type } as unknown as EventInit);
    expect(make).toThrow(Problem);
    expect(make).toThrow(expect.objectContaining({ code: "event/unknown", fix }));
    expect(make).toThrow(`"${type}" is not an event of Sluice.`);
  });
});

describe("a name that is no text is refused", () => {
  test.each(["toolName", "sessionId", "cwd", "agent"])("%s", (field) => {
    const make = (value: unknown) => new HookEvent({ type: "PreToolUse", [field]: value });
    expect(() => make(5)).toThrow(Problem);
    expect(() => make(5)).toThrow(`The \`${field}\` of an event is 5; it has to be a string.`);
    expect(() => make({ name: "bash" })).toThrow(expect.objectContaining({ code: "event/no-text" }));
    for (const nothing of [undefined, null]) expect(make(nothing)).toMatchObject({ [field]: undefined });
    expect(make("text").toEnv()).toMatchObject({ SLUICE_EVENT: "tool:pre_execute" });
  });
});

describe("the tool is told by its name, or with the data", () => {
  test.each<[init: Omit<EventInit, "type">, tool: string | undefined]>([
    [{ data: { tool: "bash" } }, "bash"],
    [{ toolName: "zsh", data: { tool: "bash" } }, "zsh"],
    [{ data: { tool: { any: 1 } } }, undefined],
  ])("%j is %s", (init, tool) => {
    expect(new HookEvent({ type: "PreToolUse", ...init }).toolName).toBe(tool);
  });
});

test("time is counted in seconds, and is now when no time is given", () => {
  const before = Date.now() / 1000;
  const { timestamp } = new HookEvent({ type: "session:start" });
  expect(timestamp).toBeGreaterThanOrEqual(before);
  expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  expect(new HookEvent({ type: "session:start", timestamp: 0 }).timestamp).toBe(0);
});

test("an event cannot be changed; data stays the caller's own object, untouched", () => {
  const data = { tool_args: args };
  const event = new HookEvent({ type: "PreToolUse", data, toolName: "bash" });
  for (const key of ["type", "timestamp", "data", "toolName", "sessionId", "cwd", "agent", "raw"]) {
    expect(() => Object.assign(event, { [key]: "other" })).toThrow(TypeError);
  }
  expect(event.data).toBe(data);
  expect(Object.isFrozen(data)).toBe(false);
});

test("the same event with other data keeps everything else", () => {
  const event = HookEvent.toolPreExecute("bash", args, extras);
  const other = event.withData({ tool_args: { command: "pwd" } });
  expect(other).toMatchObject({ ...extras, type: "tool:pre_execute", toolName: "bash" });
  expect(other.data).toEqual({ tool_args: { command: "pwd" } });
  expect(event.data).toEqual({ tool_args: args });
});

describe("an event goes over a wire", () => {
  test("in snake case, without the payload it came from", () => {
    const { raw: _, ...said } = extras;
    expect(JSON.parse(JSON.stringify(HookEvent.toolPreExecute("bash", args, extras)))).toEqual({
      type: "tool:pre_execute",
      timestamp: said.timestamp,
      data: { tool_args: args },
      tool_name: "bash",
      session_id: said.sessionId,
      cwd: said.cwd,
      agent: said.agent,
    });
  });

  test("without the keys that are not set", () => {
    expect(Object.keys(new HookEvent({ type: "session:start" }).toJSON())).toEqual(["type", "timestamp", "data"]);
  });

  const circle: Record<string, unknown> = { a: 1 };
  circle.self = circle;
  let deep: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  test.each<[string, unknown]>([
    ["a BigInt", 10n],
    ["a circle", circle],
    ["a function", () => 1],
    ["something very deep", deep],
    [
      "a getter that throws",
      {
        get no() {
          throw new Error("no");
        },
      },
    ],
  ])("whatever its data holds: %s", (_what, value) => {
    const event = new HookEvent({ type: "PreToolUse", data: { value, kept: "yes" } });
    expect(JSON.parse(JSON.stringify(event))).toMatchObject({ type: "tool:pre_execute", data: { kept: "yes" } });
    expect(JSON.parse(event.toText())).toMatchObject({ type: "tool:pre_execute", data: { kept: "yes" } });
  });
});

test("the budget of an event stays with it, also with an event that another copy of the package has made", () => {
  const budget = { isSpent: () => false };
  for (const event of [HookEvent.toolPreExecute("bash", {}), { ...HookEvent.toolPreExecute("bash", {}) }]) {
    expect(budgetOf(event)).toBeUndefined();
    attachBudget(event, budget);
    attachBudget(event, undefined);
    expect(budgetOf(event)).toBe(budget);
  }
});
