import { Worker } from "node:worker_threads";

/**
 * Ends this process when a plugin keeps it longer than the agent waits: code that never gives the process back stops every
 * timer in it, and most agents go on without an answer. The line in their settings turns the end into a denial.
 */
export function endWhenStuck(ms: number): void {
  const watch = new Worker(WATCH, { eval: true, workerData: { ms, words: WORDS }, stdin: false });
  watch.unref();
}

const WORDS =
  "Sluice could not decide: a plugin keeps its process and does not return, so the call was ended. `sluice list` shows the plugins, `sluice disable <hook>` switches one off.\n";

/** Runs in a thread of its own, which goes on whatever the plugin does. */
const WATCH = `
const { workerData } = require("node:worker_threads");
setTimeout(() => {
  try { require("node:fs").writeSync(2, workerData.words); } catch {}
  process.kill(process.pid, "SIGKILL");
}, workerData.ms);
`;
