import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AGENTS } from "./agents/index.mjs";
import { bounded } from "./bounded.mjs";
import { installed } from "./installed.mjs";
import { startModel } from "./model-server.mjs";
import { environmentOf, makePlace, writeFiles } from "./place.mjs";
import { PROMPT } from "./prompt.mjs";

/*
 * How long real agents wait for a hook that never answers, with the settings that `sluice install` writes for a project, or with
 * other seconds in them:
 *
 *     node tests/e2e/patience.mjs [agents|all] [tool|prompt|end] [seconds in the settings]
 *
 * In the place of the command there is a script that sleeps at one hook event. Waits are told in seconds, and what came of them.
 */
const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const LONGEST = 900;
const EVENTS = {
  tool: "PreToolUse preToolUse BeforeTool tool.execute.before",
  prompt: "UserPromptSubmit userPromptSubmitted BeforeAgent chat.message",
  end: "SessionEnd sessionEnd",
};
const [named = "all", event = "tool", stated] = process.argv.slice(2);
const agents = AGENTS.filter(({ id, scope }) => scope && (named === "all" || named.split(",").includes(id)));

console.log(`| agent | hook event | settings say | waited | then |\n| --- | --- | --- | --- | --- |`);
await Promise.all(agents.map(timed));

async function timed(agent) {
  const model = await startModel();
  const place = makePlace(() => []);
  try {
    console.log(`| ${agent.id} ${agent.version} | ${event} | ${(await waited(agent, place, model)).join(" | ")} |`);
  } finally {
    for (const pid of linesOf(place, "pid")) end(pid);
    model.stop();
    place.remove();
  }
}

async function waited(agent, place, model) {
  const { folder, missing } = await installed(agent);
  if (missing) return ["", "", missing];
  const env = environmentOf(place);
  agent.prepare(place, { url: model.url });
  const bin = join(place.project, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFiles({ [join(bin, "sluice")]: script(place) });
  chmodSync(join(bin, "sluice"), 0o755);
  const args = [SLUICE, "install", agent.agent ?? agent.id, "--scope", "project", "--yes"];
  const { code, stderr } = await bounded(process.execPath, args, { cwd: place.project, env, seconds: 60 });
  if (code !== 0) return ["", "", `sluice install: ${stderr}`];
  const says = timesIn(place.project);
  model.follow([[agent.calls.shell(place)]]);
  const start = agent.start(place, { url: model.url, prompt: PROMPT, folder });
  const program = start.program ?? join(folder, "node_modules", ".bin", agent.bin);
  const ended = bounded(program, start.args, { cwd: place.project, env: { ...env, ...start.env }, seconds: LONGEST });
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  const isSeen = { tool: () => model.results.main.length > 0, prompt: () => model.told.length > 0, end: () => false };
  let seen;
  while (seen === undefined) {
    await sleep(100);
    if (isOver || isSeen[event]() || isLeft(place)) seen = Date.now();
  }
  for (const pid of linesOf(place, "pid")) end(pid);
  const [began] = linesOf(place, "began").map((time) => time * 1000);
  if (event !== "end") await ended;
  if (began === undefined) return [says, "-", "the hook event did not come"];
  return [says, `${((seen - began) / 1000).toFixed(1)} s`, outcome(place, model)];
}

function outcome({ project }, model) {
  const ran = statSync(join(project, "shell.txt"), { throwIfNoEntry: false }) !== undefined;
  if (event === "prompt") return model.told.length > 0 ? "the prompt was processed" : "the prompt was stopped";
  return event === "end"
    ? "the run ended"
    : ran
      ? "the tool ran"
      : `no tool ran: ${model.results.main[0]?.slice(0, 120)}`;
}

/** Whether the agent has ended the shell that runs the line; some wait on as long as something of the hook holds its pipes. */
function isLeft(place) {
  const [pid] = linesOf(place, "pid");
  if (pid === undefined) return false;
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1] === "1";
  } catch {
    return true;
  }
}

/** Sleeps at the hook event, and lets all others pass. */
function script({ log }) {
  const names = EVENTS[event].split(" ").map((name) => `*'"${name}"'*|*' ${name}'`);
  return [
    "#!/bin/sh",
    `[ "$1" = mcp ] && exit 0`,
    "payload=$(cat)",
    `case "$payload $*" in ${names.join("|")})`,
    `  echo "began $(date +%s.%N)" >> '${log}'; echo "pid $$" >> '${log}'; exec sleep ${LONGEST} ;;`,
    "esac",
    `case "$*" in *opencode*) echo '{"action":"continue"}' ;; esac`,
    "",
  ].join("\n");
}

/** The times in the settings that were written, put to the stated seconds where there are some. */
function timesIn(project) {
  const found = new Set();
  const put = (_, name, value) => {
    const time = stated === undefined ? value : String(Number(stated) * (Number(value) > 1000 ? 1000 : 1));
    found.add(time);
    return `"${name}": ${time}`;
  };
  for (const file of readdirSync(project, { recursive: true }).filter((name) => /\.json$|sluice\.js$/.test(name))) {
    const path = join(project, file);
    const text = readFileSync(path, "utf8");
    if (text.includes("sluice run")) writeFileSync(path, text.replace(/"(timeout|timeoutSec|seconds)": ?(\d+)/g, put));
  }
  return [...found].join(", ");
}

function linesOf({ log }, word) {
  const lines = readFileSync(log, "utf8").split("\n");
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.split(" ")[1]));
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Its agent has ended it.
  }
}
