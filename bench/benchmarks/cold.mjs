import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { builtFile } from "../built.mjs";
import { rows, target } from "../measure.mjs";
import { compiled, stopwatch } from "../stopwatch.mjs";

/** What a call costs an agent that no daemon answers, on each Node: from the start of the process to its end. */
export async function cold({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const launcher = installedIn(folder);
    const program = compiled("stopwatch", folder);
    const env = envOf(folder);
    const inputs = {
      pass: input(folder, "pass", "ls -la src"),
      denial: input(folder, "denial", "git push --force origin main"),
    };
    const empty = join(folder, "empty.cjs");
    writeFileSync(empty, "");
    const commands = new Map();
    const floors = new Map();
    const targets = [];
    for (const [version, node] of nodes()) {
      const floor = `node ${version} empty.cjs`;
      const words = [node, launcher, "run", "claude-code", "--cold"];
      await compileFor(words, folder, env);
      commands.set(floor, { input: inputs.pass, words: [node, empty] });
      for (const [what, file, atMost] of [
        ["pass", inputs.pass, 3],
        ["denial", inputs.denial, 3.5],
      ]) {
        const label = `node ${version}, ${what}`;
        commands.set(label, { input: file, words });
        targets.push({ what: `${label}, against an empty program`, of: label, to: floor, atMost });
      }
      commands.set(`node ${version}, pass, first call of a build`, {
        input: inputs.pass,
        words: ["/usr/bin/env", `XDG_CACHE_HOME=${empty}`, ...words],
      });
      for (const label of commands.keys()) if (!floors.has(label)) floors.set(label, floor);
    }
    const { wall, processor } = await stopwatch(program, commands, { rounds: quick ? 15 : 100, cwd: folder, env });
    const figures = new Map(wall);
    for (const [label, figure] of processor) {
      const name = `${label}, processor time`;
      figures.set(name, { ...figure, label: name });
      floors.set(name, `${floors.get(label)}, processor time`);
    }
    return {
      what: "`sluice run` with the standard guards, decided in its own process, against an empty program of the same Node",
      rows: rows(figures, { unit: "ms", to: (label) => floors.get(label) }),
      targets: targets.map((wanted) => target(figures, wanted)),
      notes: ["SLUICE_BENCH_NODES names other programs of Node to measure with, apart by colons."],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Node that runs this, and others that are named, by version. */
function nodes() {
  const named = (process.env.SLUICE_BENCH_NODES ?? "").split(":").filter((path) => path !== "");
  return [process.execPath, ...named].map((path) => [
    execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).trim(),
    path,
  ]);
}

/** The build as npm installs it: without compiled code. */
function installedIn(folder) {
  const dist = dirname(builtFile("sluice.cjs"));
  cpSync(dist, join(folder, "dist"), { recursive: true, filter: (path) => !path.endsWith("/compiled") });
  return join(folder, "dist/sluice.cjs");
}

/** Calls once, and waits until the compiled code is written. */
async function compileFor([node, ...words], folder, env) {
  const compiledCode = join(folder, ".cache/sluice/compiled");
  const written = () => (existsSync(compiledCode) ? readdirSync(compiledCode) : []);
  const before = written().length;
  spawnSync(node, words, { cwd: folder, env, input: callOf("ls") });
  for (let wait = 0; wait < 300; wait++) {
    if (written().length > before && written().every((name) => name.endsWith(".cache"))) return;
    await pause(100);
  }
  throw new Error(`no compiled code was written by ${node}`);
}

function input(folder, name, command) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, callOf(command));
  return path;
}

function callOf(command) {
  const call = { session_id: "bench", cwd: "/tmp", hook_event_name: "PreToolUse", tool_name: "Bash" };
  return JSON.stringify({ ...call, tool_input: { command } });
}

/** Neither the user's own hooks nor a daemon may take part. */
function envOf(home) {
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  return { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0" };
}
