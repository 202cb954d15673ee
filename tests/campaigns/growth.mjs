// Grows every construct that a call may carry, and measures how long its decision takes:
// `npm run campaign growth [largest] [engine|cold|daemon] [part of a name]`. Ends with 1 where a decision took more than two
// seconds of processor time. `cold` and `daemon` are the built command, which is asked about the largest size alone.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { freshHome, installedLine } from "./fresh/home.mjs";

const [largest = "100000", front = "engine", part = ""] = process.argv.slice(2);
const LIMIT_MS = 2000;
/** What the system counts the time of processes in. */
const TICK_MS = 10;
const command = resolve("dist/sluice.cjs");
const { growingCalls } = await loadSource(process.cwd(), ["../tests/dos/growing-calls.ts"]);
const { home, root, env } = freshHome("g-");
writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
const run = (program, args, input = "") =>
  spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 120_000, maxBuffer: 1 << 28 });
const { sizes, decide } = await { engine: byEngine, cold: byCommand, daemon: byDaemon }[front]();
let [count, slow, worst] = [0, 0, { ms: 0, name: "" }];
try {
  for (const { name, tool, input } of growingCalls().filter((call) => call.name.includes(part)))
    for (const size of sizes) {
      const { ms, said } = await decide(tool, input(size));
      count++;
      if (ms > worst.ms) worst = { ms, name: `${name} x ${size}` };
      if (ms > LIMIT_MS) {
        slow++;
        console.log(`${Math.round(ms)} ms  ${name} x ${size}  ${said.slice(0, 100)}`);
        if (ms > 4 * LIMIT_MS) break;
      }
    }
} finally {
  run(process.execPath, [command, "serve", "--stop"]);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(
  `${count} calls, ${slow} took more than ${LIMIT_MS / 1000} s; the longest ${Math.round(worst.ms)} ms: ${worst.name}`,
);
process.exit(slow === 0 && count > 0 ? 0 : 1);

async function byEngine() {
  Object.assign(process.env, env);
  const { createHookEngine } = await import(pathToFileURL(resolve("dist/index.js")).href);
  const engine = await createHookEngine({ root, sessionId: "growth" });
  return {
    sizes: [30, 300, 3000, 20_000, 60_000, 100_000, 300_000].filter((size) => size <= Number(largest)),
    decide: async (toolName, toolInput) => {
      const began = process.cpuUsage();
      const { allow, reason } = await engine.preToolUse({ toolName, toolInput, cwd: root });
      const { user, system } = process.cpuUsage(began);
      return { ms: (user + system) / 1000, said: allow ? "passed" : `stopped: ${reason}` };
    },
  };
}

function byCommand(line = `'${process.execPath}' '${command}' run claude-code --cold`, others = () => 0) {
  return {
    sizes: [Number(largest)],
    decide: (tool_name, tool_input) => {
      const payload = { hook_event_name: "PreToolUse", session_id: "growth", cwd: root, tool_name, tool_input };
      const before = others();
      const { status, stdout, stderr } = run(
        "bash",
        ["-c", `TIMEFORMAT=$'\\n%U %S'; time sh -c ${quoted(line)}`],
        jsonText(payload),
      );
      const [user = 0, system = 0] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
      return { ms: (user + system) * 1000 + others() - before, said: `${status}: ${stdout || stderr}` };
    },
  };
}

function byDaemon() {
  run(process.execPath, [command, "install", "claude-code", "--yes"]);
  const line = installedLine(home);
  const front = byCommand(line, daemonMs);
  for (let turn = 0; turn < 100 && daemonMs() === 0; turn++) {
    front.decide("Bash", { command: "ls" });
    spawnSync("sleep", ["0.1"]);
  }
  if (daemonMs() === 0) throw new Error("the daemon did not start");
  return front;
}

/** What the daemon and its workers have taken so far. */
function daemonMs() {
  return readdirSync("/proc").reduce((sum, pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`)) return sum;
      const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return sum + (Number(user) + Number(system)) * TICK_MS;
    } catch {
      return sum;
    }
  }, 0);
}

/** JSON of any depth: `JSON.stringify` ends with the stack. */
function jsonText(value) {
  const around = [];
  let inner = value;
  while (Object.keys(inner).length === 1 && typeof Object.values(inner)[0] === "object") {
    const [[key, next]] = Object.entries(inner);
    around.push(`{${JSON.stringify(key)}:`);
    inner = next;
  }
  if (around.length > 0) return `${around.join("")}${JSON.stringify(inner)}${"}".repeat(around.length)}`;
  const { tool_input, ...rest } = value;
  return tool_input === undefined
    ? JSON.stringify(value)
    : `${JSON.stringify(rest).slice(0, -1)},"tool_input":${jsonText(tool_input)}}`;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
