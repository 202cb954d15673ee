import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeCode } from "../tests/e2e/agents/claude-code.mjs";
import { bounded } from "../tests/e2e/bounded.mjs";
import { installed } from "../tests/e2e/installed.mjs";
import { startModel } from "../tests/e2e/model-server.mjs";
import { environmentOf, makePlace } from "../tests/e2e/place.mjs";
import { PROMPT } from "../tests/e2e/prompt.mjs";

/*
 * What hooks cost in a real session: thirty shell calls of Claude Code with a scripted model, timed at the model from one question
 * to the next, and the processor time of the agent with all that it starts (not of the daemon).
 *
 *     node bench/session.mjs [rounds]
 *
 * The variants take turns in every round; figures are medians.
 */
const CALLS = 30;
const MAX_ABOVE_MS = 8;
const SLUICE = fileURLToPath(new URL("../dist/sluice.cjs", import.meta.url));
const SETTINGS = ".claude/settings.json";
const rounds = Number(process.argv[2] ?? 10);

const VARIANTS = {
  "no hooks": async () => {},
  "hooks that do nothing": async (place, env) => {
    await install(place, env, "user");
    const path = join(place.home, SETTINGS);
    const doNothing = (key, value) => (key === "command" ? "true" : value);
    writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, "utf8"), doNothing)));
  },
  "installed for the user": (place, env) => install(place, env, "user"),
  "installed for the project": async (place, env) => {
    mkdirSync(join(place.project, "node_modules/.bin"), { recursive: true });
    symlinkSync(SLUICE, join(place.project, "node_modules/.bin/sluice"));
    await install(place, env, "project");
  },
  "posted over HTTP": (place, env) => install(place, env, "user", "--http"),
};

const { folder, missing } = await installed(claudeCode);
if (missing) {
  console.error(`Claude Code is not here: ${missing}`);
  process.exit(2);
}
const model = await startModel();
const places = new Map();
for (const name of Object.keys(VARIANTS)) places.set(name, await prepared(VARIANTS[name]));
const samples = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, { ms: [], cpu: [] }]));
const began = loadavg()[0];
try {
  for (let round = 0; round < rounds; round++) {
    const names = Object.keys(VARIANTS);
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      const { gaps, cpu } = await session(places.get(name));
      samples[name].ms.push(...gaps);
      samples[name].cpu.push(cpu / CALLS);
    }
  }
} finally {
  model.stop();
  for (const { place, env } of places.values()) {
    await bounded(process.execPath, [SLUICE, "serve", "--stop"], { cwd: place.project, env, seconds: 30 });
    place.remove();
  }
}
report();

async function prepared(install) {
  const place = makePlace(() => []);
  const env = { ...environmentOf(place), SLUICE_RESIDENT: "1" };
  writeFileSync(join(place.config, "sluice/hooks.json"), '{ "guards": "standard" }');
  claudeCode.prepare(place, { url: model.url });
  await install(place, env);
  const ready = { place, env };
  // The first session starts the daemon, makes the client, and fills caches.
  await session(ready);
  return ready;
}

async function install(place, env, scope, ...more) {
  const args = [SLUICE, "install", "claude-code", "--scope", scope, "--yes", ...more];
  const { code, stderr } = await bounded(process.execPath, args, { cwd: place.project, env, seconds: 60 });
  if (code !== 0) throw new Error(`sluice install ended with ${code}: ${stderr}`);
}

async function session({ place, env }) {
  const call = (at) => [{ name: "Bash", input: { command: `echo ${at} > out.txt`, description: "write" } }];
  model.follow(Array.from({ length: CALLS }, (_, at) => call(at)));
  const times = [];
  const { told } = model;
  told.push = (text) => {
    times.push(performance.now());
    return Array.prototype.push.call(told, text.length);
  };
  const start = claudeCode.start(place, { url: model.url, prompt: PROMPT, folder });
  const program = join(folder, "node_modules/.bin", claudeCode.bin);
  // `times` of a shell has the processor time of all that it has waited for.
  const line = ['"$@" > /dev/null 2>&1; code=$?; times; exit $code', "sh", program, ...start.args];
  const options = { cwd: place.project, env: { ...env, ...start.env }, seconds: 180 };
  const { code, stdout } = await bounded("/bin/sh", ["-c", ...line], options);
  if (code !== 0 || model.results.main.length !== CALLS)
    throw new Error(`Claude Code ended with ${code} after ${model.results.main.length} calls`);
  const gaps = times.slice(1, CALLS + 1).map((time, at) => time - times[at]);
  return { gaps, cpu: processorMs(stdout) };
}

/** The second line has the children: `0m1.234s 0m0.567s`. */
function processorMs(text) {
  const children = text.trim().split("\n").at(-1) ?? "";
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + (m * 60 + Number(s)) * 1000, 0);
}

function report() {
  const nothing = median(samples["hooks that do nothing"].ms);
  console.log(`${CALLS} calls a session, ${rounds} rounds, load ${began.toFixed(1)} to ${loadavg()[0].toFixed(1)}\n`);
  console.log("| session | median of a call | above hooks that do nothing | p90 | processor time of a call |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const [name, { ms, cpu }] of Object.entries(samples)) {
    const above = median(ms) - nothing;
    const row = [name, `${median(ms).toFixed(1)} ms`, `${above.toFixed(1)} ms`, `${at(ms, 0.9).toFixed(1)} ms`];
    console.log(`| ${[...row, `${median(cpu).toFixed(1)} ms`].join(" | ")} |`);
    if (above > MAX_ABOVE_MS) process.exitCode = 1;
  }
}

function median(values) {
  return at(values, 0.5);
}

function at(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
