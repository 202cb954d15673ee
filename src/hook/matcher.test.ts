import { describe, expect, test } from "vitest";
import { EVENT_NAMES, EVENTS } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { Hook } from "./hook.ts";
import { HookMatcher, pathsIn } from "./matcher.ts";
import { HookType } from "./schema.ts";

const PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: a.md\n+x\n*** End Patch";
const matches = (matcher: object, event: HookEvent) => Hook.fromJSON({ matcher, command: "true" }).matches(event);
const tool = (name: string, args: unknown = {}, cwd?: string) => HookEvent.toolPreExecute(name, args, { cwd });
const write = (args: object, cwd?: string) => tool("write_file", args, cwd);

describe("all conditions have to hold, and an empty one says nothing", () => {
  const rows: [matcher: object, event: HookEvent, fits: boolean][] = [
    [{}, tool("bash"), true],
    [{}, HookEvent.sessionStart("s"), true],
    [{ events: [], tools: [], path_patterns: [] }, HookEvent.sessionEnd("s"), true],
    [{ events: ["PreToolUse"] }, tool("bash"), true],
    [{ events: ["PreToolUse"] }, HookEvent.sessionStart("s"), false],
    [{ events: ["PreToolUse", "SessionStart"] }, HookEvent.sessionStart("s"), true],
    [{ events: ["PostToolUse"] }, HookEvent.toolError("bash", {}, "e"), true],
    [{ events: ["PreToolUse"], tools: ["bash"] }, tool("bash"), true],
    [{ events: ["PreToolUse"], tools: ["bash"] }, tool("read"), false],
    [{ events: ["PreToolUse:b*"], tools: ["r*"] }, tool("bash"), false],
    [{ tools: ["@shell"] }, tool("Bash"), true],
    [{ tools: ["mcp__*", "read"] }, tool("mcp__a__b"), true],
    [{ tools: ["bash"], command_patterns: ["git *"] }, tool("bash", { command: "git push" }), true],
    [{ tools: ["bash"], command_patterns: ["git *"] }, tool("bash", { command: "ls" }), false],
    [{ events: ["Error"], tools: ["bash"] }, new HookEvent({ type: "Error", toolName: "bash" }), true],
    [{ events: ["Error"], tools: ["bash"] }, new HookEvent({ type: "Error", toolName: "read" }), false],
  ];
  test.each(rows)("%j", (matcher, event, fits) => {
    expect(matches(matcher, event)).toBe(fits);
  });
});

describe("a tools filter never matches an event without a tool", () => {
  test.each(EVENT_NAMES)("%s", (type) => {
    for (const tools of [["bash"], ["*"], ["@shell", "*"]]) {
      expect(matches({ tools }, new HookEvent({ type, data: { tool_name: "bash" } }))).toBe(false);
    }
  });
});

describe("path patterns", () => {
  const rows: [patterns: string[], event: HookEvent, fits: boolean][] = [
    [["*.md", "**/AGENTS.md"], new HookEvent({ type: "MemoryUpdate", data: { file_path: "AGENTS.md" } }), true],
    [["**/AGENTS.md"], new HookEvent({ type: "MemoryUpdate", data: { file_path: "AGENTS.md" } }), true],
    [["**/AGENTS.md"], new HookEvent({ type: "MemoryUpdate", data: { file_path: "a/b/AGENTS.md" } }), true],
    [["**/AGENTS.md"], new HookEvent({ type: "MemoryUpdate", data: { file_path: "README.md" } }), false],
    [["*.py", "*.ts"], write({ file_path: "src/deep/a.ts" }), true],
    [["*.py", "*.ts"], write({ path: "a.rs" }), false],
    [["*.ts"], write({ filePath: "a.ts" }), true],
    [["*.ipynb"], write({ notebook_path: "a.ipynb" }), true],
    [["src/**"], write({ file_path: "/p/src/a.ts" }, "/p"), true],
    [["src/**"], write({ file_path: "/other/src/a.ts" }, "/p"), false],
    [["src/**"], write({ file_path: "lib/../src/a.ts" }), true],
    [["src/**"], write({ file_path: "src/../lib/a.ts" }), false],
    [["src/**"], write({ file_path: "../p/src/a.ts" }, "/p"), true],
    [["./src/**"], write({ file_path: "src/a.ts" }), true],
    [["/p/src/**"], write({ file_path: "src/a.ts" }, "/p"), true],
    [["/etc/**"], write({ file_path: "../../etc/passwd" }, "/home/me"), true],
    [["/etc/**"], write({ file_path: "/etc/passwd" }, "/"), true],
    [["src/**"], write({ file_path: "src\\a.ts" }), true],
    [["*.md"], write({ paths: ["a.ts", "b.md"] }), true],
    [["*.md"], write({ files: ["a.ts", "b.js"] }), false],
    [["*.md"], write({ file_paths: ["b.md"] }), true],
    [["*.md"], write({ files: [{ path: "a.ts" }, { file_path: "b.md" }] }), true],
    [["*.md"], write({ edits: [{ file_path: "b.md" }] }), true],
    [["*.{md,txt}"], write({ path: "b.md" }), true],
    [["{src,lib}/**"], write({ path: "lib/a/b.ts" }), true],
    [["src/**"], tool("apply_patch", { command: PATCH }), true],
    [["src/**"], tool("apply_patch", { input: PATCH }), true],
    [["src/**"], tool("ApplyPatch", { patch: PATCH }), true],
    [["a.md"], tool("apply_patch", { command: PATCH }, "/p"), true],
    [["lib/**"], tool("apply_patch", { command: PATCH }), false],
    [["*.md"], new HookEvent({ type: "FileChanged", data: { path: "b.md" } }), true],
    [["*.md"], HookEvent.sessionStart("s"), false],
    [["*"], tool("bash", { command: "ls" }), false],
    [["*.md"], tool("write", null), false],
    [["*.md"], tool("write", "b.md"), false],
    [["*.md"], write({ path: 3, files: [null, 4, { path: [] }] }), false],
  ];
  test.each(rows)("%j", (path_patterns, event, fits) => {
    expect(matches({ path_patterns }, event)).toBe(fits);
    expect(matches({ pathPatterns: path_patterns }, event)).toBe(fits);
  });

  test("patterns are seen from the project's folder, wherever the call happens", () => {
    const event = write({ file_path: "1.sql" }, "/p/migrations");
    attachRoot(event, "/p");
    expect(matches({ path_patterns: ["migrations/**"] }, event)).toBe(true);
    expect(matches({ path_patterns: ["/p/migrations/**"] }, event)).toBe(true);
    const inside = write({ file_path: "migrations/1.sql" }, "/p/other");
    attachRoot(inside, "/p");
    expect(matches({ path_patterns: ["migrations/**"] }, inside)).toBe(false);
  });

  test("a file is known as written, from the root and from its folder", () => {
    expect(pathsIn(write({ path: "./src/a.ts" }, "/p"))).toEqual(["src/a.ts", "/p/src/a.ts"]);
    expect(pathsIn(write({ path: "/p/src/a.ts" }, "/p"))).toEqual(["/p/src/a.ts", "src/a.ts"]);
    expect(pathsIn(write({ path: "../x" }, "/p"))).toEqual(["../x", "/x"]);
    expect(pathsIn(write({ path: "a" }))).toEqual(["a"]);
  });
});

describe("patterns on values that are no paths cross a slash", () => {
  const turn = (data: object) => new HookEvent({ type: "ModelSwitch", data });
  const rows: [matcher: object, event: HookEvent, fits: boolean][] = [
    [{ command_patterns: ["rm *"] }, tool("bash", { command: "rm -rf /usr/lib" }), true],
    [{ command_patterns: ["*/lib*"] }, tool("bash", { command: "rm -rf /usr/lib/x" }), true],
    [{ command_patterns: ["rm *"] }, tool("bash", { command: "echo\nrm x" }), false],
    [{ command_patterns: ["*rm x"] }, tool("bash", { command: "echo\nrm x" }), true],
    [{ commandPatterns: ["rm *"] }, tool("bash", { command: "rm x" }), true],
    [{ command_patterns: ["*"] }, tool("bash", {}), false],
    [{ command_patterns: ["*"] }, HookEvent.sessionStart("s"), false],
    [{ model_patterns: ["*opus*"] }, turn({ old_model: null, new_model: "anthropic/claude-opus" }), true],
    [{ model_patterns: ["*opus*"] }, turn({ old_model: "claude-opus", new_model: "claude-haiku" }), false],
    [{ model_patterns: ["gpt-*", "claude-*"] }, HookEvent.llmPreRequest("claude-haiku"), true],
    [{ modelPatterns: ["gpt-*"] }, HookEvent.llmPreRequest("claude-haiku"), false],
    [{ session_types: ["root"] }, HookEvent.sessionStart("s"), true],
    [{ session_types: ["root"] }, HookEvent.sessionStart("s", { session_type: "subagent" }), false],
    [{ session_types: ["sub*"] }, HookEvent.sessionStart("s", { session_type: "subagent" }), true],
    [{ sessionTypes: ["subagent"] }, HookEvent.sessionStart("s"), false],
  ];
  test.each(rows)("%j", (matcher, event, fits) => {
    expect(matches(matcher, event)).toBe(fits);
  });
});

test.each([
  [{ event: ["PreToolUse"] }, 'Did you mean "events"?'],
  [{ events: ["PreToolUze"] }, 'Did you mean "PreToolUse"?'],
  [{ events: ["PreToolUse"], tool: ["Bash"] }, 'Did you mean "tools"?'],
  [{ tools: ["@shel"] }, 'Did you mean "@shell"?'],
  [{ events: ["tool:pre_execute:"] }, "Leave out the last colon"],
  [{ path_pattern: ["src/**"] }, 'Did you mean "path_patterns"?'],
])("a matcher %j that would match everything, or nothing, is refused", (conditions, fix) => {
  const refused = expect.objectContaining({ fix: expect.stringContaining(fix) });
  expect(() => new HookMatcher(conditions)).toThrowError(refused);
  expect(() => Hook.fromJSON({ matcher: conditions, command: "x" })).toThrowError(refused);
});

test("an event's pattern and a matcher's conditions combine", () => {
  const hook = Hook.fromJSON({ event: "tool:*:@write", matcher: { path_patterns: ["*.md"] }, command: "true" });
  expect(hook.matches(write({ path: "a.md" }))).toBe(true);
  expect(hook.matches(write({ path: "a.ts" }))).toBe(false);
  expect(hook.matches(tool("read", { path: "a.md" }))).toBe(false);
});

test("matching asks nothing of the data that an agent may not send", () => {
  const hook = Hook.fromJSON({
    matcher: { path_patterns: ["*"], model_patterns: ["*"], command_patterns: ["*"], session_types: ["*"] },
    command: "true",
  });
  for (const data of [{}, { tool_args: [] }, { tool_args: null, session_type: 3, new_model: {}, path: null }]) {
    for (const type of Object.keys(EVENTS) as (keyof typeof EVENTS)[]) {
      expect(hook.matches(new HookEvent({ type, data }))).toBe(false);
    }
  }
});

test("a matcher of its own tells what it matches, and makes a hook with a kind by name", () => {
  const matcher = new HookMatcher({ events: ["PreToolUse"], tools: ["bash"], command_patterns: ["rm *"] });
  expect(matcher.matches(tool("bash", { command: "rm x" }))).toBe(true);
  expect(matcher.matches(tool("bash", { command: "ls" }))).toBe(false);
  expect(matcher.matches(tool("read", { command: "rm x" }))).toBe(false);
  expect(matcher.matches(HookEvent.sessionStart("s"))).toBe(false);
  const rules = [{ field: "args.command", operator: "contains", value: "rm", action: "deny" }];
  const hook = Hook.fromJSON({ name: "no-rm", type: HookType.INLINE, matcher, inline_rules: rules });
  expect(hook.matches(tool("bash", { command: "rm x" }))).toBe(true);
  expect(hook.toJSON()).toMatchObject({ type: "inline", matcher: { events: ["PreToolUse"], tools: ["bash"] } });
});
