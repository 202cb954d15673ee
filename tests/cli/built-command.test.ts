import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { COMMAND, type Ended, runCommand } from "../command-server/run-command.ts";
import { project } from "./sluice.ts";

const FILES = {
  ".sluice/hooks.yaml": "guards: standard\nhooks:\n  - { name: notes, event: session:start, command: echo hello }\n",
  ".orchestration/active_intents.yaml":
    "active_intents:\n  - { id: INT-1, name: it, status: IN_PROGRESS, owned_scope: [src/**] }\n",
};
const CALL = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash" };
const payload = (command: string) => JSON.stringify({ ...CALL, tool_input: { command } });

/** Every command once at least: its words, what it reads, and the exit code. */
const RUNS: readonly (readonly [code: number, words: readonly string[], input?: string])[] = [
  [0, []],
  [0, ["--version"]],
  [64, ["chek"]],
  [0, ["init", "--yes"]],
  [0, ["check"]],
  [0, ["list", "--json"]],
  [0, ["events", "Stop"]],
  [2, ["fire", "PreToolUse:bash", "--args", '{"command":"rm -rf /"}']],
  [0, ["install", "claude-code", "--dry-run"]],
  [0, ["setup", "--dry-run"]],
  [0, ["uninstall", "--yes"]],
  [0, ["import"]],
  [1, ["doctor"]],
  [0, ["run", "claude-code"], payload("ls")],
  [0, ["run", "claude-code"], payload("rm -rf /")],
  [2, ["run"], "no payload"],
  [0, ["explain", "rm -rf /"]],
  [1, ["why", "ffffff"]],
  [0, ["trace"]],
  [1, ["test"]],
  [1, ["serve", "--status"]],
  [0, ["stats"]],
  [0, ["log"]],
  [1, ["enable", "no-such-hook"]],
  [1, ["disable", "no-such-hook"]],
  [0, ["trust", "--yes"]],
  [1, ["pause", "10m"]],
  [1, ["allow", "ffffff"]],
  [1, ["allow-once", "ffffff"]],
  [0, ["approvals"]],
  [1, ["approve", "ffffff"]],
  [1, ["deny", "ffffff"]],
  [0, ["inside", "--list"]],
  [0, ["undo", "--list"]],
  [0, ["intents", "list"]],
  [0, ["packs"]],
  [0, ["add"]],
  [0, ["update"]],
  [1, ["remove", "no-such-pack"]],
  [1, ["pack", "check"]],
  [0, ["replay", "--since", "1h", "--from", "journal"]],
  [0, ["suggest"]],
  [1, ["ui", "--export", "calls.html", "--since", "1s"]],
  [64, ["bundle", "verify", "none"]],
  [1, ["ship", "--once"]],
  [64, ["evidence", "show"]],
  [64, ["fleet", "status"]],
  [64, ["allow-once"]],
  [64, ["allow"]],
  [1, ["approve"]],
  [64, ["remove"]],
  [0, ["templates"]],
  [0, ["completion", "bash"]],
];

describe("the built command", () => {
  it("is tried with every command but the one that stays", () => {
    const tried = new Set(RUNS.map(([, [name]]) => name));
    expect(COMMANDS.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual(["mcp"]);
  });

  let together: ReadonlyMap<readonly string[], Ended> | undefined;
  const runs = RUNS.map(([code, words, input = ""]) => [code, words, input] as const);
  it.each(runs)("ends with %i and prints what its source prints: %j", (code, words, input) => {
    together ??= startedTogether(RUNS.map((run) => run[1]).filter((one) => !isAlone(one)));
    const built = together.get(words) ?? started(words, input);
    expect(built).toEqual(served(words, input));
    expect(built.code).toBe(code);
  });
});

/** What ends its process, or changes the flags of V8 in it; everything else comes from one bundle. */
function isAlone([name = ""]: readonly string[]): boolean {
  return ["run", "serve"].includes(name);
}

/** The command as it was built, from its file anew for each run, in one process. */
function startedTogether(several: readonly (readonly string[])[]): ReadonlyMap<readonly string[], Ended> {
  const places = several.map(() => place());
  const folder = mkdtempSync(join(tmpdir(), "sluice-built-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = join(folder, "runs.json");
  writeFileSync(list, JSON.stringify(several.map((words, index) => ({ words, ...places[index]?.options }))));
  const { status, stderr } = spawnSync(process.execPath, [BUILT_RUNS, COMMAND, list], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const ended: readonly Ended[] = JSON.parse(readFileSync(`${list}.ended`, "utf8"));
  return new Map(places.map(({ plain }, index) => [several[index] ?? [], plain(ended[index] ?? NOT_RUN)]));
}

const NOT_RUN: Ended = { code: null, out: "", err: "not run" };
const BUILT_RUNS = resolve(import.meta.dirname, "built-runs.mjs");

function started(words: readonly string[], input: string): Ended {
  const at = place();
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
    ...at.options,
    input,
    encoding: "utf8",
  });
  return at.plain({ code: status, out: stdout, err: stderr });
}

function served(words: readonly string[], input: string): Ended {
  const at = place();
  return at.plain(runCommand(words, { ...at.options, input }));
}

function place() {
  const { home, root } = project(FILES);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
  const plain = (text: string) =>
    text
      .replaceAll(home, "~")
      .replaceAll(/sluice why [0-9a-f]+/g, "sluice why ID")
      // The process that serves the source has flags of V8 from other commands that it has run.
      .replaceAll(/^Compiled code\n(?: {2}.*\n)+/gm, "Compiled code\n")
      .replaceAll(/sha256:[0-9a-f]+/g, "HASH")
      .replaceAll(/[\d.]+ ?(?:ms|µs) */g, "N ms ");
  return {
    options: { cwd: root, env },
    plain: ({ code, out, err }: Ended): Ended => ({ code, out: plain(out), err: plain(err) }),
  };
}
