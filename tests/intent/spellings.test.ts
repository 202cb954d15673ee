import { beforeEach, expect, test } from "vitest";
import { createHookEngine, type HookEngine } from "../../src/index.ts";
import { project } from "./project.ts";

const { root, env } = project({ "src/auth/a.ts": "a\n", "db.ts": "d\n" });
let engine: HookEngine;
let sessions = 0;

// A denial is remembered for its session: each test has one of its own.
beforeEach(async () => {
  Object.assign(process.env, env);
  engine = createHookEngine({ root, sessionId: `s${++sessions}` });
  await engine.selectActiveIntent(" INT-001 ");
});

const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;

test.each<readonly [toolName: string, toolInput: (path: string) => object]>([
  ["apply_patch", (path) => ({ command: ["apply_patch", patch(path)] })],
  ["apply_patch", (path) => ({ input: [patch(path)] })],
  ["functions.apply_patch", (path) => ({ input: patch(path) })],
  ["functions.apply_patch", (path) => ({ patch: patch(path) })],
  ["Write", (path) => ({ file_path: `file://${root}/${path}`, content: "x" })],
  ["Write", (path) => ({ file_path: `file://${root}/${path.replace("a", "%61")}`, content: "x" })],
])("a path is found however it is handed over: %s", async (toolName, toolInput) => {
  expect(await engine.preToolUse({ toolName, toolInput: toolInput("src/auth/a.ts") })).toEqual({ allow: true });
  const said = await engine.preToolUse({ toolName, toolInput: toolInput("db.ts") });
  expect(said).toMatchObject({ code: "SCOPE_VIOLATION", reason: expect.stringContaining("does not own db.ts (") });
});

test("a path outside of the scope is named from the project's root, in one line", async () => {
  const write = (file_path: string, cwd?: string) =>
    engine.preToolUse({ toolName: "Write", toolInput: { file_path, content: "" }, cwd });
  expect(await write("src/auth/a.ts", "src")).toMatchObject({
    reason: expect.stringContaining("own src/src/auth/a.ts"),
  });
  expect(await write("a\nb")).toMatchObject({ reason: expect.stringContaining("own a\\nb (") });
});

test.each([
  "git restore --staged src/auth/a.ts",
  "git restore -S src/auth/a.ts && ls",
  "git rm --cached src/auth/a.ts",
])("what only git's own notes change by is like `git add`: %s", async (command) => {
  const call = { toolName: "Bash", toolInput: { command } };
  expect(await engine.preToolUse(call)).toEqual({ allow: true });
  const other = createHookEngine({ root, sessionId: "other" });
  expect(await other.preToolUse(call)).toMatchObject({ code: "INTENT_REQUIRED" });
});

test.each([
  "git restore --staged --worktree src/auth/a.ts",
  "git restore --staged --work src/auth/a.ts",
  "git restore --staged $WHAT",
])("and what touches the files as well is not: %s", async (command) => {
  expect(await engine.preToolUse({ toolName: "Bash", toolInput: { command } })).toMatchObject({ allow: false });
});
