// Breaks hooks in every way, at a gate and after the act, cold and through the daemon, with each onError: `npm run campaign faults [part of a name]`.
// Ends with 1 where a denial was lost, or where a failure was told neither to the agent nor to the user.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { loadSource } from "../../scripts/load-source.mjs";
import { freshHome } from "./fresh/home.mjs";

const [part = "", share = "1/1"] = process.argv.slice(2);
const [nth, of] = share.split("/").map(Number);
const { FAULTS, SERVED, PLUGINS } = await loadSource(process.cwd(), [
  "../tests/faults/faults.ts",
  "../tests/faults/other-faults.ts",
]);
const command = resolve("dist/sluice.cjs");
const { home, root, env } = freshHome("f-");
const config = join(home, ".config/sluice/hooks.json");
const failures = [];
let [count, at] = [0, 0];
const server = new Worker(new URL("../faults/fault-server.mjs", import.meta.url), {
  workerData: SERVED.map(({ reply }) => reply),
});
const port = await new Promise((ready) => server.once("message", ready));

const CASES = [
  ...FAULTS.filter(({ abortAfter }) => abortAfter === undefined).map((fault) => ({
    name: fault.name,
    timeout: fault.deadline ?? 10,
    payload: fault.payload ?? 0,
    hook: fault.hook,
    comesTo: comesTo(fault.expected),
  })),
  ...Array.from({ length: 256 }, (_, code) => code)
    .filter((code) => ![0, 126, 127].includes(code) && code % 16 === 5)
    .map((code) => ({
      name: `it exits with code ${code}`,
      timeout: 10,
      hook: () => ({ command: `exit ${code}` }),
      comesTo: "denies",
    })),
  ...SERVED.map(({ name, comesTo }, index) => ({
    name: `a server: ${name}`,
    timeout: 2,
    hook: () => ({ type: "http", url: `http://127.0.0.1:${port}/${index}` }),
    comesTo,
  })),
  ...Object.entries(PLUGINS).map(([name, { code, comesTo }]) => ({
    name: `a plugin: ${name}`,
    timeout: 2,
    hook: (place) => ({ type: "plugin", module: place.file(`p${at}.mjs`, code) }),
    comesTo,
  })),
];

try {
  writeFileSync(config, '{"hooks":[]}');
  const installed = sluice("install", "claude-code", "--yes");
  if (installed.status !== 0) throw new Error(installed.stdout + installed.stderr);
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  const line = hooks.PreToolUse[0].hooks[0].command;
  const fronts = {
    cold: (input) => run(process.execPath, [command, "run", "claude-code", "--cold"], input),
    daemon: (input) => run("/bin/sh", ["-c", line], input),
  };
  for (const [index, one] of CASES.filter(({ name }) => name.includes(part)).entries()) {
    if (index % of !== nth - 1) continue;
    for (const moment of ["gate", "after"])
      for (const onError of ["deny", "ask", "continue"])
        for (const [front, call] of Object.entries(fronts)) tried(one, { moment, onError, front, call });
  }
} finally {
  sluice("serve", "--stop");
  await server.terminate();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${count} cases of ${CASES.length} faults, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

function comesTo({ event, matcher }) {
  if (event.gate.why === undefined) return event.gate.action === "deny" ? "denies" : "passes";
  // A change that cannot be made keeps a gate shut, also where a broken hook may continue.
  return matcher.gate.action === "deny" ? "stays shut" : "breaks";
}

function tried({ name, timeout, payload = 0, hook, comesTo }, { moment, onError, front, call }) {
  count++;
  const folder = join(home, `case-${at++}`);
  mkdirSync(folder);
  const place = {
    folder,
    file: (file, content, mode = 0o644) => {
      writeFileSync(join(folder, file), content, { mode });
      return join(folder, file);
    },
  };
  const event = moment === "gate" ? "tool:pre_execute" : "tool:post_execute";
  const { type = "command", ...own } = hook(place);
  writeFileSync(config, JSON.stringify({ hooks: [{ name: "faulty", event, type, timeout, onError, ...own }] }));
  const input = {
    session_id: `s${at}`,
    cwd: root,
    hook_event_name: moment === "gate" ? "PreToolUse" : "PostToolUse",
    tool_name: "Bash",
    tool_use_id: `t${at}`,
    tool_input: { command: `ls ${at}`, content: "x".repeat(payload) },
    ...(moment === "gate" ? {} : { tool_response: { stdout: "" } }),
  };
  const said = call(JSON.stringify(input));
  const wrong = wrongIn(said, { comesTo, moment, onError });
  if (wrong !== undefined) {
    failures.push(name);
    console.log(
      `${name} | ${moment} ${onError} ${front}: ${wrong} | ${said.status} ${said.stdout.slice(0, 300)} ${said.stderr.slice(0, 200)}`.replaceAll(
        "\n",
        " ",
      ),
    );
  }
  rmSync(folder, { recursive: true, force: true });
}

function wrongIn({ status, stdout, stderr }, { comesTo, moment, onError }) {
  const isStopped = status === 2 || /"permissionDecision":\s*"deny"|"decision":\s*"block"/.test(stdout);
  const isAsked = /"permissionDecision":\s*"ask"/.test(stdout);
  const isTold = isStopped || isAsked || /faulty/.test(stdout + stderr);
  if (comesTo === "passes") return isStopped ? "stopped what passes" : undefined;
  if (comesTo === "denies") return isStopped ? undefined : "lost a denial";
  if (comesTo === "told") return isTold ? undefined : "not told";
  if (!isTold) return "not told";
  if (moment === "after") return undefined;
  if (onError === "deny" || comesTo === "stays shut") return isStopped ? undefined : "let it pass";
  if (onError === "ask") return isAsked || isStopped ? undefined : "did not ask";
  // A shell exits with 126 or 127 where it cannot run something, and every exit that is not 0 denies.
  const isExit = /could not find|may not execute/.test(stdout + stderr);
  return isStopped && !isExit ? "denied although it may continue" : undefined;
}

function run(program, args, input) {
  return spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 60_000, maxBuffer: 1 << 26 });
}

function sluice(...args) {
  return run(process.execPath, [command, ...args], "");
}
