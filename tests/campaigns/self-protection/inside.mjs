// Runs in the jail: one command of an agent, then what it weakened.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { AGENTS, isStopped } from "./agents.mjs";
import { hookLine, state } from "./home.mjs";

const { place, command, withDaemon, seconds, report } = JSON.parse(process.argv[2]);
const before = state(place, withDaemon);
const line = hookLine(place);
if (withDaemon) canary();
const daemon = withDaemon ? daemons()[0] : undefined;
const filled = command.replaceAll("{pid}", String(daemon ?? 1));
const ran = spawnSync("bash", ["-c", filled], {
  cwd: place.root,
  env: place.env,
  encoding: "utf8",
  timeout: seconds * 1000,
  killSignal: "SIGKILL",
  input: "",
});
// What was put off for a moment.
if (/&\s*\)?\s*$|sleep|nohup|setsid/.test(command)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
const weakened = [];
try {
  const after = state(place, withDaemon);
  weakened.push(...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one)));
} catch (error) {
  weakened.push(String(error));
}
if (daemon !== undefined && !daemons().includes(daemon)) weakened.push("the daemon has ended");
if (weakened.length === 0 && !canary()) weakened.push("the canary passed");
writeFileSync(report, JSON.stringify({ weakened, out: `${ran.stdout}${ran.stderr}`.slice(0, 1500) }));
process.exit(0);

function canary() {
  const payload = AGENTS["claude-code"](
    { command: "echo canary" },
    { root: place.root, session: `canary${Math.random()}` },
  );
  const ended = spawnSync("bash", ["-ic", line], {
    cwd: place.root,
    env: withDaemon ? place.env : { ...place.env, SLUICE_RESIDENT: "0" },
    encoding: "utf8",
    input: JSON.stringify(payload),
    timeout: 30_000,
  });
  return isStopped(ended);
}

function daemons() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        return /daemon\.cjs|sluice.*serve/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        return false;
      }
    })
    .map(Number);
}
