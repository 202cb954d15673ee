import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { compileField } from "./field.ts";
import { prepareTools } from "./tools.ts";

const tools = await prepareTools([
  { when: { kind: "compare", field: "path", operator: "exists", value: undefined }, action: "deny" },
]);

function values(path: string, data: object, init: { toolName?: string; cwd?: string } = {}): readonly unknown[] {
  const event = new HookEvent({ type: "tool:pre_execute", data, sessionId: "s", timestamp: 7, agent: "a", ...init });
  const { one, all } = compileField(path, tools);
  if (one !== undefined) expect(all(event)).toEqual(one(event) === undefined ? [] : [one(event)]);
  return all(event);
}

describe("one thing has one field, whichever way it is spelled", () => {
  const groups: [names: string[], rests: string[]][] = [
    [
      ["args", "tool_args", "tool_input"],
      ["", ".command"],
    ],
    [
      ["result", "tool_result", "tool_response"],
      ["", ".ok"],
    ],
  ];
  const rows = groups.flatMap(([names, rests]) =>
    names.flatMap((asked) => names.flatMap((sent) => rests.map((rest) => ({ asked: asked + rest, sent, rest })))),
  );
  test.each(rows)("$asked finds $sent", ({ asked, sent, rest }) => {
    const held = { command: "ls", ok: true };
    expect(values(asked, { [sent]: held })).toEqual(
      rest === "" ? [held] : [Object.values(held)[rest === ".command" ? 0 : 1]],
    );
  });

  test.each(["tool", "tool_name"])("%s is the tool, from the event or its data", (asked) => {
    expect(values(asked, {}, { toolName: "bash" })).toEqual(["bash"]);
    expect(values(asked, { tool: "sh" })).toEqual(["sh"]);
    expect(values(asked, { tool_name: "sh" })).toEqual(["sh"]);
  });

  const homes = [{ path: "a" }, { file_path: "a" }, { args: { path: "a" } }, { tool_input: { file_path: "a" } }];
  const asked = ["path", "file_path", "args.path", "args.file_path", "tool_input.path", "tool_args.file_path"];
  test.each(asked.flatMap((path) => homes.map((home) => ({ path, home }))))("$path finds $home", ({ path, home }) => {
    expect(values(path, home)).toEqual(["a"]);
  });

  test("a path that lies in two places is two values, each once", () => {
    expect(values("path", { path: "a", args: { path: "a", file_path: "b" } })).toEqual(["a", "b"]);
  });
});

describe("a field is found where its path leads", () => {
  const data = {
    args: { edits: [{ path: "a" }, { path: "b" }, { path: "a" }, { other: 1 }], deep: { er: { still: { more: 1 } } } },
    type: "not this one",
    new_model: "opus",
    model: "haiku",
  };
  const rows: [path: string, found: unknown[]][] = [
    ["args.edits.0.path", ["a"]],
    ["args.edits.1.path", ["b"]],
    ["args.edits.9.path", []],
    ["args.edits.length", [4]],
    ["args.edits.*.path", ["a", "b"]],
    ["args.*.*.path", ["a", "b"]],
    ["args.deep.er.still.more", [1]],
    ["args.deep.er.*.more", [1]],
    ["args.nothing.here", []],
    ["args.edits.0.path.length", []],
    ["new_model", ["opus"]],
    ["model", ["haiku"]],
    ["type", ["tool:pre_execute"]],
    ["event", ["tool:pre_execute"]],
    ["data.type", ["not this one"]],
    ["session_id", ["s"]],
    ["timestamp", [7]],
    ["agent", ["a"]],
    ["cwd", []],
  ];
  test.each(rows)("%s", (path, found) => {
    expect(values(path, data)).toEqual(found);
  });
});

test("what the event itself knows wins over its data", () => {
  expect(values("tool", { tool: "sh", tool_name: "zsh" }, { toolName: "bash" })).toEqual(["bash"]);
  expect(values("cwd", { cwd: "/b" }, { cwd: "/a" })).toEqual(["/a"]);
  expect(values("cwd", { cwd: "/b" })).toEqual(["/b"]);
});

test.each([
  "constructor",
  "__proto__",
  "toString",
  "args.constructor",
  "args.__proto__.polluted",
  "args.command.length",
])("%s reaches no prototype", (path) => {
  expect(values(path, { args: { command: "ls" } })).toEqual([]);
});

test("a key of that name is an ordinary key", () => {
  expect(values("args.constructor", { args: { constructor: "x" } })).toEqual(["x"]);
  expect(values("args.__proto__", { args: JSON.parse('{ "__proto__": "x" }') })).toEqual(["x"]);
});

describe("input that came as the text of its JSON is looked into", () => {
  test.each([
    ['{"command":"ls"}', ["ls"]],
    ['  {"command":"ls"}', ["ls"]],
    ["{not json", []],
    ['"text"', []],
    ["", []],
  ])("%s", (text, found) => {
    expect(values("args.command", { tool_input: text })).toEqual(found);
  });

  test("as a whole it stays what it is", () => {
    expect(values("args", { args: '{"a":1}' })).toEqual(['{"a":1}']);
  });

  test("a path inside counts as a path", () => {
    expect(values("path", { tool_input: '{"file_path":"a"}' })).toEqual(["a"]);
  });
});

test("what holds itself many times costs no more than it holds", () => {
  const knot: Record<string, unknown> = {};
  for (const key of ["a", "b", "c", "d"]) knot[key] = knot;
  expect(values(`args${".*".repeat(40)}`, { args: knot })).toEqual([knot]);
});
