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
import type { ToolExecutorOptions } from "./tool-executor.ts";

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

describe("permissions", () => {
  const levels: [what: string, permissions: Permissions, heard: string[], runs: boolean][] = [
    ["allow", always("allow"), ["check allow", "granted allow"], true],
    ["deny", always("deny"), ["check deny", "denied deny"], false],
    ["ask, yes", always("ask", true), ["check ask", "prompt ask", "granted ask"], true],
    ["ask, no", always("ask", false), ["check ask", "prompt ask", "denied ask"], false],
    ["ask, no user there", always("ask"), ["check ask", "denied ask"], false],
    ["another word", { check: () => true as never }, ["check deny", "denied deny"], false],
    ["later", { check: async () => "allow" as const }, ["check allow", "granted allow"], true],
  ];
  test.each(levels)("%s", async (_what, permissions, heard, runs) => {
    const run = host([], { permissions }).execute(bash, { command: "ls" });
    if (runs) await run;
    else await expect(run).rejects.toThrow("bash blocked: permission denied for bash");
    const between = heard.map((hookEvent) => `permission:${hookEvent} {"command":"ls"}`);
    const first = 'tool:pre_execute  {"command":"ls"}';
    expect(log()).toEqual([first, ...between, ...(runs ? ['tool:post_execute  {"command":"ls"}'] : [])]);
    expect(calls.filter((call) => !Array.isArray(call))).toHaveLength(runs ? 1 : 0);
  });

  test("a refusal says no in every reading of its decision", async () => {
    const run = host([], { permissions: always("deny") }).execute(bash, {});
    const { decision } = (await run.catch((caught: HookBlockedError) => caught)) as HookBlockedError;
    expect(decision.action).toBe("deny");
    expect(decision.toHookDecision()).toEqual({
      allow: false,
      code: "DESTRUCTIVE_BLOCKED",
      reason: "permission denied for bash",
    });
  });

  test("a user's pre-hook that allows answers what would be asked, and lifts no denial", async () => {
    const hooks = [{ command: answer("allow") }];
    await host(hooks, { permissions: always("ask") }).execute(bash, {});
    await expect(host(hooks, { permissions: always("deny") }).execute(bash, {})).rejects.toThrow(HookBlockedError);
  });

  test("a permission system that breaks lets nothing through", async () => {
    const permissions = { check: () => Promise.reject(new Error("offline")) };
    await expect(host([], { permissions }).execute(bash, {})).rejects.toThrow("offline");
    expect(calls).toEqual([]);
  });
});

describe("hooks on permission:check", () => {
  const check = (command: string) => ({ event: "permission:check", command });

  test("can deny what was allowed", async () => {
    const run = host([check("echo not today; exit 1")], { permissions: always("allow") }).execute(bash, {});
    await expect(run).rejects.toThrow("not today");
    expect(events().slice(-1)).toEqual(["permission:denied"]);
    expect(calls).toEqual([["check", {}]]);
  });

  test("can want somebody asked", async () => {
    const hooks = [check(answer("ask", "sure?"))];
    await host(hooks, { permissions: { ...always("allow"), prompt: () => true } }).execute(bash, {});
    await host(hooks, { permissions: always("allow"), onAsk: () => true }).execute(bash, {});
    for (const permissions of [always("allow"), always("ask"), always("deny", true)]) {
      await expect(host(hooks, { permissions }).execute(bash, {})).rejects.toThrow(HookBlockedError);
    }
  });

  const unanswered: [what: string, options: Omit<ToolExecutorOptions, "executor">][] = [
    ["no user is there to ask", { permissions: always("allow") }],
    ["the user says no", { permissions: always("allow", false) }],
    ["the host's answer to hooks is no", { permissions: always("allow"), onAsk: () => false }],
    ["the user says no in a text", { permissions: always("allow", "no" as never) }],
    ["the permission system asks too", { permissions: always("ask", false) }],
  ];
  test.each(unanswered)("that want somebody asked keep their words where %s", async (_what, options) => {
    const run = host([{ name: "careful", ...check(answer("ask", "sure?")) }], options).execute(bash, {});
    await expect(run).rejects.toMatchObject({
      message: "bash needs approval: sure?",
      result: { hook: { name: "careful" }, reason: "sure?" },
      decision: { reasons: ["sure?"] },
    });
    expect(events().slice(-1)).toEqual(["permission:denied"]);
    expect(calls.filter((call) => !Array.isArray(call))).toEqual([]);
  });

  test("can approve what would be asked", async () => {
    await host([check(answer("allow"))], { permissions: always("ask") }).execute(bash, {});
    expect(events()).not.toContain("permission:prompt");
  });

  test("that modify are looked at again by the pre-hooks and the permission system", async () => {
    const watch = { command: 'printf "%s\\n" "$SLUICE_TOOL_ARGS" >> seen' };
    await host([watch, check(rewrite({ command: "pwd" }))], { permissions: always("allow") }).execute(bash, {
      command: "ls",
    });
    expect(calls).toEqual([["check", { command: "ls" }], ["check", { command: "pwd" }], { command: "pwd" }]);
    expect(readFileSync(join(folder, "seen"), "utf8")).toBe('{"command":"ls"}\n{"command":"pwd"}\n');
  });

  test("that modify cannot slip past a guard", async () => {
    const guard = { command: 'case "$SLUICE_TOOL_ARGS" in *rm*) echo no rm; exit 1;; esac' };
    const run = host([guard, check(rewrite({ command: "rm" }))], { permissions: always("allow") }).execute(bash, {});
    await expect(run).rejects.toThrow("no rm");
    expect(events()).not.toContain("permission:granted");
  });

  test("that modify cannot use an approval of the older input", async () => {
    const approve = { command: `case "$SLUICE_TOOL_ARGS" in *ls*) ${answer("allow")};; esac` };
    const hooks = [approve, check(rewrite({ command: "rm" }))];
    const run = host(hooks, { permissions: always("ask") }).execute(bash, { command: "ls" });
    await expect(run).rejects.toThrow("permission denied");
    expect(calls.filter((call) => !Array.isArray(call))).toEqual([]);
  });

  test("that modify what pre-hooks modify did not settle", async () => {
    const hooks = [{ command: rewrite({ command: "a" }) }, check(rewrite({ command: "b" }))];
    const run = host(hooks, { permissions: always("allow") }).execute(bash, {});
    await expect(run).rejects.toThrow("did not settle");
    await expect(run).rejects.toMatchObject({ decision: { action: "deny" } });
  });
});
