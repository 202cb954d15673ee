// Stops the workers and the daemon in the middle of their work (SIGSTOP) and calls: `npm run campaign stopped [calls]`.
// Ends with 1 where a call was not answered within ten seconds, or passed although a hook denies it, or no process was there to stop.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { bashCall, freshHome, installedLine } from "./fresh/home.mjs";

const [calls = "5"] = process.argv.slice(2);
const command = resolve("dist/sluice.cjs");
const { home, root, env } = freshHome("w-");
const hook = { name: "no", event: "tool:pre_execute", command: "grep -q forbidden && exit 1 || exit 0" };
writeFileSync(join(home, ".config/sluice/hooks.json"), JSON.stringify({ guards: "off", hooks: [hook] }));
const run = (program, args, input = "") =>
  spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 60_000 });
run(process.execPath, [command, "install", "claude-code", "--yes"]);
const line = installedLine(home);
let [count, failures] = [0, 0];

called("none stopped");
for (const part of ["--worker", "--launched"]) {
  const stopped = await running(part);
  if (stopped.length === 0) failures++;
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  called(`${part} stopped (${stopped.length})`);
  for (const pid of stopped) end(pid);
}
run(process.execPath, [command, "serve", "--stop"]);
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`${count} calls, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);

function called(name) {
  for (let at = 0; at < Number(calls); at++) {
    const input = bashCall(root, ++count, `forbidden ${count}`);
    const began = performance.now();
    const { status, stdout } = run("/bin/sh", ["-c", line], input);
    const ms = Math.round(performance.now() - began);
    const isDenied = status === 2 || /"permissionDecision":\s*"deny"/.test(stdout);
    if (!isDenied || ms > 10_000) failures++;
    console.log(`${name}: ${ms} ms, ${isDenied ? "denied" : "passed"}`);
  }
}

/** Processes with this option, once the calls have started one. */
async function running(part) {
  for (let turn = 0; turn < 50 && processesOf(part).length === 0; turn++) {
    run("/bin/sh", ["-c", line], bashCall(root, `start-${turn}`, "ls"));
    await setTimeout(100);
  }
  return processesOf(part);
}

function processesOf(part) {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`);
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(part) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The daemon has ended it already.
  }
}
