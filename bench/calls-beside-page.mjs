import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { builtFile } from "./built.mjs";
import { compiled, stopwatch } from "./stopwatch.mjs";

/**
 * What a call costs an agent while a browser follows the timeline, and while no page is open and `sluice ui` stands still:
 * the same calls through the installed command line and the daemon, in turns, a short stretch of one and then of the other.
 */
export async function callsBesidePage(home, ui, page, { rounds = 10, calls = 25 } = {}) {
  const launcher = builtFile("sluice.cjs");
  const { SLUICE_RESIDENT: _, ...env } = home.env;
  const watch = compiled("stopwatch", home.home);
  const input = join(home.home, "call.json");
  writeFileSync(input, JSON.stringify({ ...CALL, cwd: home.root }));
  spawnSync(process.execPath, [launcher, "install", "claude-code", "--yes"], { cwd: home.root, env });
  const settings = JSON.parse(readFileSync(join(home.home, ".claude/settings.json"), "utf8"));
  const { command } = settings.hooks.PreToolUse[0].hooks[0];
  const line = new Map([["call", { input, words: ["/bin/sh", "-c", command] }]]);
  const run = async (times, pauseMs = BETWEEN_MS) => {
    const { samples, processor } = await stopwatch(watch, line, { rounds: times, cwd: home.home, env, pauseMs });
    return { wall: samples[0], processor: processor.get("call").median };
  };
  const found = { open: { wall: [], processor: [] }, closed: { wall: [], processor: [] } };
  try {
    await run(1);
    await pause(2000);
    await run(500, 0);
    for (let round = 0; round < rounds; round++)
      for (const state of round % 2 === 0 ? ["open", "closed"] : ["closed", "open"]) {
        await turned(state, ui, page);
        const { wall, processor } = await run(calls);
        found[state].wall.push(...wall);
        found[state].processor.push(processor);
      }
  } finally {
    process.kill(ui.pid, "SIGCONT");
    spawnSync(process.execPath, [launcher, "serve", "--stop"], { env });
  }
  const ratio = (figure, part) => figure(found.open[part]) / figure(found.closed[part]);
  return {
    samples: found.open.wall.length,
    medians: [quantile(0.5)(found.open.wall), quantile(0.5)(found.closed.wall)],
    median: ratio(quantile(0.5), "wall"),
    p95: ratio(quantile(0.95), "wall"),
    processor: ratio(quantile(0.5), "processor"),
  };
}

async function turned(state, ui, page) {
  if (state === "open") {
    process.kill(ui.pid, "SIGCONT");
    await page.goto(ui.url);
    await page.getByText(/^[\d,]+ calls, \d+ denied$/).waitFor({ timeout: 60_000 });
  } else {
    await page.goto("about:blank");
    process.kill(ui.pid, "SIGSTOP");
  }
  // A page that has just been opened is still reading its 50,000 records.
  await pause(3000);
}

function quantile(part) {
  return (values) => {
    const sorted = [...values].sort((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  };
}

/** Ten calls in a second: more than an agent makes. */
const BETWEEN_MS = 100;

const CALL = {
  session_id: "bench",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status" },
  tool_use_id: "t-1",
};
