import { beforeAll, describe, expect, test } from "vitest";
import { createHookEngine, type HookEngine } from "../../src/index.ts";
import { project } from "./project.ts";

const { root, env } = project({ "src/auth/a.ts": "a\n", "db.ts": "d\n" });
let engine: HookEngine;

beforeAll(async () => {
  Object.assign(process.env, env);
  engine = createHookEngine({ root, sessionId: "s" });
  await engine.selectActiveIntent("INT-001");
});

type Call = readonly [toolName: string, toolInput: object];

describe("a tool that does not say what it does writes every path it is given", () => {
  const words =
    "convert do generate truncate format process refactor fix chmod sync init export screenshot download run open";
  const others = words.split(" ").map((word): Call => [`mcp__x__${word}`, { path: "db.ts" }]);
  const keys =
    "file file_path filename output output_path out dest destination target dir directory folder outputPath saveFile";
  const named = keys.split(" ").map((key): Call => ["mcp__x__frob", { [key]: "db.ts" }]);
  test.each<Call>([
    ...others,
    ...named,
    ["mcp__x__convert", { path: "src/auth/a.ts", output: "db.ts" }],
    ["mcp__x__download", { url: "https://example.com/x", path: "db.ts" }],
    ["mcp__x__find_and_replace", { path: "db.ts" }],
    ["mcp__x__fetch_page", { url: "https://example.com/x", output_path: "db.ts" }],
    ["mcp_x_convert", { path: "db.ts" }],
    ["use_mcp_tool", { server_name: "x", tool_name: "convert", arguments: { path: "db.ts" } }],
    ["frob", { file_path: "db.ts" }],
    ["new_file", { path: "db.ts" }],
    ["image_gen", { output_path: "db.ts" }],
  ])("%s %j leaves the scope", async (toolName, toolInput) => {
    const said = await engine.preToolUse({ toolName, toolInput });
    expect(said).toMatchObject({ allow: false, code: "SCOPE_VIOLATION", reason: expect.stringContaining("db.ts") });
  });

  test.each<Call>([
    ["mcp__x__convert", { path: "src/auth/a.ts" }],
    ["mcp__x__convert", {}],
    ["mcp__x__query", { sql: "DROP TABLE x" }],
    ["mcp__x__query", { sql: "select 1" }],
    ["mcp__x__get_rows", { query: "select 1; drop table x" }],
    ["frob", { file_path: "src/auth/a.ts" }],
    ["runTests", { files: ["db.ts"] }],
    ["run_tests", { path: "db.ts" }],
    ["mcp__x__run_tests", { path: "db.ts" }],
  ])("%s %j may do more than it says", async (toolName, toolInput) => {
    const said = await engine.preToolUse({ toolName, toolInput });
    expect(said).toMatchObject({ allow: false, reason: expect.stringContaining("it is unknown whether") });
  });
});

test("a path outside of the scope is named once, however often the call names it", async () => {
  const toolInput = { path: "db.ts", content: "x" };
  const said = await engine.preToolUse({ toolName: "write_file", toolInput });
  expect("reason" in said && said.reason.split("db.ts (")).toHaveLength(2);
});

describe("a tool that runs tests", () => {
  test("does not write the files that it runs, but the report that it is told to write", async () => {
    const read = await engine.preToolUse({ toolName: "runTests", toolInput: { files: ["db.ts"] } });
    expect(read).toMatchObject({ reason: expect.not.stringContaining("does not own") });
    const toolInput = { files: ["src/auth/a.ts"], output: "report.xml" };
    const written = await engine.preToolUse({ toolName: "runTests", toolInput });
    expect(written).toMatchObject({ reason: expect.stringContaining("does not own report.xml") });
  });
});

describe("our own tools", () => {
  const names = ["mcp__sluice__", "mcp_sluice_", "sluice_", "sluice___", "sluice-", "MCP:", ""];
  const tools = ["list_intents", "select_active_intent", "get_intent_context", "request_scope", "record_lesson"];
  const calls = names.flatMap((name) => tools.map((tool) => `${name}${tool}`));
  test.each(calls)("%s passes in a session without an intent", async (toolName) => {
    const toolInput = { intent_id: "INT-001", paths: ["db.ts"], reason: "x", lesson: "x" };
    const said = await createHookEngine({ root, sessionId: toolName }).preToolUse({ toolName, toolInput });
    expect(said.allow).toBe(true);
  });

  test("the tools of a server of another name are not ours", async () => {
    const other = createHookEngine({ root, sessionId: "other" });
    const toolInput = { path: "src/auth/a.ts" };
    expect(await other.preToolUse({ toolName: "mcp__evil__record_lesson", toolInput })).toMatchObject({
      code: "INTENT_REQUIRED",
    });
  });
});

describe("what only looks, thinks, asks or plans goes on", () => {
  test.each<Call>([
    ["mcp__files__read_text_file", { path: "db.ts" }],
    ["mcp__files__list_directory", { path: "." }],
    ["mcp__files__directory_tree", { path: "." }],
    ["mcp__files__get_file_info", { path: "db.ts" }],
    ["mcp__files__search_files", { path: ".", pattern: "*.ts" }],
    ["mcp__code__find_symbol", { relative_path: "db.ts" }],
    ["mcp__ide__getDiagnostics", { uri: "file:///elsewhere/db.ts" }],
    ["mcp__git__git_status", { repo_path: "." }],
    ["mcp__git__git_log", { repo_path: "." }],
    ["mcp__hub__get_workflow_run", { run_id: 5 }],
    ["mcp__hub__get_update_status", {}],
    ["mcp__docs__query-docs", { query: "how to drop a table" }],
    ["mcp__docs__resolve-library-id", { libraryName: "zod" }],
    ["mcp__browser__navigate", { url: "https://example.com" }],
    ["mcp__browser__screenshot", {}],
    ["use_mcp_tool", { server_name: "x", tool_name: "read_file", arguments: { path: "db.ts" } }],
    ["access_mcp_resource", { server_name: "x", uri: "file:///elsewhere/db.ts" }],
    ["ReadMcpResourceTool", { server: "x", uri: "file:///elsewhere/db.ts" }],
    ["Task", { description: "look", prompt: "look at db.ts", subagent_type: "x" }],
    ["Agent", { prompt: "x" }],
    ["TodoWrite", { todos: [{ content: "x", status: "pending" }] }],
    ["update_plan", { plan: [{ step: "x" }] }],
    ["AskUserQuestion", { questions: [] }],
    ["ExitPlanMode", { plan: "x", planFilePath: "/elsewhere/plan.md" }],
    ["WebSearch", { query: "create table" }],
    ["WebFetch", { url: "https://example.com", prompt: "x" }],
    ["think", { thought: "x" }],
    ["LSP", { operation: "hover", filePath: "db.ts" }],
    ["get_errors", { filePaths: ["db.ts"] }],
    ["list_code_usages", { filePaths: ["db.ts"], symbolName: "x" }],
    ["read_lints", { paths: ["db.ts"] }],
    ["view_image", { path: "db.ts" }],
    ["frob", { level: 3 }],
    ["str_replace_based_edit_tool", { command: "view", path: "db.ts" }],
  ])("%s %j", async (toolName, toolInput) => {
    expect(await engine.preToolUse({ toolName, toolInput })).toEqual({ allow: true });
  });
});
