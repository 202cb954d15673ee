import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Problem } from "../problem/problem.ts";
import { modifiedData } from "./modify.ts";

const pre = (args: unknown) => HookEvent.toolPreExecute("bash", args);

describe("modify sets one field of what the event lets be changed", () => {
  const rows: [event: HookEvent, field: string, value: unknown, data: object][] = [
    [pre({ command: "rm", cwd: "/" }), "args.command", "ls", { args: { command: "ls", cwd: "/" } }],
    [pre({ command: "rm" }), "tool_input.command", "ls", { args: { command: "ls" } }],
    [pre({ command: "rm" }), "command", "ls", { args: { command: "ls" } }],
    [pre({}), "args.a.b.c", 1, { args: { a: { b: { c: 1 } } } }],
    [pre(undefined), "args.a", 1, { args: { a: 1 } }],
    [pre({ a: 1 }), "args", { b: 2 }, { args: { b: 2 } }],
    [pre({ a: null }), "args.a.b", 1, { args: { a: { b: 1 } } }],
    [pre({ list: [1, 2, 3] }), "args.list.1", 9, { args: { list: [1, 9, 3] } }],
    [pre({ list: [1] }), "args.list.7", 9, { args: { list: [1, 9] } }],
    [pre({ edits: [{ p: 1 }, { p: 2 }] }), "args.edits.*.p", 0, { args: { edits: [{ p: 0 }, { p: 0 }] } }],
    [pre({ a: { x: 1 }, b: { x: 2 } }), "args.*.x", 0, { args: { a: { x: 0 }, b: { x: 0 } } }],
    [pre({ file_path: "a" }), "path", "b", { args: { file_path: "b" } }],
    [pre({ path: "a" }), "args.file_path", "b", { args: { path: "b" } }],
    [pre({}), "path", "b", { args: { path: "b" } }],
    [pre('{"command":"rm"}'), "args.command", "ls", { args: '{"command":"ls"}' }],
    [HookEvent.userPromptSubmit("hi"), "prompt", "ho", { prompt: "ho" }],
    [HookEvent.toolPostExecute("bash", {}, { out: "x" }), "result.out", "", { result: { out: "" } }],
    [HookEvent.llmPreRequest("big", { n: 1 }), "llm_model", "small", { data: { n: 1, llm_model: "small" } }],
    [HookEvent.llmPreRequest("big"), "model", "small", { data: { llm_model: "small" } }],
    [HookEvent.llmPreRequest("big"), "data.n", 1, { data: { llm_model: "big", n: 1 } }],
  ];
  test.each(rows)("%j: %s = %j", (event, field, value, data) => {
    const before = JSON.stringify(event);
    expect(modifiedData(event, field, value)).toEqual(data);
    expect(JSON.stringify(event)).toBe(before);
  });
});

test("what was not changed is not copied", () => {
  const held = { keep: () => 1 };
  const { args } = modifiedData(pre({ held, command: "rm" }), "args.command", "ls") as { args: { held: unknown } };
  expect(args.held).toBe(held);
});

describe("a change that the event does not allow is told, never dropped", () => {
  const rows: [event: HookEvent, field: string, code: string][] = [
    [HookEvent.sessionStart("s"), "args.a", "rule/nothing-to-change"],
    [HookEvent.toolPostExecute("bash", { command: "rm" }, "out"), "args.command", "rule/elsewhere"],
    [pre({}), "tool", "rule/elsewhere"],
    [pre({}), "result.x", "rule/elsewhere"],
    [HookEvent.userPromptSubmit("hi"), "args.command", "rule/elsewhere"],
    [pre({ command: "rm" }), "args.command.x", "rule/no-inside"],
    [pre({ list: [1] }), "args.list.x", "rule/no-inside"],
    [HookEvent.toolPostExecute("bash", {}, "text"), "result.x", "rule/no-inside"],
  ];
  test.each(rows)("%j: %s", (event, field, code) => {
    let told: unknown;
    try {
      modifiedData(event, field, 1);
    } catch (problem) {
      told = problem;
    }
    expect(told).toBeInstanceOf(Problem);
    expect(told).toMatchObject({ code, message: expect.stringContaining(field), fix: expect.any(String) });
  });
});
