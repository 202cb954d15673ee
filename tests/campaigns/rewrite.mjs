// Rewrites the configuration while calls are made that it denies: `npm run campaign rewrite [part of a name] [calls]`.
// Every style of writing, for the file of a project and of the user, cold and through the daemon. Ends with 1 where a call passed,
// or where the next call is not denied as before once the writer has ended.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GOOD } from "../faults/config-faults.mjs";
import { bashCall, freshHome, installedLine } from "./fresh/home.mjs";

const [part = "", times = "40"] = process.argv.slice(2);
const command = resolve("dist/sluice.cjs");
const FILES = { project: "project/.sluice", user: ".config/sluice" };
let [calls, failures] = [0, 0];

for (const style of ["truncate", "pieces", "rename", "backup", "symlink", "vanish", "torn", "folder"])
  for (const [whose, folder] of Object.entries(FILES))
    for (const [name, content] of Object.entries(GOOD))
      for (const front of ["cold", "daemon"]) {
        const row = `${style}, ${name} of the ${whose}, ${front}`;
        if (row.includes(part)) await tried(row, style, join(folder, name), content, front);
      }
console.log(calls === 0 ? `No row has "${part}" in its name.` : `${calls} calls, ${failures} passed`);
process.exit(failures === 0 && calls > 0 ? 0 : 1);

async function tried(row, style, path, content, front) {
  const { home, root, env } = freshHome("r-");
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const run = (program, args, input = "") =>
    spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 300_000 });
  const sluice = (...args) => run(process.execPath, [command, ...args]);
  if (front === "daemon" && sluice("install", "claude-code", "--yes").status !== 0) throw new Error("install failed");
  const line =
    front === "daemon" ? installedLine(home) : `'${process.execPath}' '${command}' run claude-code --cold || exit 2`;
  const isStopped = (at) => {
    calls++;
    const { status, stdout } = run("/bin/sh", ["-c", line], bashCall(root, at, `forbidden ${at}`));
    if (status === null) throw new Error(`${row}: a call was not answered`);
    return status === 2 || /"permissionDecision":\s*"(?:deny|ask)"/.test(stdout);
  };
  let passed = isStopped("before") ? 0 : 1;
  const writer = spawn(process.execPath, [resolve("tests/faults/config-breaker.mjs"), file, style], {
    env: { ...env, CONTENT: content },
    stdio: "ignore",
  });
  for (let at = 0; at < Number(times); at++) if (!isStopped(at)) passed++;
  const ended = new Promise((done) => writer.once("close", done));
  writer.kill("SIGKILL");
  await ended;
  rmSync(dirname(file), { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (!isStopped("after")) passed++;
  failures += passed;
  console.log(`${row}: ${passed} passed`);
  sluice("serve", "--stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
