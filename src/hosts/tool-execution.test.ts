import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HookBlockedError, ToolDeniedError } from "../decision/blocked.ts";
import { PRE_TOOL_USE } from "../event/catalogue.ts";
import { HooksManager } from "./hooks-manager.ts";
import { ToolExecutionHooks, type ToolExecutionOptions } from "./tool-execution.ts";

let root: string;
const session = { sessionId: "s1" };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-wrap-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function around(hooks: object[], options?: ToolExecutionOptions): ToolExecutionHooks {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  return new ToolExecutionHooks(manager, options);
}

const inline = (rule: object, more: object = {}) => ({
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: [{ field: "tool", operator: "exists", value: true, ...rule }],
  ...more,
});
const says = (answer: object, event = "PreToolUse") => ({ event, command: `echo '${JSON.stringify(answer)}'` });
/** Writes every event it matches into a file of one line each. */
const LOG = { event: "*", priority: 900, command: "cat >> log" };
const heard = (): { type: string; data: Record<string, unknown> }[] => {
  if (!existsSync(join(root, "log"))) return [];
  // The last line may be half there.
  return readFileSync(join(root, "log"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};
const echo = async ({ command }: { command: string }) => `executed: ${command}`;

test("a hook can deny a tool's execution", async () => {
  const manager = new HooksManager({ root });
  manager.hooksConfig = {
    hooks: [
      {
        name: "test-deny",
        type: "inline",
        matcher: { events: [PRE_TOOL_USE], tools: ["bash"] },
        inline_rules: [
          {
            field: "args.command",
            operator: "contains",
            value: "rm",
            action: "deny",
            reason: "Destructive command blocked",
          },
        ],
      },
    ],
  };
  manager.load();
  await manager.registerWithSession({ session_id: "test" });
  const hooks = new ToolExecutionHooks(manager);
  const tool = vi.fn(echo);
  const run = hooks.wrapToolCall({ session_id: "test" }, "bash", { command: "rm -rf /" }, tool);
  await expect(run).rejects.toThrow(ToolDeniedError);
  await expect(run).rejects.toThrow("Destructive command blocked");
  await expect(run).rejects.toBeInstanceOf(HookBlockedError);
  expect(tool).not.toHaveBeenCalled();
  expect(await hooks.wrapToolCall({ session_id: "test" }, "bash", { command: "ls" }, tool)).toBe("executed: ls");
});

describe("without a manager", () => {
  test("a wrapped call is the plain call", async () => {
    expect(await new ToolExecutionHooks().wrapToolCall(session, "bash", { command: "rm" }, echo)).toBe("executed: rm");
  });

  test("the tool's own error reaches the caller, also one that is thrown at once", async () => {
    const error = new Error("broken");
    const fails = () => {
      throw error;
    };
    await expect(new ToolExecutionHooks().wrapToolCall(session, "bash", {}, fails)).rejects.toBe(error);
  });
});

describe("before the tool", () => {
  test("hooks see tool, arguments and session as they were handed over", async () => {
    await around([LOG]).wrapToolCall(session, "bash", { command: "ls" }, echo);
    expect(heard()[0]).toMatchObject({
      type: "tool:pre_execute",
      tool_name: "bash",
      session_id: "s1",
      cwd: root,
      data: { tool: "bash", args: { command: "ls" }, session_id: "s1" },
    });
  });

  test("a denial without a reason still says what happened", async () => {
    const run = around([inline({ action: "deny" })]).wrapToolCall(session, "bash", {}, () => 1);
    await expect(run).rejects.toThrow(ToolDeniedError);
    await expect(run).rejects.toMatchObject({ message: expect.stringMatching(/./) });
  });

  test("a hook that denies without a word leaves the message to the call", async () => {
    const silent = { name: "silent", event: "tool:pre_execute:bash", command: "exit 1" };
    const run = around([silent]).wrapToolCall(session, "bash", {}, () => 1);
    const reasons = ['hook "silent" exited with code 1'];
    await expect(run).rejects.toMatchObject({ message: "Tool call denied by hook", decision: { reasons } });
    const both = around([silent, says({ action: "deny", reason: "no" })]).wrapToolCall(session, "bash", {}, () => 1);
    await expect(both).rejects.toMatchObject({ message: "no" });
  });

  test.each([undefined, null, 5, "", " ", ["bash"], { name: "bash" }])(
    "a tool whose name is %j does not run, as no hook could look for it",
    async (name) => {
      const guard = inline({ action: "deny" }, { matcher: { events: ["PreToolUse"], tools: ["bash"] } });
      const tool = vi.fn();
      const run = around([guard, LOG]).wrapToolCall(session, name as string, { command: "rm -rf /" }, tool);
      await expect(run).rejects.toMatchObject({
        code: "host/no-tool-name",
        fix: expect.stringContaining('wrapToolCall(session, "bash", args, fn)'),
      });
      expect(tool).not.toHaveBeenCalled();
      expect(heard()).toEqual([]);
    },
  );

  test("a denied call fires nothing after it", async () => {
    const run = around([inline({ action: "deny", reason: "no" }), LOG]).wrapToolCall(session, "bash", {}, () => 1);
    await expect(run).rejects.toThrow("no");
    expect(heard().map(({ type }) => type)).toEqual(["tool:pre_execute"]);
  });

  const changes: [what: string, modified: object, used: object][] = [
    ["args replace the input", { args: { command: "pwd" } }, { command: "pwd" }],
    ["a patch merges into it", { patch: { command: "pwd", quiet: null } }, { command: "pwd" }],
    ["anything else leaves it", { other: 1 }, { command: "ls", quiet: true }],
  ];
  test.each(changes)("of a modification, %s", async (_what, modified_data, used) => {
    const args = { command: "ls", quiet: true };
    const tool = vi.fn((_: typeof args) => "done");
    await around([says({ action: "modify", modified_data }), LOG]).wrapToolCall(session, "bash", args, tool);
    expect(tool.mock.calls).toEqual([[used]]);
    expect(args).toEqual({ command: "ls", quiet: true });
    expect(heard().at(-1)).toMatchObject({ type: "tool:post_execute", data: { args: used } });
  });

  test("an ask is answered by the function that the host names, and is a denial without one", async () => {
    const ask = inline({ action: "ask", reason: "sure?" });
    const call = (options?: ToolExecutionOptions) =>
      around([ask], options).wrapToolCall(session, "bash", {}, () => "ran");
    await expect(call()).rejects.toThrow("sure?");
    await expect(call({ onAsk: () => false })).rejects.toThrow("sure?");
    expect(await call({ onAsk: async ({ reasons }) => reasons[0] === "sure?" })).toBe("ran");
  });
});

describe("after the tool", () => {
  test("hooks see result, duration and the arguments that were used; the caller gets the tool's own result", async () => {
    const result = { rows: [1, 2] };
    const hooks = around([says({ action: "modify", modified_data: { result: "other" } }, "tool:post_execute"), LOG]);
    expect(await hooks.wrapToolCall(session, "query", { n: 1 }, () => result)).toBe(result);
    const { type, data } = heard().at(-1) ?? {};
    expect(type).toBe("tool:post_execute");
    expect(data).toMatchObject({ tool: "query", args: { n: 1 }, error: null, session_id: "s1" });
    expect(data?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  test("a tool that throws fires tool:error and session:error, and its error reaches the caller", async () => {
    class QueryError extends Error {}
    const error = new QueryError("no table");
    const run = around([LOG]).wrapToolCall(session, "query", { n: 1 }, async () => Promise.reject(error));
    await expect(run).rejects.toBe(error);
    const [, failed, told] = heard();
    expect(heard().map(({ type }) => type)).toEqual(["tool:pre_execute", "tool:error", "session:error"]);
    expect(failed?.data).toMatchObject({ tool: "query", args: { n: 1 }, result: null, error: "no table" });
    expect(told?.data).toMatchObject({
      error_type: "QueryError",
      error_message: "no table",
      tool: "query",
      session_id: "s1",
      severity: "error",
      stack_trace: expect.stringContaining("tool-execution.test."),
    });
  });

  test("PostToolUse matches both ends, tool:post_execute only the good one, Error only those of its tools", async () => {
    const note = (word: string, matcher: object) => ({ matcher, command: `echo ${word} >> log` });
    const hooks = around([
      note("post", { events: ["PostToolUse"] }),
      note("good", { events: ["tool:post_execute"] }),
      note("error", { events: ["Error"], tools: ["a"] }),
    ]);
    const fails = () => Promise.reject(new Error("x"));
    await hooks.wrapToolCall(session, "a", {}, () => 1);
    await expect(hooks.wrapToolCall(session, "a", {}, fails)).rejects.toThrow("x");
    await expect(hooks.wrapToolCall(session, "b", {}, fails)).rejects.toThrow("x");
    expect(readFileSync(join(root, "log"), "utf8").split("\n").sort()).toEqual([
      "",
      "error",
      "good",
      "post",
      "post",
      "post",
    ]);
  });

  const thrown: [what: string, error: unknown, type: string, message: string][] = [
    ["a text", "just words", "string", "just words"],
    ["nothing", undefined, "undefined", "undefined"],
    ["an object that cannot be text", Object.create(null), "object", "{}"],
    ["a very long message", new Error("x".repeat(2_000_000)), "Error", "x".repeat(1_000_000)],
  ];
  test.each(thrown)("%s can be thrown too", async (_what, error, type, message) => {
    const hooks = around([{ event: "session:error", command: "cat > seen.json" }]);
    const run = hooks.wrapToolCall(session, "t", {}, () => Promise.reject(error));
    await expect(run.catch((reason) => ({ reason }))).resolves.toEqual({ reason: error });
    const { data } = JSON.parse(readFileSync(join(root, "seen.json"), "utf8"));
    expect(data.error_type).toBe(type);
    expect(data.error_message === message).toBe(true);
  });

  test.each(["exit 1", "exit 7", "kill -9 $$", 'echo "{"'])(
    "a post hook that ends with `%s` turns no success into a failure",
    async (command) => {
      const hooks = around([{ event: "tool:post_execute", command }, LOG]);
      expect(await hooks.wrapToolCall(session, "t", {}, () => "fine")).toBe("fine");
      expect(heard().map(({ type }) => type)).toEqual(["tool:pre_execute", "tool:post_execute"]);
    },
  );

  test("a result that no hook can read turns no success into a failure, and is told", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const manager = new HooksManager({ root });
    manager.hooksConfig = { hooks: [] };
    const { executor } = manager;
    const decide = executor.decide.bind(executor);
    vi.spyOn(executor, "decide").mockImplementation((event) =>
      event.isGate ? decide(event) : Promise.reject(new Error("unreadable")),
    );
    expect(await new ToolExecutionHooks(manager).wrapToolCall(session, "t", {}, () => "fine")).toBe("fine");
    expect(warned.mock.calls[0]?.[0]).toContain("unreadable");
    warned.mockRestore();
  });
});

describe("an abort", () => {
  const aborting = (ms: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), ms);
    return controller.signal;
  };

  test("while hooks run ends them, and the tool never runs", async () => {
    const tool = vi.fn();
    const hooks = around([{ event: "PreToolUse", command: "sleep 30; echo late > late" }]);
    await expect(hooks.wrapToolCall(session, "t", {}, tool, { signal: aborting(100) })).rejects.toThrow("enough");
    expect(tool).not.toHaveBeenCalled();
  });

  test("while the tool runs reaches the caller, though the tool never ends, and hooks hear of it", async () => {
    const forever = () => new Promise(() => {});
    const run = around([LOG]).wrapToolCall(session, "t", {}, forever, { signal: aborting(300) });
    await expect(run).rejects.toThrow("enough");
    expect(heard().map(({ type }) => type)).toEqual(["tool:pre_execute", "tool:error", "session:error"]);
    expect(heard()[1]?.data.error).toBe("enough");
  });

  test("leaves hooks that hear of it little time", async () => {
    const hooks = around([{ event: "tool:error", command: "sleep 30" }]);
    const began = performance.now();
    const run = hooks.wrapToolCall(session, "t", {}, () => new Promise(() => {}), { signal: aborting(50) });
    await expect(run).rejects.toThrow("enough");
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test("after the tool has ended leaves its result", async () => {
    const hooks = around([{ event: "tool:post_execute", command: "sleep 30" }]);
    expect(await hooks.wrapToolCall(session, "t", {}, () => "done", { signal: aborting(200) })).toBe("done");
  });

  test("before anything began lets nothing run", async () => {
    const tool = vi.fn();
    const run = around([]).wrapToolCall(session, "t", {}, tool, { signal: AbortSignal.abort(new Error("enough")) });
    await expect(run).rejects.toThrow("enough");
    expect(tool).not.toHaveBeenCalled();
  });
});
