import { dirname, join } from "node:path";
import { problems } from "../../problem/problem.ts";
import { engineStatus, stopEngine } from "../../resident/ask-engine.ts";
import { isServed, releaseLock, takeLock } from "../../resident/election.ts";
import { LAUNCHED_OPTION } from "../../resident/launch.ts";
import { type Quarters, quartersOf, whyNoQuarters } from "../../resident/quarters.ts";
import { startEngine } from "../../resident/serve.ts";
import { requestAnswerer } from "../answer-request.ts";
import { coldWords } from "../cold-words.ts";
import type { Input } from "../command.ts";
import type { Exit } from "../exit-codes.ts";

/** Keeps the engine in memory, so that a call costs a fraction of a start of node; or tells about it, or ends it. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const cold = coldWords();
  const quarters = quartersOf(cold, { env: io.env });
  if (input.has("status")) return status(quarters, input);
  if (input.has("stop")) return stop(quarters, input);
  const why = whyNoQuarters(quarters);
  if (why !== undefined) throw PROBLEMS.noQuarters({ why });
  const isLaunched = input.has(LAUNCHED_OPTION);
  if (!isLaunched && !takeLock(quarters)) throw PROBLEMS.starting({});
  try {
    if (await isServed(quarters)) {
      if (!isLaunched) io.err("An engine is running already; `sluice serve --status` shows it.");
      return "done";
    }
    const { left, leave } = await startEngine({
      quarters,
      answer: requestAnswerer(cold, input.commands),
      ownFiles: [cold[1], join(dirname(cold[1]), "command.bundle")],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leave("it was ended"));
    releaseLock(quarters);
    if (!isLaunched)
      io.err(`The engine answers on ${quarters.socket}. Ctrl-C ends it; calls are then decided without it.`);
    const reason = await left;
    if (!isLaunched) io.err(`The engine left: ${reason}.`);
    return "done";
  } finally {
    releaseLock(quarters);
  }
}

async function status(quarters: Quarters, { io, has }: Input): Promise<Exit> {
  const found = await engineStatus(quarters);
  if (has("json")) io.out(JSON.stringify({ running: found !== undefined, ...found }));
  else if (found === undefined) io.out("No engine is running; the next call of an agent starts one.");
  else
    io.out(
      `The engine runs as process ${found.pid}: ${found.calls} calls in ${found.upSeconds} s, ${Math.round(found.rss / MIB)} MiB.`,
    );
  return found === undefined ? "problem" : "done";
}

async function stop(quarters: Quarters, { io, has }: Input): Promise<Exit> {
  const stopped = await stopEngine(quarters);
  if (has("json")) io.out(JSON.stringify({ stopped }));
  else io.out(stopped ? "The engine has left." : "No engine is running.");
  return "done";
}

const MIB = 1024 * 1024;

const PROBLEMS = problems("resident", {
  noQuarters: ({ why }: { why: string }) => ({
    what: `The engine cannot answer anywhere: ${why}.`,
    fix: "Give it a folder of your own: XDG_STATE_HOME names one. Calls are decided without the engine until then.",
  }),
  starting: (_: object) => ({
    what: "Another engine is just starting.",
    fix: "`sluice serve --status` shows it in a moment.",
  }),
});
