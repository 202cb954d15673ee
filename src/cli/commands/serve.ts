import { setFlagsFromString } from "node:v8";
import { problems } from "../../problem/problem.ts";
import { engineStatus, stopEngine } from "../../server/ask-engine.ts";
import { isServed, releaseLock, takeLock } from "../../server/election.ts";
import { Hands } from "../../server/hands.ts";
import { type HttpAddress, readAddress } from "../../server/http-address.ts";
import { HAND_OPTION, LAUNCHED_OPTION, launchEngine, launchHand } from "../../server/launch.ts";
import { type Quarters, quartersOf, whyNoQuarters } from "../../server/quarters.ts";
import { OUTGROWN, REPLACED, startEngine } from "../../server/serve.ts";
import { requestAnswerer } from "../answer-request.ts";
import { coldWords } from "../cold-words.ts";
import type { Input } from "../command.ts";
import { plural } from "../counts.ts";
import { doorsOf } from "../doors.ts";
import type { Exit } from "../exit-codes.ts";
import { leaveInOrder, leaveNow } from "../leave-in-order.ts";
import { rehearsalCalls } from "../rehearsal-calls.ts";

/** Keeps the engine in memory, so that a call costs a fraction of a start of node; or tells about it, or ends it. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  if (input.has(HAND_OPTION)) return hand(input);
  const cold = coldWords();
  const quarters = quartersOf(cold, { env: io.env });
  if (input.has("status")) return status(quarters, input);
  if (input.has("stop")) return stop(quarters, input);
  const why = whyNoQuarters(quarters);
  if (why !== undefined) throw PROBLEMS.noQuarters({ why });
  const isLaunched = input.has(LAUNCHED_OPTION);
  if (!isLaunched && !takeLock(quarters)) throw PROBLEMS.starting({});
  let successor = () => {};
  try {
    if (await isServed(quarters)) {
      if (!isLaunched) io.err("An engine is running already; `sluice serve --status` shows it.");
      return "done";
    }
    for (const flag of OF_LONG_LIFE) setFlagsFromString(flag);
    const own = { ...process.env };
    const doors = doorsOf(cold, quarters, own, (port) => io.err(PROBLEMS.portTaken({ port }).format()));
    const answer = requestAnswerer(cold, input.commands);
    const { address, left, leave } = await startEngine({
      quarters,
      answer: (request, consent) => {
        // A call that was posted has brought no surroundings.
        if (request.value === undefined) doors.note(request);
        return answer(request, consent);
      },
      rehearsal: rehearsalCalls,
      doors: doors.open,
      ...(doors.isPostedTo ? { idleMs: Number.POSITIVE_INFINITY } : {}),
      hands: new Hands(() => launchHand(cold, own)),
      // It names the build, so it changes with every other file.
      ownFile: cold[1],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leave("it was ended"));
    releaseLock(quarters);
    if (!isLaunched && address !== undefined)
      io.err(`The engine answers on ${address}. Ctrl-C ends it; calls are then decided without it.`);
    const reason = await left;
    if (!isLaunched) io.err(`The engine left: ${reason}.`);
    // Who posts to an engine that has left is blocked; the next one takes its place at once.
    if (doors.isPostedTo && SUCCEEDED.includes(reason)) successor = () => launchEngine(cold, own);
    return "done";
  } finally {
    releaseLock(quarters);
    successor();
  }
}

/** Runs hooks for the engine that started this process. A plugin may have left something behind that goes on and on. */
async function hand({ commands }: Input): Promise<Exit> {
  leaveInOrder();
  const [{ serveAsHand }, { handAnswerer }] = await Promise.all([
    import("../../server/hand.ts"),
    import("../hand-answerer.ts"),
  ]);
  await serveAsHand(handAnswerer(commands), leaveNow);
  setImmediate(leaveNow);
  return "done";
}

async function status(quarters: Quarters, { io, has }: Input): Promise<Exit> {
  const found = await engineStatus(quarters);
  const address = readAddress(quarters);
  if (has("json")) io.out(JSON.stringify({ running: found !== undefined, ...found }));
  else if (found === undefined)
    io.out(
      address === undefined
        ? `No engine is running; ${io.env.SLUICE_RESIDENT === "0" ? "SLUICE_RESIDENT=0, so no call starts one" : "the next call of an agent starts one"}.`
        : PROBLEMS.blocked(address).format(),
    );
  else
    io.out(
      `The engine runs as process ${found.pid}: ${plural(found.calls, "call")} in ${found.upSeconds} s, ${Math.round(found.rss / MIB)} MiB, ${found.hands === 1 ? "1 process" : `${found.hands} processes`} for hooks.`,
    );
  return found === undefined ? "problem" : "done";
}

async function stop(quarters: Quarters, { io, has }: Input): Promise<Exit> {
  const stopped = await stopEngine(quarters);
  const address = readAddress(quarters);
  if (has("json")) io.out(JSON.stringify({ stopped, ...(address === undefined ? {} : { posted_to: address.port }) }));
  else io.out(stopped ? "The engine has left." : "No engine is running.");
  if (address !== undefined) io.err(PROBLEMS.blocked(address).format());
  return "done";
}

const MIB = 1024 * 1024;
const SUCCEEDED: readonly string[] = [REPLACED, OUTGROWN];

/**
 * What is decided a thousand times may be compiled early, and into larger pieces: after some hundred calls one takes two
 * thirds of the time, and a tenth less when everything is compiled.
 */
const OF_LONG_LIFE = [
  "--interrupt-budget=7000",
  "--max-inlined-bytecode-size=1000",
  "--max-inlined-bytecode-size-cumulative=5000",
  "--max-inlined-bytecode-size-absolute=12000",
];

const PROBLEMS = problems("resident", {
  blocked: ({ port }: HttpAddress) => ({
    what: `Agents post their calls to 127.0.0.1:${port}, and no engine is running: their tools are blocked until one is.`,
    fix: "`sluice serve` starts one, and so does the next session or prompt; `sluice install` without --http goes back to commands.",
  }),
  noQuarters: ({ why }: { why: string }) => ({
    what: `The engine cannot answer anywhere: ${why}.`,
    fix: "Give it a folder of your own: XDG_STATE_HOME names one. Calls are decided without the engine until then.",
  }),
  portTaken: ({ port }: { port: number }) => ({
    what: `Port ${port}, to which agents post their calls, is another program's. The engine tries again until it is free; the tools of those agents are blocked until then.`,
    fix: "End that program, or choose another port: run `sluice install` with --http again.",
  }),
  starting: (_: object) => ({
    what: "Another engine is just starting.",
    fix: "`sluice serve --status` shows it in a moment.",
  }),
});
