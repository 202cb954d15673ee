import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Hook, HookEvent, HookExecutor, HookRegistry, HooksManager } from "../../src/index.ts";
import { project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";

/** One hook as a file has it, and what a message has to hold. */
type Row = readonly [name: string, hook: Readonly<Record<string, unknown>>, fix: string];

const gate = { matcher: { events: ["PreToolUse"], tools: ["Bash"] }, on_error: "continue" };
const rule = { field: "args.command", operator: "contains", value: "rm", action: "deny" };

const BROKEN: readonly Row[] = [
  ["an action that does not exist", { ...gate, inline_rules: [{ ...rule, action: "denny" }] }, '"deny"'],
  ["an operator that does not exist", { ...gate, inline_rules: [{ ...rule, operator: "contians" }] }, '"contains"'],
  ["a broken line of rules", { ...gate, rules: 'args.command contains "rm" - deny("no")' }, "->"],
  ["a regular expression that cannot be read", { ...gate, rules: 'args.command matches "(" -> deny()' }, "Close it"],
  ["a field that does not exist", { ...gate, rules: 'args.comand contains "rm" -> deny()' }, '"args.command"'],
  ["an agent that does not exist", { ...gate, rules: 'agent equals "claude" -> deny()' }, '"claude-code"'],
  ["a tool that does not exist", { ...gate, rules: 'tool in ["Bahs", "Edit"] -> deny()' }, '"bash"'],
  ["a tool kind that does not exist", { event: "tool:pre_execute:@shel", command: "true" }, '"@shell"'],
  ["an event that does not exist", { event: "tool:pre_exekute", command: "true" }, '"tool:pre_execute"'],
  ["an alias that does not exist", { event: "PreToolUze:Bash", command: "true" }, '"PreToolUse:Bash"'],
  ["a kind of hook that does not exist", { ...gate, type: "comand", command: "true" }, '"command"'],
  ["a condition that no matcher has", { matcher: { event: ["PreToolUse"] }, command: "true" }, '"events"'],
  ["an empty tool", { event: "tool:pre_execute:", command: "true" }, "last colon"],
  ["a fourth part", { event: "tool:pre_execute:Bash:x", command: "true" }, "category:event:tool"],
  ["no event", { evnt: "tool:pre_execute", command: "true" }, "Rename `evnt`"],
  ["nothing to do", { event: "tool:pre_execute", comand: "true" }, "Rename `comand`"],
  ["a condition of a member", { ...gate, when: { if: "tool equal", then: { rules: "tool exists -> deny()" } } }, ""],
  [
    "a member",
    { ...gate, all: [{ rules: "tool exits -> deny()" }, { rules: "tool exists -> continue()" }] },
    '"exists"',
  ],
];

/** The answer of `sluice run` to a harmless shell call. */
function answered(hooks: readonly object[], agent: string, call: object, before: string = "") {
  const { root, home } = project({ ".sluice/hooks.json": JSON.stringify({ hooks }), note: before });
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
  const input = JSON.stringify({ session_id: "s", cwd: root, ...call });
  const ended = runCommand(["run", agent], { cwd: root, env: { ...env, SLUICE_RESIDENT: "0" }, input });
  return { ...ended, root };
}

const BASH = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

describe("a hook that does not compile shuts its gate, whatever its on_error is", () => {
  it.each(BROKEN)("%s", (_, hook, fix) => {
    const { out, root } = answered([{ name: "guard", ...hook }], "claude-code", BASH);
    const { permissionDecision, permissionDecisionReason } = JSON.parse(out || "{}").hookSpecificOutput ?? {};
    expect(permissionDecision).toBe("ask");
    expect(permissionDecisionReason).toContain(join(root, ".sluice/hooks.json:"));
    expect(permissionDecisionReason).toContain(fix);
  });

  it("denies where the agent cannot ask", () => {
    const { out } = answered([{ ...gate, inline_rules: [{ ...rule, action: "denny" }] }], "codex", BASH);
    expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("deny");
  });

  it("and calls that the hook would not have matched pass", () => {
    const read = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: "note" } };
    for (const [, hook] of BROKEN.slice(0, 7)) {
      const { out } = answered([{ name: "guard", ...hook }], "claude-code", read);
      expect(out).not.toContain("permissionDecision");
    }
  });

  it("and the hooks beside it still decide", () => {
    const hooks = [
      { event: "tool:pre_exekute", command: "true" },
      { event: "tool:pre_execute", rules: "tool exists -> deny()" },
    ];
    const { out } = answered(hooks, "claude-code", BASH);
    expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("deny");
  });

  it("and a hook that is off, in the background or in monitor mode shuts none", () => {
    const off = [{ enabled: false }, { async: true }, { mode: "monitor" }];
    for (const more of off) {
      const hooks = [
        { event: "tool:pre_exekute", command: "true", ...more },
        { ...gate, rules: "tool exits -> deny()", ...more },
      ];
      expect(answered(hooks, "claude-code", BASH).out).not.toContain("permissionDecision");
    }
  });
});

const UNREAD: unknown = expect.stringContaining("cannot be read: ");

describe("in a program it throws", () => {
  it.each(BROKEN)("%s", (_, hook, fix) => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-shut-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const refused = expect.objectContaining({ name: "Problem", fix: expect.stringContaining(fix) });
    const registry = new HookRegistry();
    expect(() => Hook.fromJSON(hook)).toThrowError(refused);
    expect(() => new Hook(hook)).toThrowError(refused);
    expect(() => registry.register(hook)).toThrowError(refused);
    expect(() => registry.loadHooks([{ event: "*", command: "true" }, hook])).toThrowError(refused);
    expect(registry.size).toBe(0);
    const manager = new HooksManager({ root: folder });
    expect(() => {
      manager.hooksConfig = { hooks: [hook] };
    }).toThrowError(refused);
  });

  it("but a file that the program loads shuts its gates there too", async () => {
    const { root } = project({});
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "own"));
    onTestFinished(() => void vi.unstubAllEnvs());
    mkdirSync(join(root, "own/sluice"), { recursive: true });
    for (const [name, hook] of BROKEN) {
      writeFileSync(join(root, "own/sluice/hooks.json"), JSON.stringify({ hooks: [{ name: "guard", ...hook }] }));
      const manager = new HooksManager({ root });
      manager.load();
      const { action, reasons } = await manager.decide({ sessionId: "s" }, "PreToolUse", {
        tool: "Bash",
        args: { command: "ls" },
      });
      expect([name, action, reasons.join()]).toEqual([name, expect.stringMatching(/^(?:ask|deny)$/), UNREAD]);
    }
  });

  it("and names that a program may have of its own do not", async () => {
    const own = [
      { event: "tool:pre_execute:deploy", rules: 'args.custom_field equals "x" -> deny()' },
      { event: "tool:pre_execute:write_files", rules: 'tool equals "write_files" -> deny()' },
      { event: "tool:pre_execute:acme:deploy", command: "true" },
      { matcher: { tools: ["mcp__db__query", "Bash", "BASH"] }, rules: 'my_field contains "x" -> deny()' },
    ];
    const registry = new HookRegistry();
    registry.loadHooks(own.map((one) => Hook.fromJSON(one)));
    expect(registry.size).toBe(own.length);
    const event = HookEvent.toolPreExecute("deploy", { custom_field: "x" });
    expect((await new HookExecutor({ registry }).decide(event)).action).toBe("deny");
  });
});
