import { describe, expect, it } from "vitest";
import { Hook } from "../hook/hook.ts";
import { ANY_LISTENER, eventOf, eventOfText } from "./example-event.ts";

const matching = (event: string) => Hook.fromJSON({ event, rules: 'event exists -> deny("no")' });

describe("a text", () => {
  it.each([
    ["tool:pre_execute", "tool:pre_execute", "Bash"],
    ["tool:pre_execute:@shell", "tool:pre_execute", "Bash"],
    ["tool:pre_execute:bash", "tool:pre_execute", "bash"],
    ["PostToolUse:Shell", "tool:post_execute", "Shell"],
    ["user:prompt_submit,tool:pre_execute", "tool:pre_execute", "Bash"],
    ["*", "tool:pre_execute", "Bash"],
  ])("to a hook that matches %s is a shell command", (pattern, type, toolName) => {
    const data = { tool_args: { command: "ls" } };
    expect(eventOfText("ls", matching(pattern))).toEqual({ type, toolName, data });
  });

  it("to a hook that matches only prompts is a prompt", () => {
    expect(eventOfText("hello", matching("UserPromptSubmit"))).toEqual({
      type: "user:prompt_submit",
      data: { prompt: "hello" },
    });
  });

  it("means nothing to a hook that matches neither", () => {
    expect(() => eventOfText("ls", matching("session:start"))).toThrow(/matches neither/);
    expect(() => eventOfText("ls", matching("tool:pre_execute:@write"))).toThrow(/matches neither/);
  });
});

describe("an example that leaves the tool out", () => {
  it.each([
    ["tool:pre_execute:@write", { file_path: "a" }, "Write"],
    ["tool:pre_execute:edit_file", { path: "a" }, "edit_file"],
    ["tool:pre_execute:@read", { path: "a" }, "Read"],
    ["tool:pre_execute:deploy", { where: "here" }, "deploy"],
    ["tool:*", { command: "ls" }, "Bash"],
    ["tool:*", { colour: "red" }, undefined],
  ])("for a hook on %s with %j means %s", (pattern, args, tool) => {
    expect(eventOf({ args }, matching(pattern)).toolName).toBe(tool);
  });
});

describe("an example that leaves the event out", () => {
  it.each([
    ["session:end,tool:error", { args: { command: "ls" } }, "tool:error"],
    ["session:end,tool:error", { data: { why: "done" } }, "session:end"],
    ["tool:error,user:prompt_submit", { prompt: "hello" }, "user:prompt_submit"],
  ])("for a hook on %s with %j means %s", (pattern, written, type) => {
    expect(eventOf(written, matching(pattern)).type).toBe(type);
  });

  it("is about a tool that is about to run when no hook is meant", () => {
    expect(eventOf({ args: { command: "ls" } }, ANY_LISTENER)).toMatchObject({
      type: "tool:pre_execute",
      toolName: "Bash",
    });
  });

  it("is refused with a suggestion when it names an event that is none", () => {
    expect(() => eventOf({ event: "tool:pre_exec" }, ANY_LISTENER)).toThrow(/not an event of Sluice/);
  });
});
