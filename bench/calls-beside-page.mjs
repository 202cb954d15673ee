import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { builtFile } from "./built.mjs";
import { compiled, stopwatch } from "./stopwatch.mjs";

/**
 * What a call costs an agent while a browser follows the timeline, while it reads 50,000 records, and while no page is open and
 * `sluice ui` stands still: the same calls through the installed command line and the daemon, in turns, a short stretch of each.
 * No page is measured twice: how much the two differ is what this machine adds by itself.
 */
export async function callsBesidePage(home, ui, page, { rounds, calls, betweenMs }) {
  const launcher = builtFile("sluice.cjs");
  const { SLUICE_RESIDENT: _, ...env } = home.env;
  const watch = compiled("stopwatch", home.home);
  const input = join(home.home, "call.json");
  writeFileSync(input, JSON.stringify({ ...CALL, cwd: home.root }));
  spawnSync(process.execPath, [launcher, "install", "claude-code", "--yes"], { cwd: home.root, env });
  const settings = JSON.parse(readFileSync(join(home.home, ".claude/settings.json"), "utf8"));
  const { command } = settings.hooks.PreToolUse[0].hooks[0];
  const line = new Map([["call", { input, words: ["/bin/sh", "-c", command] }]]);
  const run = async (times, pauseMs = betweenMs) => {
    const { samples, processor } = await stopwatch(watch, line, { rounds: times, cwd: home.home, env, pauseMs });
    return { wall: samples[0], processor: processor.get("call").median };
  };
  const found = Object.fromEntries(STATES.map((state) => [state, { wall: [], processor: [] }]));
  const work = { ui: 0, browser: 0 };
  try {
    await run(1);
    await pause(2000);
    await run(500, 0);
    for (let round = 0; round < rounds; round++)
      for (const state of STATES.map((_, at) => STATES[(at + round) % STATES.length])) {
        await turned(state, ui, page);
        const before = workOf(ui.pid);
        const { wall, processor } = await run(calls);
        found[state].wall.push(...wall);
        found[state].processor.push(processor);
        if (state !== "open") continue;
        const after = workOf(ui.pid);
        for (const part of Object.keys(work)) work[part] += (after[part] - before[part]) / (rounds * calls);
      }
  } finally {
    process.kill(ui.pid, "SIGCONT");
    spawnSync(process.execPath, [launcher, "serve", "--stop"], { env });
  }
  const against = (state) => {
    const ratio = (figure, part) => figure(found[state][part]) / figure(found.closed[part]);
    const [median, p95] = [quantile(0.5), quantile(0.95)];
    return { median: ratio(median, "wall"), p95: ratio(p95, "wall"), processor: ratio(median, "processor") };
  };
  return {
    samples: found.open.wall.length,
    medians: [quantile(0.5)(found.open.wall), quantile(0.5)(found.closed.wall)],
    /** Milliseconds of processor time for each call, beside those of the call. */
    work,
    open: against("open"),
    opening: against("opening"),
    noise: against("closed again"),
  };
}

const STATES = ["open", "closed", "opening", "closed again"];

async function turned(state, ui, page) {
  await page.goto("about:blank");
  process.kill(ui.pid, "SIGCONT");
  if (state === "open" || state === "opening") await page.goto(ui.url);
  else process.kill(ui.pid, "SIGSTOP");
  if (state === "open") await page.getByText(/^[\d,]+ calls, \d+ denied$/).waitFor({ timeout: 120_000 });
  if (state !== "opening") await pause(3000);
}

/** The processor time so far of `sluice ui` and of all processes of the browser, in milliseconds. */
function workOf(ui) {
  const all = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, parent, , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      all.set(pid, { parent, ms: (Number(user) + Number(system)) * TICK_MS, isBrowser: /\(.*chrom/i.test(stat) });
    } catch {}
  const isOwn = (pid) => pid === String(process.pid) || (all.has(pid) && isOwn(all.get(pid).parent));
  const browser = [...all].filter(([pid, { isBrowser }]) => isBrowser && isOwn(pid));
  return { ui: all.get(String(ui))?.ms ?? 0, browser: browser.reduce((sum, [, { ms }]) => sum + ms, 0) };
}

const TICK_MS = 10;

function quantile(part) {
  return (values) => {
    const sorted = [...values].sort((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  };
}

const CALL = {
  session_id: "bench",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status" },
  tool_use_id: "t-1",
};
