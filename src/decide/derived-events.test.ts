import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolDeniedError } from "../decision/blocked.ts";
import { HookEvent } from "../event/event.ts";
import { HooksManager } from "../hosts/hooks-manager.ts";
import { ToolExecutionHooks } from "../hosts/tool-execution.ts";
import { ToolExecutor } from "../hosts/tool-executor.ts";
import { derivedEvents } from "./derived-events.ts";

let root: string;
let ran: unknown[];
const session = { sessionId: "s1" };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-gate-")));
  writeFileSync(join(root, "AGENTS.md"), "old");
  ran = [];
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Params {
  readonly path: string;
  readonly content: string;
}

const rule = (event: string, action: string, reason: string, more: object = {}) => ({
  type: "inline",
  matcher: { events: [event] },
  inline_rules: [{ field: "event", operator: "exists", value: true, action, reason, ...more }],
});
const managerOf = (hooks: object[]) => {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  return manager;
};
const write = (params: Params) => {
  ran.push(params);
  return "written";
};

type Run = (hooks: object[], params: Params, onAsk?: () => boolean, memoryPatterns?: string[]) => Promise<string>;
const HOSTS: [host: string, run: Run][] = [
  [
    "wrapToolCall",
    (hooks, params, onAsk, memoryPatterns) => {
      const options = { ...(onAsk && { onAsk }), ...(memoryPatterns && { memoryPatterns }) };
      return new ToolExecutionHooks(managerOf(hooks), options).wrapToolCall(session, "write", params, write);
    },
  ],
  [
    "ToolExecutor",
    (hooks, params, onAsk, memoryPatterns) => {
      const { executor } = managerOf(hooks);
      const options = { executor, ...(onAsk && { onAsk }), ...(memoryPatterns && { memoryPatterns }) };
      return new ToolExecutor(options).execute({ name: "write", execute: write }, params, { ...session, cwd: root });
    },
  ],
];

describe.each(HOSTS)("%s", (_host, run) => {
  test("a hook on memory:update is asked before the tool runs, and its denial blocks the tool", async () => {
    const hooks = [rule("MemoryUpdate", "deny", "memory is frozen")];
    await expect(run(hooks, { path: "AGENTS.md", content: "new" })).rejects.toThrow("memory is frozen");
    expect(ran).toEqual([]);
    expect(await run(hooks, { path: "a.ts", content: "new" })).toBe("written");
  });

  test("it can back the file up before it changes", async () => {
    const backup = {
      matcher: { events: ["MemoryUpdate"], path_patterns: ["AGENTS.md"] },
      command: "cat > seen; cp AGENTS.md kept",
    };
    await run([backup], { path: join(root, "AGENTS.md"), content: "new" });
    expect(readFileSync(join(root, "kept"), "utf8")).toBe("old");
    expect(JSON.parse(readFileSync(join(root, "seen"), "utf8"))).toMatchObject({
      type: "memory:update",
      tool_name: "write",
      session_id: "s1",
      data: { file_path: join(root, "AGENTS.md"), update_type: "modified", content_size: 3, pending: true },
    });
    expect(ran).toHaveLength(1);
  });

  test("it sees the input that earlier hooks made", async () => {
    const elsewhere = rule("PreToolUse", "modify", "", { modify_field: "args.path", modify_value: "CLAUDE.md" });
    const hooks = [elsewhere, rule("MemoryUpdate", "deny", "memory is frozen")];
    await expect(run(hooks, { path: "a.ts", content: "" })).rejects.toThrow("memory is frozen");
  });

  test("an ask is answered like any other", async () => {
    const hooks = [rule("MemoryUpdate", "ask", "sure?")];
    const params = { path: "AGENTS.md", content: "" };
    await expect(run(hooks, params)).rejects.toThrow("sure?");
    expect(await run(hooks, params, () => true)).toBe("written");
  });

  test("the host can name more files", async () => {
    const hooks = [rule("MemoryUpdate", "deny", "memory is frozen")];
    const params = { path: "notes/today.txt", content: "" };
    expect(await run(hooks, params)).toBe("written");
    await expect(run(hooks, params, undefined, ["notes/**"])).rejects.toThrow("memory is frozen");
  });

  test("a hook on something else is not bothered", async () => {
    await run([{ event: "tool:*", command: 'echo "$SLUICE_EVENT" >> log' }], { path: "AGENTS.md", content: "" });
    expect(readFileSync(join(root, "log"), "utf8")).toBe("tool:pre_execute\ntool:post_execute\n");
    expect(existsSync(join(root, "kept"))).toBe(false);
  });
});

test("wrapToolCall says that the tool was denied", async () => {
  const hooks = new ToolExecutionHooks(managerOf([rule("MemoryUpdate", "deny", "no")]));
  const run = hooks.wrapToolCall(session, "write", { path: "AGENTS.md", content: "" }, write);
  await expect(run).rejects.toThrow(ToolDeniedError);
});

test("no event is derived where no hook matches it, or where the hook is switched off", async () => {
  const call = HookEvent.toolPreExecute("write", { path: "AGENTS.md", content: "" }, { cwd: root });
  const manager = managerOf([{ name: "m", event: "memory:update", command: "true" }]);
  const names = async ({ executor }: HooksManager) => (await derivedEvents(call, { executor })).map(({ type }) => type);
  expect(await names(manager)).toEqual(["memory:update"]);
  manager.disableHook("m");
  expect(await names(manager)).toEqual([]);
  expect(await names(managerOf([]))).toEqual([]);
});
