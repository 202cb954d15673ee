import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HooksManager } from "./hooks-manager.ts";
import { SessionLifecycleHooks } from "./session-lifecycle.ts";
import { ToolExecutionHooks } from "./tool-execution.ts";

let root: string;
const session = { sessionId: "s1" };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-uses-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(root, file), "utf8");
const managerOf = (...hooks: object[]) => {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  return manager;
};
const life = (...hooks: object[]) => new SessionLifecycleHooks(managerOf(...hooks));
const command = (event: string, text: string, matcher: object = {}) => ({
  matcher: { events: [event], ...matcher },
  command: text,
});
const rules = (event: string, text: string) => ({ type: "inline", matcher: { events: [event] }, rules: text });
/** Runs a line of JavaScript with the event's data as `data`. */
const script = (event: string, line: string, matcher: object = {}) => ({
  matcher: { events: [event], ...matcher },
  args: [process.execPath, "-e", `const fs = require("fs"); const { data } = JSON.parse(fs.readFileSync(0)); ${line}`],
});

describe("hooks on Error", () => {
  test("log every error of tools and of the session to their collector", async () => {
    const manager = managerOf(command("Error", "cat >> errors.jsonl"));
    const tools = new ToolExecutionHooks(manager);
    const fails = () => Promise.reject(new RangeError("too far"));
    await expect(tools.wrapToolCall(session, "seek", {}, fails)).rejects.toThrow("too far");
    await new SessionLifecycleHooks(manager).onError(session, new Error("lost connection"));
    const lines = read("errors.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).data);
    expect(lines).toMatchObject([
      { error_type: "RangeError", tool: "seek", session_id: "s1" },
      { error_type: "Error", error_message: "lost connection", tool: null },
    ]);
  });

  test("notify somebody of critical errors only", async () => {
    const hook = script(
      "Error",
      'if (data.severity === "critical") fs.appendFileSync("pager", data.error_message + "\\n")',
    );
    const hooks = life(hook);
    await hooks.onError(session, new Error("small"));
    await hooks.onError(session, new Error("fire"), null, { severity: "critical" });
    expect(read("pager")).toBe("fire\n");
  });

  test("tell the host to try again after errors of one type", async () => {
    const hooks = life(rules("Error", 'error_type equals "TimeoutError" -> deny("retry")'));
    const retry = async (error: Error) => (await hooks.onError(session, error)).contexts.includes("retry");
    const slow = Object.assign(new Error("slow"), { name: "TimeoutError" });
    expect([await retry(slow), await retry(new TypeError("x"))]).toEqual([true, false]);
  });

  test("close the tools of a session after three errors", async () => {
    const manager = managerOf(
      command("Error", 'echo x >> "errors-$SLUICE_SESSION_ID"'),
      command(
        "PreToolUse",
        'n=$(wc -l < "errors-$SLUICE_SESSION_ID" 2>/dev/null || echo 0); [ "$n" -lt 3 ] || { echo "three errors already"; exit 1; }',
      ),
    );
    const tools = new ToolExecutionHooks(manager);
    const fails = () => Promise.reject(new Error("broken"));
    for (const _ of [1, 2, 3]) await expect(tools.wrapToolCall(session, "t", {}, fails)).rejects.toThrow("broken");
    await expect(tools.wrapToolCall(session, "t", {}, () => "fine")).rejects.toThrow("three errors already");
    expect(await tools.wrapToolCall({ sessionId: "other" }, "t", {}, () => "fine")).toBe("fine");
  });
});

describe("hooks on Checkpoint", () => {
  test("copy a checkpoint to where it is safe", async () => {
    mkdirSync(join(root, "safe"));
    writeFileSync(join(root, "state.json"), "{}");
    const hook = script("Checkpoint", 'fs.copyFileSync(data.storage_path, "safe/" + data.checkpoint_id)');
    await life(hook).onCheckpoint(session, "c7", { storagePath: join(root, "state.json") });
    expect(readdirSync(join(root, "safe"))).toEqual(["c7"]);
  });

  test("notice that checkpoints come too often, or too seldom", async () => {
    const line = `
      const ms = data.duration_since_last_ms;
      if (ms !== null && ms < 1000) fs.appendFileSync("notes", "too often\\n");
      if (data.message_count > 100) fs.appendFileSync("notes", "too seldom\\n");`;
    const hooks = life(script("Checkpoint", line));
    await hooks.onCheckpoint(session, "a");
    await hooks.onCheckpoint(session, "b", { duration_since_last_ms: 12, checkpoint_type: "periodic" });
    await hooks.onCheckpoint(session, "c", { messageCount: 500, durationSinceLastMs: 60_000 });
    expect(read("notes")).toBe("too often\ntoo seldom\n");
  });

  test("check that a checkpoint is whole, and say so to the host", async () => {
    const line = `
      try { JSON.parse(fs.readFileSync(data.storage_path)); }
      catch { console.log("checkpoint " + data.checkpoint_id + " cannot be read"); process.exit(1); }`;
    const hooks = life(script("Checkpoint", line));
    writeFileSync(join(root, "good"), "{}");
    writeFileSync(join(root, "bad"), "{");
    expect((await hooks.onCheckpoint(session, "a", { storage_path: "good" })).contexts).toEqual([]);
    const { action, contexts } = await hooks.onCheckpoint(session, "b", { storage_path: "bad" });
    expect([action, contexts]).toEqual(["continue", ["checkpoint b cannot be read"]]);
  });
});

describe("hooks on ModelSwitch", () => {
  test("keep a list of the models in use", async () => {
    const hooks = life(
      script("ModelSwitch", 'fs.appendFileSync("models", data.new_model + " " + data.triggered_by + "\\n")'),
    );
    await hooks.onModelSwitch(session, null, "small");
    await hooks.onModelSwitch(session, "small", "large", { triggeredBy: "automatic" });
    expect(read("models")).toBe("small user\nlarge automatic\n");
  });

  test("block models that are too expensive in a run without a user", async () => {
    const blocker = {
      name: "expensive-model-blocker",
      type: "inline",
      matcher: { events: ["ModelSwitch"] },
      inline_rules: [
        {
          field: "new_model",
          operator: "contains",
          value: "opus",
          action: "deny",
          reason: "Expensive model blocked in CI environment",
        },
      ],
    };
    const hooks = life(blocker);
    expect(await hooks.onModelSwitch(session, "haiku", "claude-opus-4")).toMatchObject({
      action: "deny",
      reasons: ["Expensive model blocked in CI environment"],
    });
    expect((await hooks.onModelSwitch(session, "haiku", "sonnet")).action).toBe("continue");
  });

  test("block one switch and not its way back", async () => {
    const hooks = life(
      rules("ModelSwitch", 'old_model equals "a" and new_model equals "b" -> deny("not from a to b")'),
    );
    const refused = async (from: string, to: string) =>
      (await hooks.onModelSwitch(session, from, to)).action === "deny";
    expect([await refused("a", "b"), await refused("b", "a"), await refused("a", "c")]).toEqual([true, false, false]);
  });

  test("notify of a switch to models of one kind", async () => {
    const hooks = life(command("ModelSwitch", "echo switched >> notes", { model_patterns: ["*opus*"] }));
    await hooks.onModelSwitch(session, "claude-opus-4", "sonnet");
    expect(existsSync(join(root, "notes"))).toBe(false);
    await hooks.onModelSwitch(session, "sonnet", "claude-opus-4");
    expect(read("notes")).toBe("switched\n");
  });
});

describe("hooks on MemoryUpdate", () => {
  const paths = { path_patterns: ["**/AGENTS.md"] };

  test("carry AGENTS.md to another project", async () => {
    mkdirSync(join(root, "other"));
    writeFileSync(join(root, "AGENTS.md"), "use pnpm");
    const hooks = life(script("MemoryUpdate", 'fs.copyFileSync(data.file_path, "other/AGENTS.md")', paths));
    await hooks.onMemoryUpdate(session, join(root, "AGENTS.md"), "modified");
    await hooks.onMemoryUpdate(session, join(root, "README.md"), "modified");
    expect(read("other/AGENTS.md")).toBe("use pnpm");
  });

  test("back a memory file up before a tool changes it", async () => {
    writeFileSync(join(root, "AGENTS.md"), "first");
    const tools = new ToolExecutionHooks(managerOf(command("MemoryUpdate", "cp AGENTS.md AGENTS.md.bak", paths)));
    const write = ({ path, content }: { path: string; content: string }) => writeFileSync(join(root, path), content);
    await tools.wrapToolCall(session, "write", { path: "AGENTS.md", content: "second" }, write);
    expect([read("AGENTS.md"), read("AGENTS.md.bak")]).toEqual(["second", "first"]);
  });

  test("refuse a memory file that is to become too long", async () => {
    const tools = new ToolExecutionHooks(
      managerOf(rules("MemoryUpdate", 'content_size gt 10 -> deny("keep it short")')),
    );
    const write = vi.fn();
    const args = (content: string) => ({ path: "AGENTS.md", content });
    await expect(tools.wrapToolCall(session, "write", args("x".repeat(11)), write)).rejects.toThrow("keep it short");
    await tools.wrapToolCall(session, "write", args("short"), write);
    expect(write.mock.calls).toEqual([[args("short")]]);
  });

  test("tell the team what happened to which file", async () => {
    const hooks = life(
      script("MemoryUpdate", 'fs.appendFileSync("team", data.update_type + " " + data.file_path + "\\n")'),
    );
    await hooks.onMemoryUpdate(session, "AGENTS.md", "created");
    await hooks.onMemoryUpdate(session, "CLAUDE.md", "deleted");
    expect(read("team")).toBe("created AGENTS.md\ndeleted CLAUDE.md\n");
  });
});
