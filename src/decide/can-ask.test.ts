import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type AgentCall, readCall } from "../adapters/read-call.ts";
import { aggregate } from "../decision/aggregate.ts";
import { canAskIn, fitFor } from "./can-ask.ts";

const started: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

describe("whether a person can be asked", () => {
  const shell = { tool_name: "run_shell_command", tool_input: { command: "ls" }, session_id: "s", cwd: "/w" };
  const gemini = nativeOf({ agent: "gemini-cli", text: JSON.stringify({ hook_event_name: "BeforeTool", ...shell }) });

  const claude = (mode: object, hook_event_name = "PreToolUse") =>
    nativeOf({
      agent: "claude-code",
      text: JSON.stringify({ ...shell, hook_event_name, tool_name: "Bash", ...mode }),
    });

  it.each([
    ["default", true],
    ["acceptEdits", true],
    ["auto", true],
    ["plan", false],
    ["dontAsk", false],
    ["bypassPermissions", false],
    ["a mode of tomorrow", false],
    ["", false],
    ["Default", false],
    [null, false],
    [["default"], false],
  ])("Claude Code in the mode %j: %s", (permission_mode, can) => {
    for (const hookEvent of ["PreToolUse", "PermissionRequest"])
      expect(canAskIn(claude({ permission_mode }, hookEvent), undefined)).toBe(can);
  });

  it.runIf(process.platform === "linux").each([
    [[], true],
    [["--permission-mode", "acceptEdits"], true],
    [["--dangerously-skip-permissions"], false],
    [["--allow-dangerously-skip-permissions"], false],
    [["--permission-mode", "bypassPermissions"], false],
    [["--permission-mode=bypassPermissions"], false],
  ])("Claude Code that names no mode and was started with %j: %s", async (words, can) => {
    const pid = await agentWith(words, "claude.js");
    expect(canAskIn(claude({}), pid)).toBe(can);
    expect(canAskIn(claude({ permission_mode: "default" }), pid)).toBe(true);
  });

  it.runIf(process.platform === "linux").each([
    [["-p", "do it"], false],
    [["--print", "do it"], false],
    [["-p", "--permission-prompt-tool", "stdio"], true],
    [["--input-format", "stream-json"], true],
  ])("Claude Code that was started with %j, in a mode that asks: %s", async (words, can) => {
    const pid = await agentWith(words, "claude.js");
    expect(canAskIn(claude({ permission_mode: "default" }), pid)).toBe(can);
  });

  it("a question in a mode that drops it is a denial that names the mode", () => {
    const native = claude({ permission_mode: "bypassPermissions" });
    const asks = { ...aggregate({ event: eventOf(native), results: [] }), action: "ask", reasons: ["sure?"] } as const;
    const { outcome, notes } = fitFor(native, () => canAskIn(native, undefined))(asks);
    expect(outcome).toMatchObject({ action: "deny", reason: "needs approval: sure?" });
    expect(notes).toEqual([
      'ask became deny: Claude Code in the mode "bypassPermissions" cannot ask its user at tool:pre_execute',
    ]);
  });

  it("an agent of which nothing is known can", () => {
    expect(canAskIn(gemini, undefined)).toBe(true);
    expect(canAskIn(gemini, process.pid)).toBe(true);
  });

  it.runIf(process.platform === "linux").each([
    [["-p", "do it"], false],
    [["--prompt=do it"], false],
    [[], false],
    [["--acp"], true],
  ])("Gemini CLI that was started without a terminal and with %j: %s", async (words, can) => {
    const pid = await agentWith(words);
    expect(canAskIn(gemini, pid)).toBe(can);
  });

  it("where it cannot, an ask is a denial that says so", () => {
    const asks = { ...aggregate({ event: eventOf(gemini), results: [] }), action: "ask", reasons: ["sure?"] } as const;
    const { outcome, notes } = fitFor(gemini, () => false)(asks);
    expect(outcome).toMatchObject({ action: "deny", reason: expect.stringContaining("sure?") });
    expect(notes).toEqual([expect.stringContaining("without a terminal")]);
    expect(fitFor(gemini, () => true)(asks).outcome.action).toBe("ask");
  });

  it("notices are words for the model, also where no hook says anything", () => {
    const silent = aggregate({ event: eventOf(gemini), results: [] });
    expect(fitFor(gemini, () => true, ["hooks.json is broken"])(silent).outcome.context).toBe("hooks.json is broken");
  });
});

function read(call: AgentCall) {
  const found = readCall(call);
  if (found.kind !== "event") throw new Error(found.kind);
  return found;
}

function nativeOf(call: AgentCall) {
  return read(call).native;
}

function eventOf({ adapter, payload }: ReturnType<typeof nativeOf>) {
  return read({ agent: adapter.id, text: JSON.stringify(payload) }).event;
}

/** A process that is named like the agent, with nothing but a pipe on its standard input. */
async function agentWith(words: readonly string[], name = "gemini.js"): Promise<number> {
  const program = join(mkdtempSync(join(tmpdir(), "sluice-ask-")), name);
  writeFileSync(program, 'console.log("up"); process.stdin.resume();');
  const child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "pipe", "ignore"] });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child.pid ?? 0;
}
