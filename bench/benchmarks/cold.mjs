import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtFile } from "../built.mjs";
import { rows, sideBySide, target } from "../measure.mjs";

const FLOOR = "node empty.cjs";
const YAML = "sluice fire, hooks.yaml";
const JSON_ = "sluice fire, hooks.json";

/** What one call costs an agent when no engine is warm: from the start of the process to its end. */
export async function cold({ quick }) {
  const command = builtFile("sluice.cjs");
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const contenders = contendersIn(folder, command);
    const figures = await sideBySide(contenders, { rounds: quick ? 15 : 120, warmUpMs: quick ? 100 : 600 });
    const aim = (label, what) => target(figures, { what, of: label, to: FLOOR, atMost: 1.5 });
    return {
      what: "`sluice fire` from start to end, where hooks are configured and none listens, against an empty program",
      rows: rows(figures, { unit: "ms", to: () => FLOOR }),
      targets: [aim(YAML, "one call with YAML against `node empty.cjs`"), aim(JSON_, "one call with JSON against it")],
      notes: [breakdown(figures)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contendersIn(folder, command) {
  const empty = join(folder, "empty.cjs");
  const read = join(folder, "read.cjs");
  writeFileSync(empty, "");
  // A bundle that returns at its first statement is read and parsed, and does nothing.
  writeFileSync(read, readFileSync(command, "utf8").replace(/^(#!.*\n)?/, "return;\n"));
  const fire = ["fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}'];
  const program = (label, cwd, args) => ({ label, times: 1, run: () => startToEnd(args, cwd, folder) });
  return [
    program(FLOOR, folder, [empty]),
    program(PARSED, folder, [read]),
    program(VERSION, project(folder, "version", {}), [command, "--version"]),
    program(NO_FILES, project(folder, "none", {}), [command, ...fire]),
    program(JSON_, project(folder, "json", { "hooks.json": HOOKS_JSON }), [command, ...fire]),
    program(YAML, project(folder, "yaml", { "hooks.yaml": HOOKS_YAML }), [command, ...fire]),
  ];
}

const PARSED = "the bundle, parsed and left";
const VERSION = "sluice --version";
const NO_FILES = "sluice fire, no configuration";

function project(folder, name, files) {
  const root = join(folder, name);
  mkdirSync(join(root, ".sluice"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, ".sluice", file), text);
  return root;
}

/** Neither the user's own hooks nor a warm engine may take part. */
function startToEnd(args, cwd, home) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, SLUICE_RESIDENT: "0" };
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout.length + 1;
}

/** What each step adds, as a difference of medians from the same run. */
function breakdown(figures) {
  const steps = [
    ["reading and parsing the bundle", PARSED, FLOOR],
    ["beginning and printing a line", VERSION, PARSED],
    ["the engine without hooks", NO_FILES, VERSION],
    ["hooks in JSON", JSON_, NO_FILES],
    ["hooks in YAML instead", YAML, JSON_],
  ];
  const floor = figures.get(FLOOR).median;
  const parts = steps.map(([what, one, other]) => {
    const ms = figures.get(one).median - figures.get(other).median;
    return `${what} ${ms.toFixed(1)} ms (${(ms / floor).toFixed(2)}x)`;
  });
  return `On top of node's own ${floor.toFixed(1)} ms: ${parts.join(", ")}.`;
}

const HOOKS = [
  { name: "greet", event: "session:start", command: "echo hello" },
  { name: "log", event: "session:end", command: "cat >> session.log", timeout: 5 },
  { name: "format", event: "tool:post_execute:@write", command: "npx biome format", description: "Formats files." },
  { name: "prompt", matcher: { events: ["UserPromptSubmit"] }, command: "./check-prompt.sh", priority: 10 },
];
const HOOKS_JSON = JSON.stringify({ hooks: HOOKS }, null, 2);
const HOOKS_YAML = `# What this project listens to.
hooks:
  - name: greet
    event: session:start
    command: echo hello
  - name: log
    event: session:end
    command: cat >> session.log
    timeout: 5
  - name: format
    event: tool:post_execute:@write
    command: npx biome format
    description: Formats files.
  - name: prompt
    matcher:
      events: [UserPromptSubmit]
    command: ./check-prompt.sh
    priority: 10
`;
