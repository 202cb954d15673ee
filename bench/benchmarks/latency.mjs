import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtFile } from "../built.mjs";
import { rows, target } from "../measure.mjs";

const NOOP = "a native program that does nothing";
const SHELL = "sh -c true";
const NODE = "node empty.cjs";
const NATIVE = "sluice run, native client";
const PERL = "sluice run, perl client";
const COLD = "sluice run, cold";
const COMPILER = "cc";

/** What one call costs an agent, from the start of a process to its end, with the engine in memory and without. */
export async function latency({ quick }) {
  const launcher = builtFile("sluice.cjs");
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const stopwatch = compiled("stopwatch", folder, []);
    // Whoever has no compiler gets the script; made in this order, both lie ready for one engine.
    const perl = installed("perl", onlyPerl(folder));
    const native = installed("native", process.env.PATH);
    // The engine writes its journal right after an answer; no call comes on the heels of another.
    const contenders = new Map([
      [PERL, perl],
      [NODE, [process.execPath, empty(folder)]],
      [NATIVE, native],
      [COLD, [process.execPath, launcher, "run", "claude-code", "--cold"]],
      [NOOP, [compiled("noop", folder, ["-static"])]],
      [SHELL, ["/bin/sh", "-c", "true"]],
    ]);
    const input = join(folder, "call.json");
    writeFileSync(input, JSON.stringify(CALL));
    const lines = join(folder, "lines");
    writeFileSync(lines, [...contenders.values()].map((words) => words.join("\t")).join("\n"));
    const run = (rounds) =>
      spawnSync(stopwatch, [rounds, input, lines], {
        cwd: folder,
        encoding: "utf8",
        env: envOf(folder),
        maxBuffer: 2 ** 28,
      });
    // The first call starts the engine; the others let it compile what it needs.
    for (let turn = 0; turn < 400; turn++) called(contenders.get(NATIVE));
    const figures = summed([...contenders.keys()], run(quick ? "30" : "300").stdout);
    return {
      what: "`sluice run` with the standard guards from start to end, interleaved with programs that do nothing",
      rows: rows(figures, { unit: "ms", to: () => NODE }),
      targets: [
        target(figures, { what: "native client against `node empty.cjs`", of: NATIVE, to: NODE, atMost: 0.05 }),
        target(figures, { what: "native client against a native no-op", of: NATIVE, to: NOOP, atMost: 4 }),
        target(figures, { what: "perl client against `node empty.cjs`", of: PERL, to: NODE, atMost: 0.167 }),
        target(figures, { what: "cold against `node empty.cjs`", of: COLD, to: NODE, atMost: 2 }),
      ],
      notes: ["Other tools are not in this table: none is installed beside these benchmarks."],
    };
  } finally {
    spawnSync(process.execPath, [launcher, "serve", "--stop"], { env: envOf(folder) });
    rmSync(folder, { recursive: true, force: true });
  }

  /** The words that `sluice install` gives an agent where these programs are found. */
  function installed(name, path) {
    mkdirSync(join(folder, ".config/sluice"), { recursive: true });
    writeFileSync(join(folder, ".config/sluice/hooks.yaml"), "guards: standard\n");
    const env = { ...envOf(folder), PATH: path };
    spawnSync(process.execPath, [launcher, "install", "claude-code", "--yes"], { cwd: folder, env });
    const settings = JSON.parse(readFileSync(join(folder, ".claude/settings.json"), "utf8"));
    const { command } = settings.hooks.PreToolUse[0].hooks[0];
    const words = command.replace(/ \|\| exit 2$/, "").split(" ");
    if (words[0] === process.execPath) throw new Error(`no ${name} client could be made here`);
    return words;
  }

  function called([program, ...words]) {
    spawnSync(program, words, { cwd: folder, env: envOf(folder), input: JSON.stringify(CALL) });
  }
}

function envOf(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
}

function compiled(name, folder, flags) {
  const source = fileURLToPath(new URL(`../latency/${name}.c`, import.meta.url));
  const program = join(folder, name);
  if (spawnSync(COMPILER, ["-O2", ...flags, "-o", program, source]).status === 0) return program;
  throw Object.assign(new Error("This benchmark needs a C compiler under the name cc."), { code: "NOT_BUILT" });
}

function empty(folder) {
  writeFileSync(join(folder, "empty.cjs"), "");
  return join(folder, "empty.cjs");
}

function onlyPerl(folder) {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const { stdout } = spawnSync("sh", ["-c", "command -v perl"], { encoding: "utf8" });
  symlinkSync(stdout.trim(), join(bin, "perl"));
  return bin;
}

function summed(labels, printed) {
  const samples = labels.map(() => []);
  for (const line of printed.trim().split("\n")) {
    const [which, nanoseconds, code] = line.split(" ").map(Number);
    if (code !== 0) throw new Error(`${labels[which]} ended with ${code}`);
    samples[which].push(nanoseconds / 1e6);
  }
  return new Map(
    labels.map((label, which) => {
      const sorted = samples[which].toSorted((one, other) => one - other);
      const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
      return [label, { label, median: at(0.5), p90: at(0.9), p99: at(0.99), samples: sorted.length }];
    }),
  );
}

const CALL = {
  session_id: "bench",
  cwd: "/tmp",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls -la src" },
};
