// Keeps the daemon busy for a long time while its configuration changes every few seconds, and compares every
// answer with what the hooks of that hook event say: `node scripts/soak.mjs [minutes] [callers]`, 30 minutes when left out.
// Ends with 1 when a decision was wrong, a line of the journal or of the trace was lost, or something grew or was left over.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesOf, isFlat, journalTail, processesOf, residentBytes } from "./soak-watch.mjs";

const minutes = Number(process.argv[2] ?? 30);
const callers = Number(process.argv[3] ?? 4);
const launcher = fileURLToPath(new URL("../dist/sluice.cjs", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "sluice-soak-"));
const project = join(home, "project");
const env = {
  PATH: process.env.PATH,
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_STATE_HOME: join(home, ".state"),
};
/** What is called, again and again; a number follows. */
const LINES = ["ls", "rmm", "hook", "make", "ls", "plugin", "rmm", "ls"];
const wrong = [];
const samples = [];
let [calls, hooked, edits, version, serial, isOver] = [0, 0, 0, 0, 0, false];

for (const path of [join(project, ".git"), join(project, ".orchestration"), join(home, ".config/sluice")])
  mkdirSync(path, { recursive: true });
writeFileSync(join(home, ".config/sluice/guard.ts"), plugin());
change();
const installed = sluice("install", "claude-code", "--yes");
if (installed.status !== 0) throw new Error(installed.stderr);
const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
const words = settings.hooks.PreToolUse[0].hooks[0].command.replace(/ \|\| exit 2$/, "").split(" ");
if (words[0] === process.execPath) throw new Error("no client could be made here; every call would be cold");
const tail = journalTail(join(home, ".state/sluice/decisions"));

await warm();
const baseline = measured();
const began = performance.now();
const timers = [
  setInterval(change, 3000),
  setInterval(() => samples.push(measured()), 5000),
  setInterval(() => tail.read(), 200),
];
const end = setTimeout(() => {
  isOver = true;
}, minutes * 60_000);
await Promise.all([...Array.from({ length: callers }, calling), editing()]);
for (const timer of [...timers, end]) clearTimeout(timer);
await settle();
judge();
summary();
rmSync(home, { recursive: true, force: true });
process.exitCode = wrong.length === 0 ? 0 : 1;

/** Lets the first call start the daemon, and waits until it and its workers have seen everything once. */
async function warm() {
  for (let turn = 0; turn < 60 && status().running !== true; turn++) {
    if (turn % 20 === 0) await checked("ls");
    await pause(100);
  }
  for (let turn = 0; turn < 200; turn++) await checked(LINES[turn % LINES.length]);
  if (status().running !== true) throw new Error("no daemon came");
}

/** The next configuration: the same rules with another number in all they say. */
function change() {
  version++;
  const path = join(home, ".config/sluice/hooks.yaml");
  writeFileSync(`${path}.draft`, hooks(version));
  renameSync(`${path}.draft`, path);
}

async function calling() {
  for (let turn = 0; !isOver; turn++) await checked(LINES[turn % LINES.length]);
}

/** Changes a file as an agent does, with a call before and one after it; each is a line of the trace. */
async function editing() {
  for (let turn = 0; !isOver; turn++) {
    const about = {
      session_id: `e${++serial}`,
      cwd: project,
      tool_name: "Write",
      tool_use_id: `t${turn}`,
      tool_input: { file_path: join(project, "edited.txt"), content: `${turn}\n` },
    };
    await call({ ...about, hook_event_name: "PreToolUse" });
    writeFileSync(join(project, "edited.txt"), `${turn}\n`);
    await call({ ...about, hook_event_name: "PostToolUse", tool_response: { success: true } });
    edits++;
    await pause(20);
  }
}

/** One call, whose answer has to be that of a configuration which held while it was under way. */
async function checked(line) {
  const from = version;
  const id = ++serial;
  const command = `${line} ${id}`;
  if (line === "hook") hooked++;
  const answer = await call({ ...shell(command), session_id: `c${id}` });
  const fits = Array.from({ length: version - from + 1 }, (_, at) => expected(line, from + at));
  if (!fits.some((said) => isAnswer(answer, said))) wrong.push({ command, from, to: version, answer });
}

function shell(command) {
  return { cwd: project, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
}

function call(payload) {
  calls++;
  return new Promise((resolve, reject) => {
    const child = spawn(words[0], words.slice(1), { cwd: project, env: { ...env, CALLER: payload.session_id } });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => {
        said[name] += text;
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...said, code }));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

/** What the hooks of one version say about a line: nothing, or an action and the beginning of its reason. */
function expected(line, number) {
  return {
    ls: undefined,
    rmm: ["deny", `no rmm ${number}`],
    make: ["ask", `is ${number} a good time?`],
    hook: ["deny", `hook ${number} for c`],
    plugin: ["deny", "plugin for c"],
  }[line];
}

function isAnswer({ stdout, code }, said) {
  if (said === undefined) return stdout === "" && code === 0;
  try {
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
    return permissionDecision === said[0] && permissionDecisionReason.includes(said[1]);
  } catch {
    return false;
  }
}

/** Waits until the daemon has nothing left to do. */
async function settle() {
  for (let turn = 0; turn < 50 && tail.count() < calls; turn++) {
    await pause(100);
    tail.read();
  }
}

function judge() {
  samples.push(measured());
  const expectations = {
    "every call is in the journal once":
      tail.count() === calls && [...tail.seen].every(([id, times]) => times === (id.startsWith("c") ? 1 : 2)),
    "every hook ran once": ranHooks() === hooked,
    "the trace is whole": traced() === edits,
    "it was one daemon all the time": samples.every(({ pid }) => pid === baseline.pid),
    "the daemon's memory is flat": isFlat(samples.map(({ rss }) => rss)),
    "no descriptor is left open": samples.at(-1).files <= baseline.files + 4,
  };
  sluice("serve", "--stop");
  spawnSync("sleep", ["3"]);
  expectations["no process is left"] = processesOf(home).length === 0;
  for (const [name, holds] of Object.entries(expectations)) if (!holds) wrong.push(name);
}

function summary() {
  const seconds = (performance.now() - began) / 1000;
  const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const last = samples.at(-1);
  console.log(
    `${calls} calls in ${Math.round(seconds)} s (${Math.round(calls / seconds)} a second), ${version} configurations`,
  );
  console.log(
    `${hooked} runs of a command hook (${ranHooks.found} found), ${edits} traced changes (${traced.found} found), ${tail.count()} lines of the journal`,
  );
  console.log(
    `daemon: ${mib(baseline.rss)} at first, ${mib(Math.max(...samples.map(({ rss }) => rss)))} at most, ${mib(last.rss)} at last; ${baseline.files} then ${last.files} descriptors`,
  );
  console.log(
    `workers: at most ${Math.max(...samples.map(({ workers }) => workers))}, the largest ${mib(Math.max(...samples.map(({ largest }) => largest)))}`,
  );
  for (const what of wrong.slice(0, 20)) console.log("WRONG", typeof what === "string" ? what : JSON.stringify(what));
  console.log(wrong.length === 0 ? "Everything held." : `${wrong.length} did not hold.`);
}

function ranHooks() {
  const ids = readFileSync(join(project, "ran"), "utf8").trim().split("\n");
  ranHooks.found = new Set(ids).size === ids.length ? ids.length : `${ids.length}, some twice`;
  return ranHooks.found;
}

function traced() {
  const { stdout } = sluice("trace", "verify", "--json");
  const { records, broken } = JSON.parse(stdout);
  traced.found = broken === undefined || broken === null ? records : `${records}, broken`;
  return traced.found;
}

/** Every worker is reached through one descriptor, and comes and goes. */
function measured() {
  const { pid, rss, workers } = status();
  const others = processesOf(home).filter((one) => one !== pid);
  return { pid, rss, workers, files: filesOf(pid) - workers, largest: Math.max(0, ...others.map(residentBytes)) };
}

function status() {
  return JSON.parse(sluice("serve", "--status", "--json").stdout);
}

function sluice(...args) {
  return spawnSync(process.execPath, [launcher, ...args], { cwd: project, env, encoding: "utf8" });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function plugin() {
  return `export default { preToolUse: (request) => request.toolInput.command?.startsWith("plugin") ? ["block", \`plugin for \${process.env.CALLER}\`] : ["pass", null] };\n`;
}

function hooks(number) {
  return `hooks:
  - name: rules
    event: tool:pre_execute:@shell
    rules: |
      args.command starts_with "rmm" -> deny("no rmm ${number}")
      args.command starts_with "make" -> ask("is ${number} a good time?")
  - name: command
    matcher: { events: [PreToolUse], command_patterns: ["hook*"] }
    command: echo $CALLER >> ran; echo "hook ${number} for $CALLER"; exit 1
  - name: guard
    matcher: { events: [PreToolUse], command_patterns: ["plugin*"] }
    module: ./guard.ts
`;
}
