import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";
import { BEST, daemonHome } from "../daemon/daemon-home.ts";

const HOOKS = `hooks:
  - { name: counts, event: tool:pre_execute, rules: 'count(tool equals "Bash") per session gt 1 -> deny("too many")' }
  - { name: runs, event: tool:pre_execute, command: 'echo run >> "$HOME/runs"; sleep 0.3; echo done >> "$HOME/runs"' }
`;

/** A user and a project whose settings of Claude Code both have Sluice's line. */
function both(): Project {
  const made = project({ "node_modules/.bin/x": "" });
  symlinkSync(COMMAND, join(made.root, "node_modules/.bin/sluice"));
  mkdirSync(join(made.home, ".config/sluice"), { recursive: true });
  writeFileSync(join(made.home, ".config/sluice/hooks.yaml"), HOOKS);
  for (const scope of ["user", "project"])
    expect(made.sluice("install", "claude-code", "--scope", scope, "--no-mcp", "--yes").code).toBe(0);
  return made;
}

/** The lines that Claude Code starts before a tool runs. */
function lines({ home, root }: Project): { readonly user: string; readonly project: string } {
  const lineIn = (folder: string) =>
    JSON.parse(readFileSync(join(folder, ".claude/settings.json"), "utf8")).hooks.PreToolUse[0].hooks[0].command;
  return { user: lineIn(home), project: lineIn(root) };
}

function payload({ root }: Project, id: string | undefined, session = "s"): string {
  const call = { hook_event_name: "PreToolUse", session_id: session, cwd: root, tool_name: "Bash" };
  return JSON.stringify({ ...call, ...(id && { tool_use_id: id }), tool_input: { command: "ls" } });
}

function start(line: string, input: string, { home, root }: Project, more: object = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
  const child = spawn("/bin/sh", ["-c", line], {
    cwd: root,
    env: { ...env, SLUICE_RESIDENT: "0", CLAUDE_PROJECT_DIR: root, ...more },
    detached: true,
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const out = Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { child, out };
}

const runs = ({ home }: Project) =>
  existsSync(join(home, "runs"))
    ? readFileSync(join(home, "runs"), "utf8")
        .split("\n")
        .filter((one) => one === "run").length
    : 0;
const rows = (made: Project) => made.sluice("log", "--json", "--project", "all").out.split("\n").filter(Boolean);
const leftovers = ({ home }: Project) => readdirSync(join(home, ".state/sluice/same-calls"));

test("with both scopes installed, the two lines of one call run hooks once, log one row, count once and answer alike", async () => {
  const made = both();
  const { user, project: own } = lines(made);
  expect(own).toContain("SLUICE_SCOPE=project");
  for (const [count, id] of ["a", "b"].entries()) {
    const [one, other] = await Promise.all([user, own].map((line) => start(line, payload(made, id), made).out));
    expect(one).toEqual(other);
    expect(one?.[2]).toBe(0);
    expect([runs(made), rows(made).length]).toEqual([count + 1, count + 1]);
  }
  const [third, same] = await Promise.all([user, own].map((line) => start(line, payload(made, "c"), made).out));
  expect(third).toEqual(same);
  expect(third?.[0]).toContain("too many");
  expect(leftovers(made)).toEqual([]);
});

test("calls that are alike and have no id stay two calls, one after the other and at the same time", async () => {
  const made = both();
  const { user, project: own } = lines(made);
  for (let count = 1; count <= 2; count++) {
    await Promise.all([user, own].map((line) => start(line, payload(made, undefined, `s${count}`), made).out));
    await Promise.all([user, own].map((line) => start(line, payload(made, undefined, `s${count}`), made).out));
    expect(runs(made)).toBe(2 * count);
  }
  await Promise.all([user, user, own, own].map((line) => start(line, payload(made, undefined, "t"), made).out));
  expect(runs(made)).toBe(6);
});

test("a line decides itself when the line that came first has died, and when only it is called", async () => {
  const made = both();
  const { user, project: own } = lines(made);
  const first = start(user, payload(made, "x"), made);
  while (runs(made) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const second = start(own, payload(made, "x"), made);
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.kill(-(first.child.pid ?? 0), "SIGKILL");
  expect((await second.out)[2]).toBe(0);
  expect(runs(made)).toBe(2);
  await start(own, payload(made, "y", "alone"), made).out;
  expect(runs(made)).toBe(3);
});

test("with one scope installed, nothing is written for a call besides its record", async () => {
  const made = both();
  expect(made.sluice("uninstall", "claude-code", "--scope", "project", "--yes").code).toBe(0);
  await start(lines({ ...made, root: made.home }).user, payload(made, "x"), made).out;
  expect([runs(made), existsSync(join(made.home, ".state/sluice/same-calls"))]).toEqual([1, false]);
});

test.skipIf(BEST === undefined)("the daemon and a cold line decide one call once", { timeout: 60_000 }, async () => {
  const at = daemonHome(
    `hooks: [{ name: no, event: tool:pre_execute, rules: 'args.command equals "ls" -> deny("no ls")' }]\n`,
    BEST,
  );
  const made = { home: at.home, root: at.root } as Project;
  for (const folder of [at.home, at.root]) {
    mkdirSync(join(folder, ".claude"), { recursive: true });
    writeFileSync(
      join(folder, ".claude/settings.json"),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ command: "sluice run claude-code" }] }] } }),
    );
  }
  await at.warm();
  const records = () =>
    readdirSync(join(at.home, ".s/sluice/decisions")).flatMap((name) =>
      readFileSync(join(at.home, ".s/sluice/decisions", name), "utf8")
        .trim()
        .split("\n"),
    ).length;
  const args = ["claude-code"];
  const env = { ...at.env, CLAUDE_PROJECT_DIR: at.root };
  const one = at.call(payload(made, "a"), args, env);
  const other = at.call(payload(made, "a"), [...args], { ...env, SLUICE_SCOPE: "project" });
  expect(one.stdout).toContain("no ls");
  expect([other, records()]).toEqual([one, 1]);
  const cold = at.call(payload(made, "b"), [...args, "--cold"], { ...env, SLUICE_SCOPE: "project" });
  expect(at.call(payload(made, "b"), args, env)).toEqual(cold);
  expect(records()).toBe(2);
});
