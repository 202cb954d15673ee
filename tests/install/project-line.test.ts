import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { fastCommand } from "../command-server/fast-command.ts";
import { BEST, COLD, type DaemonHome, daemonHome, readyClient } from "../daemon/daemon-home.ts";
import { sluice } from "../daemon/posting.ts";
import { Household } from "./household.ts";

/** Where an agent keeps its line for a shell call, and how it reports one. */
const AGENTS = {
  "claude-code": { file: ".claude/settings.json", hookEvent: "PreToolUse", tool: "Bash" },
  codex: { file: ".codex/hooks.json", hookEvent: "PreToolUse", tool: "Bash" },
  "gemini-cli": { file: ".gemini/settings.json", hookEvent: "BeforeTool", tool: "run_shell_command" },
} as const;

/** Real processes, and a compiler. */
const SLOW = { timeout: 60_000 };

type Agent = keyof typeof AGENTS;
const IDS = Object.keys(AGENTS) as Agent[];
const VARIABLES = ADAPTERS.flatMap(({ projectVariables = [] }) => projectVariables);

describe("the line in a project's settings", () => {
  it.each(ADAPTERS.filter(({ recipe }) => recipe !== undefined).map(({ id }) => id))(
    "names nothing of one machine: %s",
    (agent) => {
      const house = new Household(["/opt/node/bin/node", "/opt/sluice/dist/sluice.cjs"]);
      for (const { path, after = "" } of house.install(agent, "project", { client: "/opt/client" }).changes) {
        expect(after, path).not.toMatch(/\/opt\//);
        expect(after, path).not.toContain(house.home);
      }
    },
  );

  it("works in a clone at another place, whose path has blanks, for each agent", SLOW, async () => {
    const { clone, at } = withoutDaemon(cloned());
    dependsOnFast(at, clone);
    for (const agent of IDS) {
      expect([agent, await call(at, clone, agent, "ls")]).toEqual([
        agent,
        expect.objectContaining({ status: 0, stderr: "" }),
      ]);
      const { stdout, stderr } = await call(at, clone, agent, "git push --force origin main");
      expect(stdout + stderr).toMatch(/"(permissionDecision|decision)":"(deny|block)"/);
    }
  });

  it("stops a gate where Sluice is not installed, and says in one sentence what installs it", SLOW, async () => {
    const { clone, at } = cloned();
    const said = `Sluice is not installed in ${clone}: run npm install there.\n`;
    for (const agent of IDS)
      expect([agent, await call(at, clone, agent, "ls")]).toEqual([agent, { status: 2, stdout: "", stderr: said }]);
    const start = lineOf(clone, "claude-code", "SessionStart");
    expect(await run(at, clone, start, "{}")).toEqual({ status: 1, stdout: "", stderr: said });
  });

  it("names the command of the project's own package manager", () => {
    const { clone } = cloned({ "pnpm-lock.yaml": "" });
    expect(lineOf(clone, "codex")).toContain("run pnpm install there");
  });

  it("is read by /bin/sh where the agent takes whatever shell its user has", () => {
    for (const { id, recipe } of ADAPTERS.filter(({ recipe }) => recipe?.anyShell)) {
      const house = Household.ofHooks();
      const texts = house.install(id, "project").changes.map(({ after = "" }) => after);
      expect([id, recipe?.anyShell, texts.every((text) => text.includes("exec /bin/sh -c 'd="))]).toEqual([
        id,
        true,
        true,
      ]);
      expect(texts.join("").replaceAll(/exec \/bin\/sh -c '[^']*'/g, "")).not.toContain("'");
    }
  });

  it("is found from a folder below the project where the agent tells none", async () => {
    const { clone, at } = withoutDaemon(cloned());
    dependsOnFast(at, clone);
    mkdirSync(join(clone, "a/b"), { recursive: true });
    const below = { ...at, root: join(clone, "a/b") };
    expect(await run(below, clone, lineOf(clone, "codex"), payload("codex", clone, "ls"), {})).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  it("is what a shell of the agent reads when it has put the quoted folder into it already", async () => {
    const { clone, at } = withoutDaemon(cloned());
    dependsOnFast(at, clone);
    const line = lineOf(clone, "gemini-cli").replaceAll("$GEMINI_PROJECT_DIR", `'${clone}'`);
    expect(await run(at, clone, line, payload("gemini-cli", clone, "ls"), {})).toMatchObject({ status: 0, stderr: "" });
  });
});

describe.skipIf(BEST === undefined)("a project's line and the daemon", () => {
  it("asks through this user's client from the second call on", SLOW, async () => {
    const { clone, at } = cloned();
    depends(clone);
    expect((await call(at, clone, "claude-code", "ls")).status).toBe(0);
    const client = await clientOf(at, clone);
    expect(statSync(client).mode & 0o077).toBe(0);
    const before = (await status(at))?.calls ?? 0;
    expect((await call(at, clone, "claude-code", "ls")).status).toBe(0);
    expect((await call(at, clone, "claude-code", "git push --force origin main")).stdout).toContain('"deny"');
    expect((await status(at))?.calls).toBe(before + 2);
  });

  it("starts node when the client is gone or may not be started, and makes it anew", SLOW, async () => {
    const { clone, at } = cloned();
    depends(clone);
    await call(at, clone, "codex", "ls");
    const client = await clientOf(at, clone);
    rmSync(client);
    expect(await call(at, clone, "codex", "ls")).toEqual({ status: 0, stdout: expect.any(String), stderr: "" });
    expect(await clientOf(at, clone)).toBe(client);
    chmodSync(client, 0o600);
    expect(await call(at, clone, "codex", "ls")).toEqual({ status: 0, stdout: expect.any(String), stderr: "" });
  });

  it("does not believe the client of another copy of Sluice", SLOW, async () => {
    const { clone, at } = cloned();
    depends(clone);
    await call(at, clone, "codex", "ls");
    await clientOf(at, clone);
    const other = join(clone, "node_modules/.bin/sluice");
    rmSync(other);
    writeFileSync(other, "#!/bin/sh\necho other\n", { mode: 0o755 });
    expect((await call(at, clone, "codex", "ls")).stdout).toBe("other\n");
  });

  it("never starts what a project has put in a client's place", async () => {
    const { clone, at } = cloned();
    dependsOnFast(at, clone);
    const trap = join(clone, "trap");
    const file = join(clone, `state/sluice/projects${clone}/client.sh`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `touch '${trap}'\n`);
    const line = lineOf(clone, "claude-code");
    const env = { CLAUDE_PROJECT_DIR: clone, XDG_STATE_HOME: "state", SLUICE_RESIDENT: "0" };
    expect(await run(at, clone, line, payload("claude-code", clone, "ls"), env)).toMatchObject({ status: 0 });
    expect(existsSync(trap)).toBe(false);
  });
});

/** A project with Sluice in its settings for all these agents, cloned with git to another place. */
function cloned(files: Readonly<Record<string, string>> = {}): { readonly at: DaemonHome; readonly clone: string } {
  const at = daemonHome("guards: standard\n");
  onTestFinished(async () => {
    await stopDaemon(at.runtimeDir);
  });
  // It need not be compiled for each of them; where it is gone, the daemon makes it anew.
  if (BEST === "native") readyClient(BEST, at.home, at.env);
  const key = Object.keys(files).join();
  const kept = CLONES.get(key) ?? clonedOnce(at, files);
  CLONES.set(key, kept);
  rmSync(at.root, { recursive: true });
  const clone = join(at.home, "a clone");
  cpSync(kept, clone, { recursive: true });
  return { at: { ...at, root: clone }, clone };
}

/** Nothing in a clone depends on its place: each is made once, by the files that it has besides. */
const CLONES = new Map<string, string>();
afterAll(() => {
  for (const kept of CLONES.values()) rmSync(dirname(kept), { recursive: true, force: true });
});

function clonedOnce(at: DaemonHome, files: Readonly<Record<string, string>>): string {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(at.root, name), content);
  rmSync(join(at.root, ".git"), { recursive: true });
  git(at.root, "init", "-q");
  expect(sluice(at, "install", ...IDS, "--scope", "project", "--no-mcp", "--yes").code).toBe(0);
  git(at.root, "add", "-A");
  git(at.root, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "hooks");
  const kept = join(mkdtempSync(join(tmpdir(), "sluice-line-")), "clone");
  git(at.home, "clone", "-q", at.root, kept);
  return kept;
}

function withoutDaemon({ at, clone }: ReturnType<typeof cloned>): ReturnType<typeof cloned> {
  return { at: { ...at, env: { ...at.env, SLUICE_RESIDENT: "0" } }, clone };
}

function git(cwd: string, ...words: string[]): void {
  const { status, stderr } = spawnSync("git", words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** What `npm install` leaves: the command as a link to the package's own file. */
function depends(clone: string, command = COLD[1]): void {
  mkdirSync(join(clone, "node_modules/.bin"), { recursive: true });
  symlinkSync(command, join(clone, "node_modules/.bin/sluice"));
}

/** The same with a command that decides in the process for commands: for what is about the line alone. */
function dependsOnFast({ home }: DaemonHome, clone: string): void {
  const program = join(home, "sluice");
  onTestFinished(fastCommand(program));
  depends(clone, program);
}

function lineOf(clone: string, agent: Agent, hookEvent: string = AGENTS[agent].hookEvent): string {
  const { hooks } = JSON.parse(readFileSync(join(clone, AGENTS[agent].file), "utf8"));
  return hooks[hookEvent][0].hooks[0].command;
}

function payload(agent: Agent, cwd: string, command: string): string {
  const { hookEvent, tool } = AGENTS[agent];
  const more = agent === "codex" ? { turn_id: "t", model: "m" } : {};
  return JSON.stringify({
    session_id: "s",
    cwd,
    hook_event_name: hookEvent,
    tool_name: tool,
    tool_input: { command },
    ...more,
  });
}

function call(at: DaemonHome, clone: string, agent: Agent, command: string) {
  return run(at, clone, lineOf(clone, agent), payload(agent, clone, command));
}

async function run(
  { env, root }: DaemonHome,
  clone: string,
  line: string,
  input: string,
  more: Readonly<Record<string, string>> = Object.fromEntries(VARIABLES.map((name) => [name, clone])),
) {
  const child = spawn("/bin/sh", ["-c", line], { cwd: root, env: { ...env, ...more } });
  // A line that stops at once does not read.
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: child.exitCode, stdout, stderr };
}

/** Waits for the client that the daemon makes in the background. */
async function clientOf({ env, runtimeDir }: DaemonHome, clone: string): Promise<string> {
  const file = join(env.XDG_STATE_HOME ?? "", `sluice/projects${clone}/client.sh`);
  for (let turn = 0; turn < 200; turn++) {
    const client = existsSync(file) ? /set -- (\S+)/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
    if (client !== undefined && existsSync(client) && (await daemonStatus(runtimeDir)) !== undefined) return client;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no client came");
}

async function status({ runtimeDir }: DaemonHome) {
  return daemonStatus(runtimeDir);
}
