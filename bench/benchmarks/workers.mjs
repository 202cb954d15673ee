import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtFile } from "../built.mjs";
import { figureOf, rows, target } from "../measure.mjs";

const BARE = 'spawn("sh", ["-c", "true"]), small process';
const LARGE = 'spawn("sh", ["-c", "true"]), 200 MB of buffers';
const HOOK = "command hook, daemon";
const HOOK_HEAP = "command hook, daemon with 200 MB of objects";
const HOOK_BUFFERS = "command hook, daemon with 200 MB of buffers";
const CALL = "whole call with it, native client";
const CALL_RULES = "whole call with rules only, native client";
const CALL_COLD = "whole call with it, cold";

/** What a daemon holds, besides what it needs. */
const BALLAST = {
  none: "",
  heap: "globalThis.ballast = Array.from({ length: 2_000_000 }, (_, at) => ({ at, text: `${at} and more`, list: [at] }));",
  buffers: "globalThis.ballast = Array.from({ length: 200 }, () => Buffer.alloc(1024 * 1024, 1));",
};

/** A command hook that the daemon runs costs little more than a process started from a small program, however large the daemon is. */
export async function workers({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const daemons = [];
  try {
    for (const [name, ballast] of Object.entries(BALLAST)) daemons.push(await daemonIn(join(folder, name), ballast));
    const [plain, heap, buffers] = daemons;
    const rules = { ...plain, call: plain.callRules };
    // Both wait for their turn in processes of their own, as workers do.
    const [small, large] = [BALLAST.none, BALLAST.buffers].map((ballast) => spawnerWith(ballast, folder));
    await large();
    const took = new Map([BARE, LARGE, CALL, CALL_RULES, CALL_COLD].map((label) => [label, []]));
    const rounds = quick ? 40 : 400;
    for (let round = -20; round < rounds; round++) {
      const measured = {
        [BARE]: await small(),
        [LARGE]: await large(),
        [CALL]: await timed(plain.call),
        [CALL_RULES]: await timed(rules.call),
        [CALL_COLD]: round % 10 === 0 ? await timed(plain.callCold) : undefined,
      };
      for (const daemon of [heap, buffers]) await daemon.call();
      if (round < 0) continue;
      for (const [label, ms] of Object.entries(measured)) if (ms !== undefined) took.get(label).push(ms);
    }
    for (const spawner of [small, large]) spawner.end();
    for (const [label, daemon] of [
      [HOOK, plain],
      [HOOK_HEAP, heap],
      [HOOK_BUFFERS, buffers],
    ])
      took.set(label, daemon.hookTimes().slice(-rounds));
    const figures = new Map([...took].map(([label, samples]) => [label, figureOf(label, samples)]));
    return {
      what: "a command hook that does nothing, run by the daemon, against the bare process",
      rows: rows(figures, { unit: "ms", to: () => BARE }),
      targets: [HOOK, HOOK_HEAP, HOOK_BUFFERS].map((of) =>
        target(figures, { what: `${of} against a bare spawn`, of, to: BARE, atMost: 1.3 }),
      ),
      notes: [
        `Daemons held ${daemons.map(({ rss }) => `${Math.round(rss() / 2 ** 20)} MB`).join(", ")}. A hook's time is the one in its journal.`,
      ],
    };
  } finally {
    for (const { stop } of daemons) stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A daemon with a hook that runs a program, and what is needed to call it as an agent does. */
async function daemonIn(home, ballast) {
  const launcher = builtFile("sluice.cjs");
  const project = join(home, "project");
  for (const path of [join(project, ".git"), join(home, ".config/sluice")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), HOOKS);
  writeFileSync(join(home, "ballast.cjs"), ballast);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
  const sluice = (...words) =>
    spawnSync(process.execPath, [launcher, ...words], { cwd: project, env, encoding: "utf8" });
  sluice("install", "claude-code", "--yes");
  const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  const words = settings.hooks.PreToolUse[0].hooks[0].command.replace(/ \|\| exit 2$/, "").split(" ");
  if (words[0] === process.execPath)
    throw Object.assign(new Error("no client could be made here"), { code: "NOT_BUILT" });
  spawn(process.execPath, ["--require", join(home, "ballast.cjs"), launcher, "serve"], { env, stdio: "ignore" });
  const called = (line, more = []) => {
    const payload = JSON.stringify({ ...PAYLOAD, cwd: project, tool_input: { command: line } });
    return () => run(words[0], [...words.slice(1), ...more], payload, { cwd: project, env });
  };
  const status = () => JSON.parse(sluice("serve", "--status", "--json").stdout);
  for (let turn = 0; turn < 100 && !status().running; turn++) await new Promise((go) => setTimeout(go, 50));
  return {
    call: called("with hook"),
    callRules: called("ls"),
    callCold: called("with hook", ["--cold"]),
    rss: () => status().rss,
    stop: () => sluice("serve", "--stop"),
    hookTimes: () => hookTimes(join(home, ".state/sluice/decisions")),
  };
}

function hookTimes(folder) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ resident }) => resident)
    .flatMap(({ results }) => results)
    .filter(({ hook }) => hook === "nothing")
    .map(({ duration_ms: ms }) => ms);
}

/** A process that holds something, and starts another whenever it is told to. */
function spawnerWith(ballast, folder) {
  const file = join(folder, `spawner-${ballast.length}.mjs`);
  writeFileSync(
    file,
    `${ballast}\nimport { spawn } from "node:child_process";\n${run}\n${bareSpawn}\n${timed}\n${SPAWNER}`,
  );
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const spawnOnce = () =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send("go");
    });
  return Object.assign(spawnOnce, { end: () => child.disconnect() });
}

function bareSpawn() {
  return run("sh", ["-c", "true"], "", {});
}

function run(program, args, input, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], ...options });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

const SPAWNER = `process.on("message", async () => process.send(await timed(bareSpawn)));\n`;
const HOOKS = `hooks:
  - name: rules
    event: tool:pre_execute
    rules: |
      args.command contains "rmm" -> deny("no")
  - name: nothing
    matcher: { events: [PreToolUse], command_patterns: ["with*"] }
    command: "true"
`;
const PAYLOAD = { session_id: "bench", hook_event_name: "PreToolUse", tool_name: "Bash" };
