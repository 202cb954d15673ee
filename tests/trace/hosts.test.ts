import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHookEngine } from "../../src/hosts/hook-engine.ts";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";
import { ToolExecutionHooks } from "../../src/hosts/tool-execution.ts";

const INTENTS = `active_intents:
  - id: "INT-001"
    name: "Totals"
    status: "IN_PROGRESS"
    owned_scope: ["src/**"]
    constraints: []
    acceptance_criteria: []
`;

function workspace(): string {
  const root = mkdtempSync(join(tmpdir(), "sluice-hosts-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { XDG_STATE_HOME } = process.env;
  process.env.XDG_STATE_HOME = join(root, "state");
  onTestFinished(() => {
    if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
  });
  for (const folder of [".orchestration", "src"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, ".orchestration/active_intents.yaml"), INTENTS);
  writeFileSync(join(root, "src/a.ts"), "export const a = 1;\n");
  return root;
}

const recordsOf = (root: string) =>
  readFileSync(join(root, ".orchestration/agent_trace.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("an extension host's calls are recorded under the intent that its session selected", async () => {
  const root = workspace();
  const engine = createHookEngine({ root, sessionId: "s-9" });
  await engine.selectActiveIntent("INT-001");
  const call = { toolName: "write_to_file", toolInput: { path: "src/a.ts", content: "" }, toolUseId: "t1" };
  expect(await engine.preToolUse(call)).toMatchObject({ allow: true });
  writeFileSync(join(root, "src/a.ts"), "export const a = 2;\n");
  await engine.postToolUse(call, "done");
  expect(recordsOf(root)).toMatchObject([
    {
      intent_id: "INT-001",
      session_id: "s-9",
      tool_use_id: "t1",
      mutation_class: "INTENT_EVOLUTION",
      files: [{ relative_path: "src/a.ts", ranges: [{ start_line: 1, end_line: 1 }] }],
    },
  ]);
});

test("an end without a beginning is recorded as well, by the file as it is", async () => {
  const root = workspace();
  const engine = createHookEngine({ root, sessionId: "s-9" });
  await engine.postToolUse({ toolName: "write_to_file", toolInput: { path: "src/a.ts" } }, "done");
  expect(recordsOf(root)).toMatchObject([{ files: [{ relative_path: "src/a.ts", before: "unknown" }] }]);
});

test("a record that is lost is said aloud, and stands among the results as a failure", async () => {
  const root = workspace();
  mkdirSync(join(root, ".orchestration/agent_trace.jsonl"));
  const said = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const engine = createHookEngine({ root, sessionId: "s-9" });
  await engine.postToolUse({ toolName: "write_to_file", toolInput: { path: "src/a.ts" } }, "done");
  expect(said.mock.calls.flat()).toEqual([
    expect.stringMatching(/The change is not traced: .*agent_trace\.jsonl is a symlink, or neither .*remove it/),
  ]);
  const manager = new HooksManager({ root });
  manager.load();
  const call = { tool_name: "write_to_file", tool_args: { path: "src/a.ts" }, tool_result: "done" };
  expect(await manager.emit({ sessionId: "s" }, "tool:post_execute", call)).toMatchObject([
    {
      success: false,
      action: "continue",
      failure: { why: "exception" },
      context: expect.stringContaining("not traced"),
    },
  ]);
});

test("a wrapped tool is recorded", async () => {
  const root = workspace();
  const manager = new HooksManager({ root });
  manager.load();
  const hooks = new ToolExecutionHooks(manager);
  await hooks.wrapToolCall({ sessionId: "s" }, "write_file", { path: "src/b.ts" }, () =>
    writeFileSync(join(root, "src/b.ts"), "export {};\n"),
  );
  expect(recordsOf(root)).toMatchObject([{ files: [{ relative_path: "src/b.ts", created: true }] }]);
});
