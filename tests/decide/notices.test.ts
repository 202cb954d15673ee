import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { main } from "../../src/cli/main.ts";
import { answer } from "../../src/decide/answer.ts";
import { readLayersForCall } from "../../src/decide/layers.ts";
import { examineTampering } from "../../src/doctor/tampering.ts";
import { noteTampering, tamperings, untoldTampering } from "../../src/trace/tampering.ts";
import { project } from "../cli/sluice.ts";

afterEach(() => vi.unstubAllEnvs());

function world(files: Readonly<Record<string, string>>) {
  const { root, home } = project(files);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const call = (hookEvent: string, session: string, more: object = {}) =>
    JSON.stringify({
      hook_event_name: hookEvent,
      session_id: session,
      cwd: root,
      tool_name: "Bash",
      tool_input: { command: "ls" },
      ...more,
    });
  return { root, home, env, call };
}

const UNAPPROVED = { ".sluice/hooks.yaml": "hooks: [{ name: gate, event: 'tool:*:Bash', command: 'true' }]\n" };

test("a hook that is not approved yet is reported once per session, and again when the notice has changed", async () => {
  const { root, env, call } = world(UNAPPROVED);
  const run = async (session: string) => {
    const { stdout, stderr } = await answer(
      { text: call("PreToolUse", session), agent: "claude-code" },
      { cwd: root, env },
    );
    return `${stdout}${stderr}`;
  };
  expect(await run("one")).toContain("gate (not approved yet)");
  expect(await run("one")).toBe("");
  expect(await run("one")).toBe("");
  expect(await run("two")).toContain("gate (not approved yet)");
  writeFileSync(
    join(root, ".sluice/hooks.yaml"),
    "hooks: [{ name: gate, event: 'tool:*:Bash', command: 'true' }, { name: other, event: 'tool:*:Bash', command: 'true' }]\n",
  );
  expect(await run("one")).toContain("gate, other (not approved yet)");
  expect(await run("one")).toBe("");
});

test("a denial is reported with every call, whatever notices were given before", async () => {
  const rule = `, { name: no, event: tool:pre_execute, rules: 'args.command equals "ls" -> deny("no ls")' }]`;
  const { root, env, call } = world({
    ".sluice/hooks.yaml": `hooks: [{ name: gate, event: 'tool:*:Bash', command: 'true' }${rule}\n`,
  });
  for (let count = 0; count < 2; count++) {
    const { stdout } = await answer({ text: call("PreToolUse", "one"), agent: "claude-code" }, { cwd: root, env });
    expect(stdout).toContain("no ls");
  }
});

test("what hooks object to after the fact names its record, also where a daemon decides", async () => {
  const { root, home, env, call } = world({});
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(
    join(home, ".config/sluice/hooks.yaml"),
    `hooks: [{ name: late, event: tool:post_execute, rules: 'args.command equals "ls" -> deny("too late")' }]\n`,
  );
  const text = call("PostToolUse", "one", { tool_response: { stdout: "x" } });
  const daemon = {
    layers: (at: string) => readLayersForCall(at),
    afterwards: (act: () => void) => void setImmediate(act),
  };
  for (const caller of [
    { cwd: root, env },
    { cwd: root, env, daemon },
  ]) {
    const { stdout } = await answer({ text, agent: "claude-code" }, caller);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
    expect(JSON.parse(stdout).reason).toMatch(/too late \(why: sluice why [0-9a-f]{6}\)/);
  }
});

test("a notice of tampering ends when a person has looked at its record, and not when an agent has", async () => {
  const { root, env } = world({});
  const { id } = noteTampering({ what: "hooks.yaml was changed by something else than Sluice." }, env);
  const why = (isTerminal: boolean, more: object) => {
    const err: string[] = [];
    const shown = {
      out: () => {},
      err: (text: string) => err.push(text),
      write: () => {},
      hasColour: false,
      width: 80,
    };
    const io = { ...shown, isTerminal, cwd: root, env: { ...env, ...more } };
    return main(["why", id], io, COMMANDS).then(() => err.join("\n"));
  };
  expect(untoldTampering("one", env)).toHaveLength(1);
  expect(untoldTampering("one", env)).toHaveLength(0);
  await why(false, {});
  await why(true, { CLAUDECODE: "1" });
  expect(untoldTampering("two", env)).toHaveLength(1);
  expect(examineTampering(env)).toHaveLength(1);
  expect(await why(true, {})).toContain("This notice ends here");
  expect([tamperings(env), untoldTampering("three", env), examineTampering(env)]).toEqual([[], [], []]);
  noteTampering({ what: "hooks.yaml was changed by something else than Sluice." }, env);
  expect(untoldTampering("three", env)).toHaveLength(1);
});
