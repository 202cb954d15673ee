import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { builtFile } from "../built.mjs";
import { figureOf, rows, target } from "../measure.mjs";
import { compiled, stopwatch } from "../stopwatch.mjs";

const NOOP = "a native program that does nothing";
const SHELL = "sh -c true";
const NODE = "node empty.cjs";
const NATIVE = "sluice run, native client";
const PERL = "sluice run, perl client";
const POSTED = "a call over HTTP, on a connection that is there";
const APART = `${POSTED}, two milliseconds after the last`;
const LINE = "the installed line, as the agent's shell runs it";
const PROJECT_LINE = "the project's installed line, in a clone";
const DENIED = `${NATIVE}, denied`;
const YOUNG = `${NATIVE}, the first 60 calls of a daemon, a second apart`;
const COLD = "sluice run, cold";
const PEER = "cc-safety-net, as a command";

/** What one call costs an agent, from the start of a process to its end, with the daemon in memory and without. */
export async function latency({ quick }) {
  const launcher = builtFile("sluice.cjs");
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const watch = compiled("stopwatch", folder);
    const post = compiled("post", folder);
    // A machine without a compiler gets a script; made in this order, all lie ready for one daemon.
    const perl = installed("perl", only("perl", folder));
    const native = installed("native", process.env.PATH);
    // From now on agents may post to the daemon as well; one daemon answers all of them.
    const request = posting();
    // The daemon writes its journal right after an answer; no call comes on the heels of another.
    const contenders = new Map([
      [PERL, perl],
      [NODE, [process.execPath, empty(folder)]],
      [NATIVE, native],
      [COLD, [process.execPath, launcher, "run", "claude-code", "--cold"]],
      [PEER, [process.execPath, peer(), "--claude-code"]],
      [NOOP, [compiled("noop", folder, ["-static"])]],
      [SHELL, ["/bin/sh", "-c", "true"]],
    ]);
    contenders.set(LINE, ["/bin/sh", "-c", `${native.join(" ")} || exit 2`]);
    contenders.set(PROJECT_LINE, ["/bin/sh", "-c", await projectLine()]);
    contenders.set(DENIED, native);
    const passes = inputOf("call", CALL);
    const denied = inputOf("denied", { ...CALL, tool_input: { command: "git push --force origin main" } });
    const run = (rounds, labels, pauseMs = 0) => {
      const given = (label) => ({ input: label === DENIED ? denied : passes, words: contenders.get(label) });
      const commands = new Map(labels.map((label) => [label, given(label)]));
      return stopwatch(watch, commands, { rounds, cwd: folder, env: envOf(folder), pauseMs });
    };
    /** Many agents at once, each waiting for its own call before it makes the next. */
    const crowd = async (callers, label, rounds) => {
      const runs = await Promise.all(Array.from({ length: callers }, () => run(rounds, [label])));
      const name = `${label}, ${callers} at once`;
      return figureOf(
        name,
        runs.flatMap(({ samples }) => samples[0]),
      );
    };
    // The first call starts the daemon; the others let it compile what it needs, as in a session that has gone on for a while.
    called(contenders.get(NATIVE));
    await pause(1000);
    const young = await run(quick ? 10 : 60, [NATIVE], 1000);
    await pause(7000);
    await run(quick ? 400 : 4000, [NATIVE]);
    const { wall: figures } = await run(quick ? 30 : 300, [...contenders.keys()]);
    figures.set(YOUNG, figureOf(YOUNG, young.samples[0]));
    for (const callers of [8, 64])
      for (const label of [NATIVE, NODE])
        figures.set(`${label}, ${callers} at once`, await crowd(callers, label, quick ? 3 : 10));
    for (const [label, figure] of await postedCalls(post, request)) figures.set(label, figure);
    return {
      what: "`sluice run` with the standard guards from start to end, interleaved with programs that do nothing",
      rows: rows(figures, { unit: "ms", to: () => NODE }),
      targets: [
        target(figures, { what: "native client against `node empty.cjs`", of: NATIVE, to: NODE, atMost: 0.05 }),
        target(figures, { what: "native client against a native no-op", of: NATIVE, to: NOOP, atMost: 4 }),
        target(figures, { what: "a denied call against one that passes", of: DENIED, to: NATIVE, atMost: 1.2 }),
        target(figures, {
          what: "the first 60 calls of a daemon against `node empty.cjs`",
          of: YOUNG,
          to: NODE,
          atMost: 0.1,
        }),
        target(figures, { what: "perl client against `node empty.cjs`", of: PERL, to: NODE, atMost: 0.167 }),
        target(figures, { what: "a posted call against `node empty.cjs`", of: POSTED, to: NODE, atMost: 0.025 }),
        target(figures, { what: "a project's line against the user's", of: PROJECT_LINE, to: LINE, atMost: 1.5 }),
        target(figures, { what: "cold against `node empty.cjs`", of: COLD, to: NODE, atMost: 3 }),
        target(figures, { what: "native client against cc-safety-net", of: NATIVE, to: PEER, atMost: 0.02 }),
      ],
      notes: ["Callers at once share two cores, so that each of them waits for the others."],
    };
  } finally {
    spawnSync(process.execPath, [launcher, "serve", "--stop"], { env: envOf(folder) });
    rmSync(folder, { recursive: true, force: true });
  }

  function inputOf(name, call) {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(call));
    return path;
  }

  /** The words that `sluice install` gives an agent where these programs are found. */
  function installed(name, path) {
    mkdirSync(join(folder, ".config/sluice"), { recursive: true });
    writeFileSync(join(folder, ".config/sluice/hooks.yaml"), "guards: standard\n");
    const env = { ...envOf(folder), PATH: path };
    spawnSync(process.execPath, [launcher, "install", "claude-code", "--yes"], { cwd: folder, env });
    const { command } = settingsOf(folder).hooks.PreToolUse[0].hooks[0];
    const words = command.replace(/ \|\| exit 2$/, "").split(" ");
    if (words[0] === process.execPath) throw new Error(`no ${name} client could be made here`);
    return words;
  }

  /** The line that `sluice install --scope project` writes, once this user has a client for the project. */
  async function projectLine() {
    const project = join(folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    symlinkSync(launcher, join(project, "node_modules/.bin/sluice"));
    const given = { cwd: project, env: envOf(folder) };
    spawnSync(process.execPath, [launcher, "install", "claude-code", "--scope", "project", "--yes"], given);
    const line = `CLAUDE_PROJECT_DIR=${project}; ${settingsOf(project).hooks.PreToolUse[0].hooks[0].command}`;
    called(["/bin/sh", "-c", line]);
    const client = join(folder, `.state/sluice/projects${project}/client.sh`);
    for (let turn = 0; turn < 100 && !existsSync(client); turn++) await pause(100);
    return line;
  }

  /** A file with a call as agents post it, and where to. */
  function posting() {
    spawnSync(process.execPath, [launcher, "install", "claude-code", "--http", "--yes"], {
      cwd: folder,
      env: envOf(folder),
    });
    const { url, headers } = settingsOf(folder).hooks.PreToolUse[0].hooks[0];
    const { port, host, pathname } = new URL(url);
    const body = JSON.stringify(CALL);
    const given = {
      Host: host,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      ...headers,
    };
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
    const file = join(folder, "request");
    writeFileSync(file, [`POST ${pathname} HTTP/1.1`, ...lines, "", body].join("\r\n"));
    return { port, file };
  }

  /**
   * What an agent waits for that posts its calls; its own client is not in it. One call after the other, as servers are
   * measured, each waits for the journal of the one before; with a pause between them it does not, but the machine has
   * turned to other things meanwhile.
   */
  async function postedCalls(post, { port, file }) {
    const posted = async (count, pauseMs) =>
      (await promisify(execFile)(post, [port, String(count), String(pauseMs), file], { maxBuffer: 2 ** 24 })).stdout
        .trim()
        .split("\n")
        .map((nanoseconds) => Number(nanoseconds) / 1e6);
    return [
      [POSTED, figureOf(POSTED, await posted(quick ? 1600 : 16_000, 0))],
      [APART, figureOf(APART, await posted(quick ? 200 : 2000, 2))],
    ];
  }

  function called([program, ...words]) {
    spawnSync(program, words, { cwd: folder, env: envOf(folder), input: JSON.stringify(CALL) });
  }
}

/** Another guard for the same hook event, started as its own manual says. */
function peer() {
  const manifest = createRequire(import.meta.url).resolve("cc-safety-net/package.json");
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin["cc-safety-net"]);
}

function envOf(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
  };
}

function empty(folder) {
  writeFileSync(join(folder, "empty.cjs"), "");
  return join(folder, "empty.cjs");
}

/** A path that holds one program. */
function only(program, folder) {
  const bin = join(folder, `only-${program}`);
  mkdirSync(bin);
  const { stdout } = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
  symlinkSync(stdout.trim(), join(bin, program));
  return bin;
}

function settingsOf(home) {
  return JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
}

const CALL = {
  session_id: "bench",
  cwd: "/tmp",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls -la src" },
};
