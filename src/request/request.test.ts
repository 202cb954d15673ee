import { describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { definePlugin, methodFor, methodName } from "./plugin.ts";
import { HookRequest } from "./request.ts";

/** What an agent sends before it writes a file. */
const DATA = {
  hook_event_name: "PreToolUse",
  tool_name: "Write",
  tool_input: { file_path: "test.py", content: "..." },
  session_id: "test-123",
  transcript_path: "/path/to/transcript.jsonl",
  cwd: "/project",
};

describe("a request", () => {
  it("has every field of the payload by its name", () => {
    const request = new HookRequest({ ...DATA, prompt: "p", message: "m", reason: "r", source: "s", agent: "a" });
    expect(request).toMatchObject({
      sessionId: "test-123",
      transcriptPath: "/path/to/transcript.jsonl",
      cwd: "/project",
      hookEventName: "PreToolUse",
      toolName: "Write",
      toolInput: { file_path: "test.py", content: "..." },
      toolResponse: undefined,
      prompt: "p",
      message: "m",
      reason: "r",
      source: "s",
      agent: "a",
    });
    expect(request.get("tool_name")).toBe("Write");
    expect(request.get("missing", 3)).toBe(3);
  });

  it("reads camelCase as well", () => {
    const camel = {
      hookEventName: "PostToolUse",
      toolName: "T",
      toolInput: { a: 1 },
      toolResponse: { b: 2 },
      sessionId: "s",
    };
    expect(new HookRequest(camel)).toMatchObject(camel);
  });

  it.each([
    [{}],
    [null],
    [undefined],
    [[1]],
    ["text"],
    [5],
    [{ session_id: 5, cwd: {}, tool_input: "x", hook_event_name: [] }],
  ])("has its defaults, and throws nothing, for %j", (data) => {
    expect(new HookRequest(data)).toMatchObject({
      sessionId: "",
      transcriptPath: "",
      cwd: ".",
      hookEventName: "",
      toolName: undefined,
      toolInput: {},
      toolResponse: undefined,
      prompt: undefined,
    });
    expect(new HookRequest(data).conversation).toEqual({ messages: [] });
  });

  it("shows what earlier hooks made of the input, beside all else that the agent sent", () => {
    const before = new HookEvent({
      type: "PreToolUse",
      toolName: "Write",
      data: { tool_args: DATA.tool_input },
      raw: DATA,
    });
    const event = before.withData({ tool_args: { file_path: "other.py" } });
    const request = HookRequest.fromEvent(event);
    expect(request).toMatchObject({ toolInput: { file_path: "other.py" }, sessionId: "test-123", cwd: "/project" });
    expect(request.event).toEqual(event);
    expect(request.event).toBe(request.event);
  });

  it("is a copy: writing to it changes nothing of what it was made from", () => {
    const data = { ...DATA, tool_input: { ...DATA.tool_input }, tool_response: { lines: ["a"] }, extra: { a: 1 } };
    const before = structuredClone(data);
    const request = new HookRequest(data);
    Object.assign(request.toolInput, { file_path: "other.py" });
    Object.assign(request.toolResponse as object, { lines: [] });
    Object.assign(request.get("extra") as object, { a: 2 });
    expect(data).toEqual(before);
  });

  it("is made from an event without a payload, in the words of agents", () => {
    const event = HookEvent.toolPostExecute("Bash", { command: "ls" }, "README.md", {
      sessionId: "s",
      cwd: "/p",
      agent: "x",
    });
    const expected = {
      hookEventName: "PostToolUse",
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolResponse: "README.md",
      sessionId: "s",
      cwd: "/p",
      agent: "x",
    };
    expect(HookRequest.fromEvent(event)).toMatchObject(expected);
    expect(new HookRequest(JSON.parse(JSON.stringify(event)))).toMatchObject(expected);
    expect(HookRequest.fromEvent(HookEvent.userPromptSubmit("hi"))).toMatchObject({
      hookEventName: "UserPromptSubmit",
      prompt: "hi",
    });
  });
});

describe("a plugin", () => {
  const shouldBlock = (path: string) => path.endsWith(".py");
  const plugin = definePlugin({
    name: "my-plugin",
    preToolUse(request) {
      if (request.toolName !== "Write") return ["allow", null];
      const path = String(request.toolInput.file_path ?? "");
      return shouldBlock(path) ? ["block", `Cannot modify ${path}`] : ["allow", `Allowing write to ${path}`];
    },
  });

  it("is called like any object, and its answers complete the request", () => {
    const request = new HookRequest(DATA);
    const results = [plugin.preToolUse(request)];
    expect(results).toEqual([["block", "Cannot modify test.py"]]);
    expect(request.complete(results).exitCode).toBe(2);
  });

  it.each([
    ["tool:pre_execute", "preToolUse"],
    ["tool:post_execute", "postToolUse"],
    ["tool:error", "postToolUseFailure"],
    ["session:start", "sessionStart"],
    ["session:end", "sessionEnd"],
    ["session:stop", "stop"],
    ["subagent:stop", "subagentStop"],
    ["session:pre_compact", "preCompact"],
    ["session:notification", "notification"],
    ["permission:check", "permissionRequest"],
    ["user:prompt_submit", "userPromptSubmit"],
    ["llm:pre_request", "llmPreRequest"],
  ] as const)("handles %s with %s", (event, method) => {
    expect(methodName(event)).toBe(method);
    expect(methodFor({ [method]: () => null }, event)).toBe(method);
    const snake = method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(methodFor({ [snake]: () => null }, event)).toBe(snake);
    expect(methodFor({ somethingElse: () => null }, event)).toBeUndefined();
  });

  it("handles a failed tool with postToolUse when it has nothing closer", () => {
    expect(methodFor({ postToolUse: () => null }, "tool:error")).toBe("postToolUse");
    expect(methodFor({ postToolUse: () => null, postToolUseFailure: () => null }, "tool:error")).toBe(
      "postToolUseFailure",
    );
  });

  it("is refused when a method is nearly named like an event", () => {
    // @ts-expect-error No event calls such a method.
    expect(() => definePlugin({ name: "p", preToolsUse: () => null })).toThrow(/"preToolsUse", which no event calls/);
  });
});
