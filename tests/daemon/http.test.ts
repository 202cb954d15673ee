import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { claudeCode } from "../../src/adapters/claude-code.ts";
import { daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { payloadsOf } from "../adapters/payloads.ts";
import { coldHere } from "./cold-here.ts";
import { BEST, type DaemonHome, daemonHome, patientHome, plain, shellCall } from "./daemon-home.ts";
import { HOOKS } from "./hooks.ts";
import { addressOf, hookFor, posted, sluice } from "./posting.ts";

/** What most tests ask about, a hook that says what it sees of its caller, and one that takes its time. */
const POSTED_HOOKS = `${HOOKS}
  - matcher: { events: [PreToolUse], command_patterns: ["*GREET*"] }
    command: echo $GREETING; exit 1
    pass_env: [GREETING]
  - matcher: { events: [PreToolUse], command_patterns: ["*SLOWLY*"] }
    command: echo began >> steps; sleep 2; echo ended >> steps
`;

/** A home whose agent posts, with a daemon that answers. */
function postingHome(done: (end: () => Promise<void>) => void = onTestFinished): DaemonHome {
  const at = patientHome(POSTED_HOOKS, BEST, done);
  expect(sluice(at, "install", "claude-code", "--http", "--yes")).toMatchObject({ code: 0 });
  done(async () => {
    await stopDaemon(at.runtimeDir);
  });
  return at;
}

/** One such home for every test that leaves it with a daemon. */
function sharedHome(): DaemonHome {
  shared ??= postingHome((end) => ends.push(end));
  return shared;
}

let shared: DaemonHome | undefined;
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

async function bodyOf(at: DaemonHome, hookEvent: string, payload: object, headers = {}): Promise<string> {
  const said = await posted(at, hookEvent, payload, headers);
  if (said.outcome === "nothing") throw new Error(said.why);
  expect(said.status).toBe(200);
  return said.body;
}

it("what comes with every tool is posted and blocks when no daemon answers; the rest stays a command", () => {
  const at = sharedHome();
  const { port } = addressOf(at);
  for (const hookEvent of ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"])
    expect(hookFor(at, hookEvent)).toMatchObject({
      type: "http",
      url: `http://127.0.0.1:${port}/hook/claude-code/${hookEvent}`,
      onFailure: "block",
    });
  for (const hookEvent of ["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"])
    expect(hookFor(at, hookEvent)).toMatchObject({ type: "command" });
});

it("says the bytes that the command prints, about every recorded payload", async () => {
  const [cold, warm] = [daemonHome(POSTED_HOOKS), sharedHome()];
  const sent = payloadsOf(claudeCode).filter(({ payload }) => String(payload.hook_event_name) in POSTED);
  expect(sent.length).toBeGreaterThan(5);
  for (const { payload } of sent) {
    const alone = await coldHere(cold, ["claude-code"], JSON.stringify({ ...payload, cwd: cold.root }));
    const body = await bodyOf(warm, String(payload.hook_event_name), { ...payload, cwd: warm.root });
    const together = { stdout: body, stderr: alone.stderr, exitCode: 0 };
    expect(plain(together, warm).stdout).toBe(plain(alone, cold).stdout);
  }
});

const POSTED = { PreToolUse: 1, PermissionRequest: 1, PostToolUse: 1, PostToolUseFailure: 1 };

it("what the command says with its exit code is said in JSON that blocks", async () => {
  const at = sharedHome();
  expect(at.call("[]")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not an object") });
  expect(JSON.parse(await bodyOf(at, "PreToolUse", []))).toMatchObject({
    decision: "block",
    reason: expect.stringContaining("not an object"),
  });
});

it.each([undefined, "NoSuchMoment"])(
  "a payload is judged by its address where it names no hook event: %s",
  async (name) => {
    const at = sharedHome();
    const payload = { ...shellCall(at.root, "rmm x"), hook_event_name: name };
    expect(await bodyOf(at, "PreToolUse", payload)).toContain("no rmm here");
  },
);

it("a payload that names another hook event than its address is refused, and blocks", async () => {
  const at = sharedHome();
  const payload = { ...shellCall(at.root, "rmm x"), hook_event_name: "SessionEnd" };
  const heard = JSON.stringify(await posted(at, "PreToolUse", payload));
  expect(heard).toContain("503");
  expect(heard).not.toContain('"outcome":"nothing"');
});

it("a hook that runs a program runs once for a posted call", async () => {
  const at = sharedHome();
  for (const _ of [1, 2, 3]) await bodyOf(at, "PreToolUse", shellCall(at.root, "echo COUNT"));
  expect(readFileSync(join(at.root, "counted"), "utf8")).toBe("x\nx\nx\n");
});

it("hooks of a posted call see what the commands of its session saw", async () => {
  const at = sharedHome();
  const session = { session_id: "greeted", cwd: at.root };
  const start = { ...session, hook_event_name: "SessionStart", source: "startup" };
  at.call(JSON.stringify(start), ["claude-code"], { GREETING: "good day" });
  const call = { ...shellCall(at.root, "echo GREET"), ...session };
  expect(await bodyOf(at, "PreToolUse", call)).toContain("good day");
});

it("a daemon that is killed takes the hooks of its posted calls with it and blocks, and the next prompt brings another to the same port", async () => {
  const at = sharedHome();
  const steps = () => {
    const file = join(at.root, "steps");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const before = addressOf(at);
  const answer = posted(at, "PreToolUse", shellCall(at.root, "echo SLOWLY"));
  await expect.poll(steps).toBe("began\n");
  const { pid } = (await daemonStatus(at.runtimeDir)) ?? {};
  process.kill(pid ?? 0, "SIGKILL");
  const killedAt = Date.now();
  expect(await answer).toMatchObject({ outcome: "nothing" });
  await expect.poll(() => posted(at, "PreToolUse", shellCall(at.root, "ls"))).toMatchObject({ outcome: "nothing" });
  const prompt = { session_id: "s", cwd: at.root, hook_event_name: "UserPromptSubmit", prompt: "go on" };
  expect(at.call(JSON.stringify(prompt)).exitCode).toBe(0);
  // The prompt waits some seconds for the daemon; on a busy machine that takes longer.
  const denied = { status: 200, body: expect.stringContaining("no rmm here") };
  await expect.poll(() => posted(at, "PreToolUse", shellCall(at.root, "rmm x"))).toMatchObject(denied);
  expect(addressOf(at)).toEqual(before);
  await new Promise((resolve) => setTimeout(resolve, killedAt + 2500 - Date.now()));
  expect(steps()).toBe("began\n");
});

it("settings with a secret are for their owner alone, and it is not shown", () => {
  const at = daemonHome(HOOKS, BEST);
  const settings = join(at.home, ".claude/settings.json");
  mkdirSync(join(at.home, ".claude"));
  writeFileSync(settings, '{ "model": "opus" }\n');
  chmodSync(settings, 0o644);
  const shown = sluice(at, "install", "claude-code", "--http", "--yes", "--json");
  onTestFinished(async () => {
    await stopDaemon(at.runtimeDir);
  });
  const { secret } = addressOf(at);
  expect(statSync(settings).mode & 0o777).toBe(0o600);
  expect(readFileSync(settings, "utf8")).toContain(secret);
  expect(shown.out + shown.err).not.toContain(secret);
  expect(sluice(at, "install", "claude-code", "--http", "--dry-run").out).toContain("Nothing to do");
  expect(sluice(at, "uninstall", "claude-code", "--yes").code).toBe(0);
  expect(readFileSync(settings, "utf8")).toBe('{ "model": "opus" }\n');
  expect(() => addressOf(at)).toThrow();
});

it("without --http the settings go back to commands and the port closes", async () => {
  const at = postingHome();
  const before = hookFor(at, "PreToolUse");
  expect(sluice(at, "install", "claude-code", "--yes").code).toBe(0);
  expect(hookFor(at, "PreToolUse").type).toBe("command");
  await expect
    .poll(() =>
      fetch(before.url)
        .then(() => "open")
        .catch(() => "closed"),
    )
    .toBe("closed");
});

it.each([
  [["copilot"], "let a tool run when the server does not answer"],
  [["qwen-code"], "let a tool run when the server does not answer"],
  [["codex"], "no HTTP hooks"],
])("%s keeps to commands, and install says why", (agents, why) => {
  const at = daemonHome(HOOKS, BEST);
  const { code, err } = sluice(at, "install", ...agents, "--http", "--yes");
  expect([code, err]).toEqual([0, expect.stringContaining(why)]);
  expect(() => addressOf(at)).toThrow();
});

it("a project's settings hold no secret", () => {
  const at = daemonHome(HOOKS, BEST);
  expect(sluice(at, "install", "claude-code", "--http", "--scope", "project", "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("--scope user"),
  });
});

it("doctor posts a canary, and says when settings and daemon do not agree", async () => {
  const at = sharedHome();
  const http = () => {
    const { examined } = JSON.parse(sluice(at, "doctor", "--json").out) as {
      examined: { subject: string; findings: { state: string; what: string }[] }[];
    };
    return examined.find(({ subject }) => subject === "HTTP")?.findings[0];
  };
  expect(http()).toMatchObject({ state: "fine", what: expect.stringContaining("the canary was denied") });
  await stopDaemon(at.runtimeDir);
  // Its other canary is a command, which starts a daemon that is missing.
  expect(http()).toMatchObject({ state: "fine" });
  const { port, secret } = addressOf(at);
  const other = `${port} ${secret.replaceAll(/[0-9]/g, "a")}\n`;
  const file = join(at.runtimeDir.folder, "http");
  onTestFinished(() => writeFileSync(file, `${port} ${secret}\n`));
  writeFileSync(file, other, { mode: 0o600 });
  expect(http()).toMatchObject({ state: "wrong", what: expect.stringContaining("is not the daemon's") });
});

it("no agent may write where the port and the secret are kept", async () => {
  const at = sharedHome();
  const line = `echo 1 > ${join(at.runtimeDir.folder, "http")}`;
  expect(await bodyOf(at, "PreToolUse", shellCall(at.root, line))).toContain("Sluice protects itself");
});
