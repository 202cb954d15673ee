import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { type Files, project } from "./project.ts";

/** A project in which a session has selected an intent; `tell` is what its agent reports. */
function worked(files: Files = {}) {
  const { root, env } = project(files);
  const around = { cwd: root, env: { ...process.env, ...env, SLUICE_RESIDENT: "0" } };
  const tell = (type: string, tool_name: string, tool_args: object, more: object = {}) => {
    const data = { tool_args, tool_use_id: JSON.stringify(tool_args), ...more };
    const input = JSON.stringify({ type, tool_name, session_id: "s1", cwd: root, data });
    return runCommand(["run", "json", "--cold"], { ...around, input });
  };
  const write = (path: string) => {
    tell("tool:pre_execute", "Write", { file_path: path });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "export const a = 1;\n");
    tell("tool:post_execute", "Write", { file_path: path }, { tool_result: "ok" });
  };
  tell("tool:pre_execute", "select_active_intent", { intent_id: "INT-001" });
  return {
    root,
    tell,
    write,
    sluice: (...args: string[]) => runCommand(args, around),
    text: (name: string) => readFileSync(join(root, name), "utf8"),
    isThere: (name: string) => existsSync(join(root, name)),
  };
}

const TESTS = { command: "npm test" };
const FAILED = "INT-001: `npm test` failed before it passed: Error: expected 401, got 200";

test("completing an intent writes the intent map, and its lessons into the memory file", () => {
  const at = worked({ "CLAUDE.md": "# Shop\n\n## Lessons\n\n- Use pnpm\n\n## Style\n\nx\n" });
  at.write("src/auth/a.ts");
  at.tell("tool:pre_execute", "Write", { file_path: "src/db.ts" });
  at.tell("tool:error", "Bash", TESTS, { error: "\nError: expected 401, got 200\n  at login.test.ts:3" });
  at.tell("tool:post_execute", "Bash", TESTS, { tool_result: "ok" });
  const done = at.sluice("intents", "done", "INT-001");
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("INT-001 is COMPLETED") });
  expect(done.out).toMatch(/intent_map\.md maps 1 intent\b[\s\S]*2 lessons are in .*CLAUDE\.md/);
  expect(at.text(".orchestration/intent_map.md")).toMatch(/## INT-001[\s\S]*src\/auth\/a\.ts/);
  const memory = at.text("CLAUDE.md");
  expect(memory).toContain(`## Lessons\n\n- Use pnpm\n- ${FAILED}\n- INT-001: changes of `);
  expect(memory).toMatch(/src\/db\.ts[^\n]*\n\n## Style\n\nx\n$/);
  expect(at.isThere("AGENTS.md")).toBe(false);

  const again = at.sluice("intents", "done", "INT-001", "--json");
  expect(at.text("CLAUDE.md")).toBe(memory);
  expect(JSON.parse(again.out)).toMatchObject({
    id: "INT-001",
    status: "COMPLETED",
    map: expect.stringMatching(/intent_map\.md$/),
    lessons: { file: "CLAUDE.md", lines: [FAILED, expect.stringContaining("src/db.ts")] },
  });
});

test("where nothing happened, nothing is written", () => {
  const at = worked();
  expect(at.sluice("intents", "done", "INT-001")).toMatchObject({ code: 0, out: "INT-001 is COMPLETED\n" });
  for (const name of ["CLAUDE.md", "AGENTS.md", ".orchestration/intent_map.md"]) expect(at.isThere(name)).toBe(false);
});

test("what only failed, what another intent did and what had to be read again are no lessons", () => {
  const at = worked({ "AGENTS.md": "# Shop\n" });
  at.tell("tool:error", "Bash", { command: "npm run lint" }, { error: "3 problems" });
  at.tell("tool:post_execute", "Bash", TESTS, { tool_result: "ok" });
  at.tell("tool:error", "Bash", TESTS, { error: "later" });
  at.sluice("intents", "new", "--id", "OTHER", "--name", "Other", "--scope", "x/**");
  at.sluice("intents", "start", "OTHER");
  at.tell("tool:pre_execute", "select_active_intent", { intent_id: "OTHER" });
  at.tell("tool:pre_execute", "Write", { file_path: "src/auth/a.ts" });
  expect(at.sluice("intents", "done", "INT-001").code).toBe(0);
  expect(at.text("AGENTS.md")).toBe("# Shop\n");
  expect(at.sluice("intents", "done", "OTHER").out).toContain("1 lesson is in AGENTS.md");
});

test("where a project has no memory file, lessons begin CLAUDE.md", () => {
  const at = worked();
  at.tell("tool:error", "Bash", TESTS, { error: "Error: expected 401, got 200" });
  at.tell("tool:post_execute", "Bash", TESTS, { tool_result: "ok" });
  expect(at.sluice("intents", "done", "INT-001").out).toContain("1 lesson is in CLAUDE.md");
  expect(at.text("CLAUDE.md")).toBe(`## Lessons\n\n- ${FAILED}\n`);
});
