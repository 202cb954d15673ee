import { setFlagsFromString } from "node:v8";
import { requestAnswerer } from "./answer-request.ts";
import { daemonStatus } from "./clients/ask-daemon.ts";
import { inColdWords } from "./clients/project-client.ts";
import { REPLACED, startDaemon, TOO_LARGE } from "./daemon.ts";
import { readAddress } from "./http/http-address.ts";
import { launchDaemon, launchWorker } from "./launch.ts";
import type { ColdCommand, RuntimeDir } from "./runtime-dir.ts";
import { releaseStartLock } from "./start-lock.ts";
import { nameProcess } from "./system.ts";
import type { TamperWatch } from "./tamper-watch.ts";
import { warmUpCalls } from "./warm-up.ts";
import { WorkerPool } from "./worker-pool.ts";

/** What a daemon reports while it runs. */
export interface DaemonEvents {
  /** The daemon answers at this address. */
  readonly onListening: (address: string) => void;
  /** Another program has the port that agents post to. */
  readonly onPortTaken: (port: number) => void;
}

/**
 * Runs the daemon in this process until it stops, and returns why; undefined if another one answers already. The
 * caller holds the start lock, which is released as soon as the daemon answers.
 */
export async function runDaemon(
  cold: ColdCommand,
  runtimeDir: RuntimeDir,
  { onListening, onPortTaken }: DaemonEvents,
): Promise<string | undefined> {
  let startSuccessor = () => {};
  try {
    if ((await daemonStatus(runtimeDir)) !== undefined) return undefined;
    nameProcess();
    // It would open a debugger, through which any process of this user could change what is decided here.
    process.on("SIGUSR1", () => {});
    const own = { ...process.env };
    const posted = readAddress(runtimeDir);
    const http = posted && (await import("./http/http-posts.ts")).httpService(posted, cold, own, onPortTaken);
    const answer = requestAnswerer(cold);
    let tampering: TamperWatch | undefined;
    const { address, stopped, stop } = await startDaemon({
      runtimeDir,
      answer: (asked, consent) => {
        const request = inColdWords(asked, cold);
        // A posted call, whose payload is parsed already, has brought no environment.
        if (request.value === undefined) http?.note(request);
        tampering?.called(request.payload);
        return answer(request, consent);
      },
      warmUpCalls: (request) => warmUpCalls(inColdWords(request, cold)),
      // Without this daemon the tools of agents that post to it are blocked, so it stays.
      ...(http === undefined ? {} : { listeners: [http.open], idleMs: Number.POSITIVE_INFINITY }),
      workers: new WorkerPool(() => launchWorker(cold, own)),
      // It names the build, so it changes with every other file.
      ownFile: cold[1],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop("it was ended"));
    releaseStartLock(runtimeDir);
    if (address !== undefined) {
      onListening(address);
      (await import("./managed-timer.ts")).fetchManagedBundles(cold, own);
      tampering = (await import("./tamper-watch.ts")).watchTampering(cold, own);
      tampering.called();
    }
    // Last, because V8 takes back the code that Node has compiled of its own parts only under the flags it was compiled with.
    for (const flag of LONG_RUNNING) setFlagsFromString(flag);
    const tidying = setInterval(() => void tidy(own), TIDIED_EVERY_MS).unref();
    const why = await stopped;
    clearInterval(tidying);
    tampering?.close();
    // An agent that posts to a daemon that has stopped is blocked; the next daemon takes its place at once.
    if (http !== undefined && SUCCEEDED.includes(why)) startSuccessor = () => launchDaemon(cold, own);
    return why;
  } finally {
    releaseStartLock(runtimeDir);
    startSuccessor();
  }
}

/** Calls come first: the journal is compressed by other threads, and what fails is done the next time. */
async function tidy(env: NodeJS.ProcessEnv): Promise<void> {
  const { tidyJournal } = await import("../decide/tidy-journal.ts");
  await tidyJournal(env).catch(() => {});
}

const TIDIED_EVERY_MS = 5 * 60_000;

const SUCCEEDED: readonly string[] = [REPLACED, TOO_LARGE];

/**
 * Code that decides a thousand times may be compiled into larger functions. The first calls get machine code at once, which takes
 * a quarter less than the interpreter; optimised code comes when V8 asks for it: to optimise early keeps a processor busy that
 * the agent needs, for 2 to 3 ms of each call in a session. Memory is collected by one thread: a busy machine keeps helpers
 * waiting, and the call with them.
 */
const LONG_RUNNING = [
  "--max-inlined-bytecode-size=1000",
  "--max-inlined-bytecode-size-cumulative=5000",
  "--max-inlined-bytecode-size-absolute=12000",
  "--always-sparkplug",
  "--no-parallel-scavenge",
];
