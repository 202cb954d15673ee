import { join } from "node:path";
import { expect, test } from "vitest";
import { createHookEngine, HooksManager, ToolExecutionHooks } from "../../src/index.ts";
import { runCommand } from "../command-server/run-command.ts";
import { project, put, within } from "./project.ts";

const FILE = "src/auth/login.ts";
const STALE = expect.stringMatching(
  /STALE_WRITE: src\/auth\/login\.ts has changed since this session last read it.*Read it again, then write\./,
);

/** A project whose file is there, and the act of another program on it. */
function begun() {
  const { root, env } = project({ [FILE]: "export const a = 1;\n" });
  return { root, env, changes: () => put(join(root, FILE), `export const a = ${Math.random()};\n`) };
}

test("createHookEngine denies a stale write with STALE_WRITE until the file was read again", async () => {
  const { root, env, changes } = begun();
  await within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s1" });
    await engine.selectActiveIntent("INT-001");
    const read = () => engine.postToolUse({ toolName: "read_file", toolInput: { path: FILE } }, "text");
    await read();
    changes();
    const calls = [
      { toolName: "write_to_file", toolInput: { path: FILE, content: "x" } },
      { toolName: "Edit", toolInput: { file_path: FILE, old_string: "1", new_string: "2" } },
      { toolName: "apply_diff", toolInput: { path: FILE, diff: "…" } },
    ];
    for (const call of calls)
      expect(await engine.preToolUse(call)).toEqual({ allow: false, code: "STALE_WRITE", reason: STALE });
    await read();
    for (const call of calls) expect(await engine.preToolUse(call)).toMatchObject({ allow: true });
  });
});

test("wrapToolCall throws the same denial, and the tool does not run", async () => {
  const { root, env, changes } = begun();
  await within(env, async () => {
    const manager = new HooksManager({ root });
    manager.load();
    const hooks = new ToolExecutionHooks(manager);
    const session = { sessionId: "s2" };
    await hooks.wrapToolCall(session, "select_active_intent", { intent_id: "INT-001" }, () => "");
    await hooks.wrapToolCall(session, "read_file", { path: FILE }, () => "text");
    changes();
    const write = hooks.wrapToolCall(session, "write_file", { path: FILE, content: "x" }, () => {
      throw new Error("it ran");
    });
    await expect(write).rejects.toMatchObject({ message: STALE });
  });
});

test.each([
  ["claude-code", { tool_name: "Write", tool_input: { file_path: FILE, content: "x" } }],
  ["claude-code", { tool_name: "Edit", tool_input: { file_path: FILE, old_string: "1", new_string: "2" } }],
  ["codex", { tool_name: "apply_patch", tool_input: { command: patchOf(FILE) }, turn_id: "t", model: "m" }],
])("sluice run denies it for %s: %j", (agent, call) => {
  const { root, env, changes } = begun();
  const tell = (payload: object) => {
    const input = JSON.stringify({ session_id: "s3", cwd: root, ...payload });
    return runCommand(["run", agent, "--cold"], {
      cwd: root,
      env: { ...process.env, ...env, SLUICE_RESIDENT: "0" },
      input,
    });
  };
  const about = { turn_id: "t", model: "m" };
  tell({
    hook_event_name: "PreToolUse",
    tool_name: "mcp__sluice__select_active_intent",
    tool_input: { intent_id: "INT-001" },
    ...about,
  });
  tell({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: `cat ${FILE}` },
    tool_response: "",
    ...about,
  });
  changes();
  const { hookSpecificOutput } = JSON.parse(tell({ hook_event_name: "PreToolUse", ...call }).out);
  expect(hookSpecificOutput).toMatchObject({ permissionDecision: "deny", permissionDecisionReason: STALE });
});

function patchOf(file: string): string {
  return `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
}
