import { describe, expect, test } from "vitest";
import type { Answer } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { Problem } from "../problem/problem.ts";
import { readDsl, rulesIn } from "./dsl.ts";
import { compileRules, modifiedData } from "./evaluate.ts";
import { compileHookRules } from "./hook-rules.ts";
import { readRules } from "./read.ts";
import { prepareTools } from "./tools.ts";

async function answer(text: string, data: object, isLate?: () => boolean): Promise<Answer | undefined> {
  const rules = rulesIn(readDsl(text).lines).map(({ rule }) => rule);
  const evaluate = compileRules(rules, await prepareTools(rules));
  return evaluate(new HookEvent({ type: "tool:pre_execute", toolName: "bash", data }), isLate);
}

test("the first rule that matches decides", async () => {
  const text = 'args.a exists -> ask("first")\nargs.b exists -> deny("second")';
  expect(await answer(text, { args: { a: 1, b: 1 } })).toMatchObject({ action: "ask", reason: "first" });
  expect(await answer(text, { args: { b: 1 } })).toMatchObject({ action: "deny", reason: "second" });
});

test("a rule that continues ends the search", async () => {
  const text = 'args.a exists -> continue()\nargs.b exists -> deny("second")';
  expect(await answer(text, { args: { a: 1, b: 1 } })).toEqual({ action: "continue" });
});

test("where no rule matches the call continues", async () => {
  expect(await answer("args.a exists -> deny()", {})).toEqual({ action: "continue" });
  expect(await answer("", {})).toEqual({ action: "continue" });
});

describe("a rule without a reason gives itself as the reason", () => {
  const rows: [text: string, reason: string | undefined][] = [
    ['args.a equals "x" -> deny()', 'Denied by rule: args.a equals "x"'],
    ["args.a exists -> ask()", "A rule wants this approved: args.a exists"],
    ["args.a exists -> continue()", undefined],
    ["args.a exists -> modify(args.a, 1)", undefined],
  ];
  test.each(rows)("%s", async (text, reason) => {
    expect((await answer(text, { args: { a: "x" } }))?.reason).toBe(reason);
  });
});

describe("conditions add up", () => {
  const rows: [condition: string, holds: boolean][] = [
    ["args.a exists and args.b exists", true],
    ["args.a exists and args.c exists", false],
    ["args.a exists and args.b exists and args.c exists", false],
    ["args.c exists or args.a exists", true],
    ["args.c exists or args.d exists", false],
    ["args.c exists or args.d exists or args.a exists", true],
    ["not args.c exists", true],
    ["not (args.a exists and args.b exists)", false],
    ["args.c exists and args.c exists or args.a exists", true],
    ["args.c exists and (args.c exists or args.a exists)", false],
    ['event equals "tool:pre_execute"', true],
    ['event equals "PreToolUse"', true],
    ['type in ["Stop", "pre_tool_use"]', true],
    ['event equals "PostToolUse"', false],
    ['event not_equals "PreToolUse"', false],
    ['event not_in ["Stop", "PostToolUse"]', true],
    ['args.c not_equals "x"', false],
    ['not args.c equals "x"', true],
    ["args.c not_exists", true],
    ["args.list.* equals 2", true],
    ["args.list.* not_equals 2", false],
    ["args.list.* not_equals 9", true],
    ["args.none.* not_equals 9", false],
    ["args.none.* not_exists", true],
    ["args.list equals 2", true],
    ["args.list not_gt 2", true],
  ];
  test.each(rows)("%s: %s", async (condition, holds) => {
    const said = await answer(`${condition} -> deny()`, { args: { a: 1, b: 2, list: [1, 2], none: [] } });
    expect(said?.action).toBe(holds ? "deny" : "continue");
  });
});

test("a condition of thousands of parts is no deeper than one of two", async () => {
  for (const join of [" and ", " or "]) {
    const condition = Array.from({ length: 10_000 }, () => `args.a ${join === " or " ? "not_" : ""}exists`).join(join);
    expect(await answer(`${condition} -> deny("x")`, { args: { a: 1 } })).toMatchObject({
      action: join === " and " ? "deny" : "continue",
    });
  }
});

test("rules with regular expressions can be ended between two of them", async () => {
  const text = 'args.a matches "x" -> deny()\nargs.a exists -> deny()';
  expect(await answer(text, { args: { a: 1 } }, () => true)).toBeUndefined();
  expect(await answer(text, { args: { a: 1 } }, () => false)).toMatchObject({ action: "deny" });
  expect(await answer("args.a exists -> deny()", { args: { a: 1 } }, () => true)).toMatchObject({ action: "deny" });
});

test("a rule that says what to do instead says it with its reason", async () => {
  const entry = { field: "args.a", operator: "exists", action: "deny", reason: "No", remedy: "git stash" };
  const rules = readRules([entry]).written.map(({ rule }) => rule);
  const evaluate = compileRules(rules, await prepareTools(rules));
  const event = new HookEvent({ type: "tool:pre_execute", data: { args: { a: 1 } } });
  expect(evaluate(event)).toEqual({ action: "deny", reason: "No. Do instead: git stash" });
});

describe("a negated operator about what a call does needs something of that kind: what is missing never matches", () => {
  const rows: [condition: string, tool: string, args: object, holds: boolean][] = [
    ['call not_writes "src/**"', "Bash", { command: "ls" }, false],
    ['call not_writes "src/**"', "Bash", { command: "ls 2>/dev/null" }, false],
    ['call not_writes "src/**"', "Bash", { command: "echo x > a" }, true],
    ['call not_writes "src/**"', "Bash", { command: "echo x > src/a" }, false],
    ['call not_writes "src/**"', "Write", { file_path: "a" }, true],
    ['call not_writes "src/**"', "Write", { file_path: "src/a" }, false],
    ['call not_writes "src/**"', "Read", { file_path: "a" }, false],
    ['call not_reads "src/**"', "Read", { file_path: "a" }, true],
    ['call not_reads "src/**"', "Bash", { command: "true" }, false],
    ['call not_deletes "src/**"', "Bash", { command: "rm a" }, true],
    ['call not_network "*.example.org"', "WebFetch", { url: "https://evil.example.com/x" }, true],
    ['call not_network "*.example.org"', "WebFetch", { url: "https://a.example.org/x" }, false],
    ['call not_network "*.example.org"', "Bash", { command: "ls" }, false],
    ['call not_runs "git"', "Bash", { command: "ls" }, true],
    ['call not_runs "git"', "Write", { file_path: "a" }, false],
    ['call not_only_writes "src/**"', "Bash", { command: "ls" }, false],
    ['call not_only_writes "src/**"', "Bash", { command: "echo x | tee src/a b" }, true],
    ['call not_only_writes "src/**"', "Bash", { command: "echo 'unclosed" }, true],
    ['call not_only_writes "src/**"', "Write", { file_path: "src/a" }, false],
    ['call not_effect "privilege"', "Bash", { command: "ls" }, true],
    ['call not_effect "privilege"', "Read", { file_path: "a" }, true],
    ['args.command not_writes "src/**"', "Write", { file_path: "a" }, false],
    ['args.command not_runs "git"', "Bash", { command: "ls" }, true],
  ];
  test.each(rows)("%s on %s %j: %s", async (condition, tool, args, holds) => {
    expect(await holdsFor(condition, HookEvent.toolPreExecute(tool, args, { cwd: "/p" }))).toBe(holds);
  });
});

async function holdsFor(condition: string, event: HookEvent): Promise<boolean> {
  const { evaluate, problems } = await compileHookRules({ rules: `${condition} -> deny()`, inlineRules: undefined });
  expect(problems).toEqual([]);
  return evaluate(event)?.action === "deny";
}

const PATCH =
  "*** Begin Patch\n*** Update File: docs/a.md\n@@\n+x\n*** Update File: migrations/1.sql\n@@\n-a\n+drop KEY\n*** End Patch";

describe("what a rule says of a file holds for every agent and tool", () => {
  const writers: [tool: string, args: object][] = [
    ["Write", { file_path: "/p/migrations/1.sql", content: "drop KEY" }],
    ["Edit", { file_path: "/p/migrations/1.sql", old_string: "a", new_string: "drop KEY" }],
    ["write_file", { file_path: "migrations/1.sql", content: "drop KEY" }],
    ["apply_patch", { command: PATCH }],
    ["edit", { filePath: "/p/migrations/1.sql", newString: "drop KEY" }],
    ["create", { path: "/p/migrations/1.sql", file_text: "drop KEY" }],
    ["mcp__files__write_file", { path: "migrations/1.sql", content: "drop KEY" }],
    ["Bash", { command: "echo drop KEY > migrations/1.sql" }],
    ["Bash", { command: "cd migrations && cat > 1.sql <<'EOF'\ndrop KEY\nEOF" }],
  ];
  const conditions = [
    'path glob "migrations/**"',
    'path equals "migrations/1.sql"',
    'path starts_with "migrations/"',
    'path glob "**/*.sql"',
    'path glob "*.{sql,ddl}"',
    'file_path glob "migrations/*"',
    'args.file_path glob "migrations/*"',
    'paths glob "migrations/**"',
    'path_absolute equals "/p/migrations/1.sql"',
    'path_absolute glob "/p/migrations/**"',
    'call writes "migrations/**"',
    'call writes "/p/migrations/**"',
    'call writes "{migrations,seeds}/**"',
    'content contains "KEY"',
    'content matches "drop\\s+KEY"',
    "call exists",
  ];
  const rows = writers.flatMap(([tool, args]) => conditions.map((condition) => [condition, tool, args] as const));
  test.each(rows)("%s on %s %j", async (condition, tool, args) => {
    expect(await holdsFor(condition, HookEvent.toolPreExecute(tool, args, { cwd: "/p" }))).toBe(true);
  });

  test.each(writers)("a file of another folder is another file: %s %j", async (tool, args) => {
    const elsewhere = JSON.parse(JSON.stringify(args).replaceAll("migrations", "other"));
    const event = HookEvent.toolPreExecute(tool, elsewhere, { cwd: "/p" });
    for (const condition of conditions.filter((one) => one.includes("migrations")))
      expect(await holdsFor(condition, event), condition).toBe(false);
  });

  test("a path of a file pattern ends at a slash", async () => {
    const event = HookEvent.toolPreExecute("Write", { file_path: "/p/src/deep/a.ts" }, { cwd: "/p" });
    expect(await holdsFor('path glob "src/*.ts"', event)).toBe(false);
    expect(await holdsFor('path glob "src/**/*.ts"', event)).toBe(true);
    expect(await holdsFor('path glob "*.ts"', event)).toBe(true);
  });

  test("outside of the project a path is absolute", async () => {
    const event = HookEvent.toolPreExecute("Write", { file_path: "../etc/a" }, { cwd: "/p" });
    expect(await holdsFor('path equals "/etc/a"', event)).toBe(true);
    expect(await holdsFor('path glob "/etc/**"', event)).toBe(true);
  });

  test("the project counts, not the folder of the call", async () => {
    const event = HookEvent.toolPreExecute("Bash", { command: "rm 1.sql" }, { cwd: "/p/migrations" });
    attachRoot(event, "/p");
    expect(await holdsFor('path equals "migrations/1.sql"', event)).toBe(true);
    expect(await holdsFor('call deletes "migrations/**"', event)).toBe(true);
    expect(await holdsFor('call only_deletes "migrations/**"', event)).toBe(true);
  });

  test("the input's own key also has its value as it is written", async () => {
    const event = HookEvent.toolPreExecute("Write", { file_path: "/p/src/a.ts" }, { cwd: "/p" });
    expect(await holdsFor('args.file_path starts_with "/p/src/"', event)).toBe(true);
    expect(await holdsFor('path starts_with "/p/src/"', event)).toBe(false);
  });

  test("what a message says is its own content", async () => {
    const event = new HookEvent({ type: "session:message", data: { content: "hello" } });
    expect(await holdsFor('content equals "hello"', event)).toBe(true);
  });
});

describe("an allow-list holds when there is something, all of it fits, and nothing is unknown", () => {
  const rule = 'call network "*" and not call only_network ["*.example.org"]';
  test.each([
    ["curl https://registry.example.org/x", false],
    ["curl https://evil.example.com/x", true],
    ["curl https://registry.example.org/x; wget https://evil.example.com", true],
    ['curl "https://$host/x"', true],
    ["ls", false],
  ])("%s: %s", async (command, holds) => {
    expect(await holdsFor(rule, HookEvent.toolPreExecute("Bash", { command }))).toBe(holds);
  });

  test("a command line means the line alone", async () => {
    const patch = HookEvent.toolPreExecute("apply_patch", { command: PATCH }, { cwd: "/p" });
    expect(await holdsFor('args.command writes "**"', patch)).toBe(false);
    expect(await holdsFor('args.command runs "**"', patch)).toBe(false);
    const write = HookEvent.toolPreExecute("Write", { file_path: "a" });
    expect(await holdsFor('args.command writes "a"', write)).toBe(false);
    const line = HookEvent.toolPreExecute("Bash", { command: "echo x > a" });
    expect(await holdsFor('args.command writes "a"', line)).toBe(true);
  });
});

test("a warning passes, and its reason reaches the agent", async () => {
  const { evaluate } = await compileHookRules({
    rules: 'call runs "make" -> warn("use the task runner")',
    inlineRules: [
      { field: "call", operator: "runs", value: "npm", action: "warn", reason: "use pnpm", remedy: "pnpm i" },
    ],
  });
  const said = (command: string) => evaluate(HookEvent.toolPreExecute("Bash", { command }));
  const warned = { action: "continue", reason: "use the task runner", context: "use the task runner" };
  expect(said("make all")).toEqual(warned);
  expect(said("npm i")).toMatchObject({ action: "continue", context: "use pnpm. Do instead: pnpm i" });
  expect(said("ls")).toEqual({ action: "continue" });
});

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
