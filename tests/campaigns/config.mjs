// Breaks the user's configuration while calls are made that it denies: `npm run campaign config [part of a name]`.
// Ends with 1 where a call passed in silence that the last good configuration denies, or where the whole configuration no longer works afterwards.
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CONFIG_FAULTS, GOOD } from "../faults/config-faults.mjs";
import { bashCall, freshHome, installedLine } from "./fresh/home.mjs";

const [part = ""] = process.argv.slice(2);
const command = resolve("dist/sluice.cjs");
let failures = 0;
let count = 0;
for (const [kind, fault] of Object.entries(CONFIG_FAULTS))
  for (const front of ["cold", "daemon"]) {
    const name = `${kind}, ${front}`;
    if (name.includes(part)) tried(name, fault, front);
  }
console.log(count === 0 ? `No fault has "${part}" in its name.` : `${count} calls, ${failures} failures`);
process.exit(failures === 0 && count > 0 ? 0 : 1);

function tried(name, { file = "hooks.yaml", steps, descriptors, times = 10 }, front) {
  const { home, root, env } = freshHome("c-");
  const config = join(home, ".config/sluice", file);
  const content = GOOD[file];
  writeFileSync(config, content);
  const run = (program, args, input = "") =>
    spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 60_000 });
  const sluice = (...args) => run(process.execPath, [command, ...args]);
  let line = `'${process.execPath}' '${command}' run claude-code --cold`;
  if (front === "daemon") {
    sluice("install", "claude-code", "--yes");
    line = installedLine(home);
  }
  const limited = descriptors === undefined ? line : `ulimit -n ${descriptors}; ${line}`;
  const call = (at, by = line) => run("/bin/sh", ["-c", by], bashCall(root, at, `forbidden ${at}`));
  const isStopped = ({ status, stdout }) => status === 2 || /"permissionDecision":\s*"(?:deny|ask)"/.test(stdout);
  const first = call("first");
  if (!isStopped(first)) failed(name, `did not deny before the fault: ${first.status} ${first.stdout}${first.stderr}`);
  const tools = { config, home, content, fs: { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } };
  if (descriptors !== undefined && front === "daemon") {
    sluice("serve", "--stop");
    spawnSync("/bin/sh", ["-c", limited], { cwd: root, env, input: "{}", timeout: 60_000 });
  }
  if (steps !== undefined) steps(tools);
  let passed = 0;
  for (let at = 0; at < times; at++) {
    count++;
    const said = call(at, limited);
    // What stays broken is told with every call; what a program is about to write anew must not open a gate at all.
    if (isStopped(said) || (at > 0 && steps !== undefined && /hooks\.(?:yaml|json)/.test(said.stdout))) continue;
    passed++;
    if (passed === 1) console.log(`  ${said.status} ${said.stdout.slice(0, 300)} ${said.stderr.slice(0, 300)}`);
  }
  console.log(`${name}: ${passed} of ${times} calls passed`);
  if (passed > 0) failures++;
  // Never through a symlink: one of the faults leads to a device of the system.
  if (lstatSync(config, { throwIfNoEntry: false })?.isFile()) chmodSync(config, 0o600);
  rmSync(config, { recursive: true, force: true });
  mkdirSync(join(config, ".."), { recursive: true });
  writeFileSync(config, content);
  if (!isStopped(call("last"))) failed(name, "did not deny when the configuration was whole again");
  sluice("serve", "--stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

function failed(name, what) {
  failures++;
  console.log(`${name}: ${what}`);
}
