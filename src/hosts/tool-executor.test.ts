import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  Hook,
  HookBlockedError,
  HookExecutor,
  HookRegistry,
  type Permissions,
  type Tool,
  ToolExecutor,
} from "../index.ts";
import type { ToolContext, ToolExecutorOptions } from "./tool-executor.ts";

let folder: string;
let calls: unknown[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-tools-")));
  calls = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes every event it matches into a file, behind all other hooks. */
const LOG = {
  event: "*",
  command: 'printf "%s %s %s\\n" "$SLUICE_EVENT" "$SLUICE_PERM_LEVEL" "$SLUICE_TOOL_ARGS" >> log',
  priority: 900,
};

function host(hooks: object[], options: Omit<ToolExecutorOptions, "executor"> = {}): ToolExecutor {
  const registry = new HookRegistry();
  registry.loadHooks([LOG, ...hooks].map((data) => Hook.fromJSON({ event: "tool:pre_execute", ...data })));
  return new ToolExecutor({ executor: new HookExecutor({ registry, workingDir: folder }), ...options });
}

const bash: Tool<unknown, unknown> = {
  name: "bash",
  execute(params) {
    calls.push(params);
    return { success: true };
  },
};
const broken: Tool = {
  name: "bash",
  execute() {
    throw new RangeError("disk full");
  },
};

const log = () =>
  existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n") : [];
const events = () => log().map((line) => line.split(" ")[0]);
const rewrite = (patch: object) => `echo '${JSON.stringify({ action: "modify", modified_data: { patch } })}'`;
const answer = (action: string, reason?: string) => `echo '${JSON.stringify({ action, reason })}'`;
const always = (said: "allow" | "deny" | "ask", prompt?: boolean): Permissions => ({
  check: (request) => {
    calls.push(["check", request.params]);
    return said;
  },
  ...(prompt === undefined ? {} : { prompt: async () => prompt }),
});

describe("a tool that succeeds", () => {
  test("has its pre-hooks before it and its post-hooks behind it, and returns its own result", async () => {
    const result = { success: true, deep: {} };
    const tool = { name: "bash", execute: () => result };
    expect(await host([]).execute(tool, { command: "ls" }, {})).toBe(result);
    expect(log()).toEqual(['tool:pre_execute  {"command":"ls"}', 'tool:post_execute  {"command":"ls"}']);
  });

  test("gets the caller's parameters and context, untouched", async () => {
    const [params, context] = [{ command: "ls" }, { sessionId: "s1", cwd: folder, extra: 1 }];
    const got: unknown[] = [];
    const tool = { name: "bash", execute: (...all: unknown[]) => got.push(...all) };
    await host([]).execute(tool, params, context);
    expect(got[0]).toBe(params);
    expect(got[1]).toBe(context);
  });

  test("may return a failure: that is a result, and post hooks hear it", async () => {
    const tool = { name: "bash", execute: () => ({ success: false, error: "no such file" }) };
    expect(await host([]).execute(tool, {})).toEqual({ success: false, error: "no such file" });
    expect(events()).toEqual(["tool:pre_execute", "tool:post_execute"]);
  });

  test("keeps its result, whatever post hooks say, change or break", async () => {
    const after = [
      { event: "tool:post_execute", command: "echo bad; exit 1" },
      { event: "tool:post_execute", command: `echo '{"action":"modify","modified_data":{"result":"***"}}'` },
      { event: "tool:post_execute", command: "sleep 30", timeout: 0.1 },
      { event: "tool:post_execute", args: ["/no/such/program"] },
    ];
    expect(await host(after).execute(bash, {})).toEqual({ success: true });
    expect(events()).toEqual(["tool:pre_execute", "tool:post_execute"]);
  });

  test("tells its session and folder to every hook", async () => {
    const hook = { event: "*", command: 'echo "$FORGE_SESSION_ID $OPENCODE_WORKING_DIR" >> seen' };
    await host([hook]).execute(bash, {}, { sessionId: "sess_123", cwd: folder });
    expect(readFileSync(join(folder, "seen"), "utf8")).toBe(`sess_123 ${folder}\n`.repeat(2));
  });
});

describe("a tool that throws", () => {
  test.each([
    ["an Error", new RangeError("disk full"), "disk full"],
    ["a text", "disk full", "disk full"],
    ["nothing", undefined, "undefined"],
    ["an object without a text", Object.create(null), "{}"],
  ])("%s: tool:error is heard, tool:post_execute is not, and the caller gets it", async (_what, thrown, text) => {
    const hook = { event: "PostToolUse", command: 'echo "$SLUICE_EVENT $SLUICE_ERROR" > seen; exit 1' };
    const tool = {
      name: "bash",
      execute: async () => {
        throw thrown;
      },
    };
    const caught = await host([hook])
      .execute(tool, {})
      .then(
        () => expect.unreachable(),
        (error) => error,
      );
    expect(caught).toBe(thrown);
    expect(events()).toEqual(["tool:pre_execute", "tool:error", "session:error"]);
    expect(readFileSync(join(folder, "seen"), "utf8")).toBe(`tool:error ${text}\n`);
  });
});

describe("pre-hooks", () => {
  test("that deny stop everything: no permission is asked for, no tool runs", async () => {
    const hooks = [{ command: "echo 'Blocked: dangerous command detected'\nexit 1" }, { command: "touch later" }];
    const run = host(hooks, { permissions: always("allow") }).execute(bash, { command: "rm" });
    await expect(run).rejects.toThrow(HookBlockedError);
    await expect(run).rejects.toThrow("Blocked: dangerous command detected");
    await expect(run).rejects.toMatchObject({
      result: { stdout: "Blocked: dangerous command detected\n", action: "deny" },
      decision: { action: "deny" },
    });
    expect(calls).toEqual([]);
    expect(events()).toEqual([]);
    expect(existsSync(join(folder, "later"))).toBe(false);
  });

  test("for one tool leave the others alone", async () => {
    const tools = host([{ event: "tool:pre_execute:bash", command: "exit 1" }]);
    await expect(tools.execute(bash, {})).rejects.toThrow(HookBlockedError);
    expect(await tools.execute({ name: "read", execute: () => "text" }, {})).toBe("text");
  });

  test.each([
    ["does not finish", { command: "sleep 30", timeout: 0.1 }],
    ["is not there", { args: ["/no/such/program"] }],
    ["prints half an answer", { command: "echo '{\"action\"'" }],
  ])("a hook that %s blocks, and follows onError where it says otherwise", async (_how, data) => {
    await expect(host([data]).execute(bash, {})).rejects.toThrow(HookBlockedError);
    expect(await host([{ ...data, onError: "continue" }]).execute(bash, {})).toEqual({ success: true });
  });

  test("that modify reach permission, tool and post hooks; the caller's object stays", async () => {
    const params = Object.freeze({ command: "ls", flags: Object.freeze(["-l"]) });
    const tools = host([{ command: rewrite({ command: "ls -a" }) }], { permissions: always("allow") });
    await tools.execute(bash, params);
    const changed = { command: "ls -a", flags: ["-l"] };
    expect(calls).toEqual([["check", changed], changed]);
    expect(log().at(-1)).toBe(`tool:post_execute  ${JSON.stringify(changed)}`);
    expect(params).toEqual({ command: "ls", flags: ["-l"] });
  });

  test("can change parameters that hold more than JSON", async () => {
    const callback = () => 1;
    await host([{ command: rewrite({ command: "pwd" }) }]).execute(bash, { command: "ls", callback });
    expect(calls).toEqual([{ command: "pwd", callback }]);
  });
});

describe("a hook that asks", () => {
  const hooks = [{ command: answer("ask", "really?") }];

  test("is a denial where no user can answer", async () => {
    await expect(host(hooks).execute(bash, {})).rejects.toThrow("bash needs approval: really?");
    expect(calls).toEqual([]);
  });

  test.each([
    [true, 1],
    [false, 0],
    ["no" as never, 0],
    [undefined as never, 0],
  ])("is put to onAsk, of which true alone is a yes: %j", async (says, ran) => {
    const asked: unknown[] = [];
    const onAsk = async ({ action, reasons }: { action: string; reasons: readonly string[] }) => {
      asked.push([action, ...reasons]);
      return says;
    };
    const run = host(hooks, { onAsk }).execute(bash, {});
    await (says === true ? run : expect(run).rejects.toThrow(HookBlockedError));
    expect(asked).toEqual([["ask", "really?"]]);
    expect(calls).toHaveLength(ran);
  });
});

describe("an abort", () => {
  test("in the middle of the pre-hooks reaches the caller, and no tool runs", async () => {
    const abort = new AbortController();
    const run = host([{ command: "touch begun; sleep 30" }]).execute(bash, {}, { signal: abort.signal });
    const settled = expect(run).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
    abort.abort();
    await settled;
    expect(calls).toEqual([]);
    expect(events()).toEqual([]);
  });

  test("in the middle of the tool is heard as tool:error, and the tool's own error reaches the caller", async () => {
    const abort = new AbortController();
    const tool: Tool = {
      name: "bash",
      execute: (_params, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          abort.abort(new Error("enough"));
        }),
    };
    await expect(host([]).execute(tool, {}, { signal: abort.signal })).rejects.toThrow("enough");
    expect(events()).toEqual(["tool:pre_execute", "tool:error", "session:error"]);
  });

  test("that comes before everything runs nothing", async () => {
    await expect(host([]).execute(broken, {}, { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
    expect(events()).toEqual([]);
  });
});

describe("what a host hands over", () => {
  const run = () => calls.push("ran");
  test.each<[what: string, code: string, tool: unknown, context?: unknown]>([
    ["a tool without a name", "host/no-tool-name", { execute: run }],
    ["a tool whose name is no text", "host/no-tool-name", { name: 5, execute: run }],
    ["no tool at all", "host/no-tool-name", null],
    ["a tool without a function", "host/no-execute", { name: "bash" }],
    ["a context that is null", "host/no-fields", bash, null],
    ["a context that is a text", "host/no-fields", bash, "s1"],
  ])("%s is refused before any hook runs", async (_what, code, tool, context) => {
    const problem = { name: "Problem", code, fix: expect.stringMatching(/^Pass /) };
    await expect(host([]).execute(tool as Tool, {}, context as ToolContext)).rejects.toMatchObject(problem);
    expect(calls).toEqual([]);
    expect(log()).toEqual([]);
  });
});
