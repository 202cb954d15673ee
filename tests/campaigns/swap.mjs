// Swaps the files of approved hooks while they are called: `npm run campaign swap [part of a name] [calls]`.
// Ends with 1 where content ran that was not approved, or where an approved hook never ran.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SWAPS, WAYS } from "../trust/swaps.mjs";
import { bashCall, freshHome, installedLine } from "./fresh/home.mjs";

const [part = "", calls = "200"] = process.argv.slice(2);
const command = resolve("dist/sluice.cjs");
let failures = 0;
let rows = 0;
for (const [kind, make] of Object.entries(SWAPS))
  for (const way of WAYS)
    for (const front of ["cold", "daemon"]) {
      const name = `${kind}, ${way}, ${front}`;
      if (name.includes(part)) await tried(name, make, way, front);
    }
if (rows === 0) console.log(`No row has "${part}" in its name.`);
process.exit(failures === 0 && rows > 0 ? 0 : 1);

async function tried(name, make, way, front) {
  rows++;
  const { home, root, env } = freshHome("s-");
  const mark = join(home, "ran");
  const say = (word) => `echo ${word} >> '${mark}'`;
  const { hook, files, swapped } = make(say);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), content, { mode: 0o755 });
  }
  const evil = files[swapped].replaceAll("approved", "swapped");
  mkdirSync(join(root, ".sluice"), { recursive: true });
  if (way === "link") {
    writeFileSync(join(root, `${swapped}.good`), files[swapped], { mode: 0o755 });
    rmSync(join(root, swapped));
    symlinkSync(join(root, `${swapped}.good`), join(root, swapped));
  }
  const rules = { name: "gate", event: "tool:pre_execute:@shell", timeout: 20, ...hook };
  writeFileSync(join(root, ".sluice/hooks.json"), JSON.stringify({ hooks: [rules] }));
  writeFileSync(join(home, ".config/sluice/hooks.json"), '{"hooks":[]}');
  const run = (args, input = "", program = process.execPath) =>
    spawnSync(program, args, { cwd: root, env, input, encoding: "utf8", timeout: 60_000 });
  let call = [process.execPath, [command, "run", "claude-code", "--cold"]];
  if (front === "daemon") {
    run([command, "install", "claude-code", "--yes"]);
    call = ["/bin/sh", ["-c", installedLine(home)]];
  }
  const trusted = run([command, "trust", "--yes"]);
  const payload = (at) => bashCall(root, at, `ls ${at}`);
  const first = run(call[1], payload(0), call[0]);
  const swapper = spawn(process.execPath, [resolve("tests/trust/swapper.mjs"), join(root, swapped), way], {
    env: { ...env, GOOD: files[swapped], EVIL: evil },
    stdio: "ignore",
  });
  for (let at = 1; at <= Number(calls); at++) run(call[1], payload(at), call[0]);
  swapper.kill("SIGKILL");
  const lines = existsSync(mark) ? readFileSync(mark, "utf8").split("\n") : [];
  const [approved, bad] = ["approved", "swapped"].map((word) => lines.filter((line) => line === word).length);
  console.log(`${name}: ${bad} of ${calls} calls ran what was not approved, ${approved} ran what was`);
  if (bad > 0 || approved === 0) failures++;
  if (approved === 0) console.log(trusted.stdout, trusted.stderr, first.stdout, first.stderr);
  run([command, "serve", "--stop"]);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
