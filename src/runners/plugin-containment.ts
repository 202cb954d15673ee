import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";

/** One run of a plugin in this process. */
export interface Containment {
  /** Runs the plugin's code; all that it starts belongs to it. */
  run<T>(code: () => T): T;
  /** The run is over: what its code throws from now on is no longer caught here. */
  release(): void;
}

/**
 * Keeps a plugin from ending the process that it shares with every other hook of the call: `process.exit` and its like
 * throw in its code and fail its run, and so does an error that it does not catch.
 */
export function contain(fail: (message: string) => void): Containment {
  replaceEnds();
  const own: Run = { fail };
  if (ACTIVE.size === 0) catchThrown(caught);
  ACTIVE.add(own);
  return {
    run: (code) => RUNS.run(own, code),
    // What failed the run may be about to be thrown.
    release: () => void setImmediate(leave, own).unref(),
  };
}

function leave(run: Run): void {
  if (ACTIVE.delete(run) && ACTIVE.size === 0) catchThrown(null);
}

interface Run {
  readonly fail: (message: string) => void;
}

type Act = (...given: unknown[]) => unknown;

/** From then on each of them asks who calls; other code ends the process as before. */
function replaceEnds(): void {
  if (isReplaced) return;
  isReplaced = true;
  const acts = process as unknown as Record<string, Act>;
  for (const [name, wouldEnd] of Object.entries(ENDS)) {
    const before = acts[name];
    if (before === undefined) continue;
    acts[name] = (...given) => {
      const run = RUNS.getStore();
      if (run === undefined || !wouldEnd(...given)) return before.apply(process, given);
      const message = `the plugin ended the process with process.${name}(${given.map(String).join(", ")})`;
      run.fail(message);
      throw new Error(message);
    };
  }
  // Once these listeners are gone, no part of Sluice learns that the process ends or that there is a next call.
  const removeAll = process.removeAllListeners;
  acts.removeAllListeners = (...given) =>
    RUNS.getStore() === undefined ? removeAll.apply(process, given as [string]) : process;
  // `import { exit } from "node:process"` has a copy.
  syncBuiltinESMExports();
}

/** An uncaught error: of a plugin, or of other code in this program. */
function caught(error: Error): void {
  const run = RUNS.getStore();
  if (run !== undefined) run.fail(error instanceof Error ? error.message : `${String(error)} was thrown`);
  else if (!process.emit("uncaughtException", error)) throw error;
}

function catchThrown(act: ((error: Error) => void) | null): void {
  try {
    process.setUncaughtExceptionCaptureCallback(act);
  } catch {
    // Another part of this program catches everything already.
  }
}

function isOwn(pid: unknown, signal: unknown): boolean {
  return signal !== 0 && [process.pid, -process.pid, 0, -1].includes(Number(pid));
}

/** What ends a process, and when it ends this one. */
const ENDS: Readonly<Record<string, (...given: unknown[]) => boolean>> = {
  exit: () => true,
  reallyExit: () => true,
  abort: () => true,
  kill: isOwn,
};
const RUNS = new AsyncLocalStorage<Run>();
const ACTIVE = new Set<Run>();
let isReplaced = false;
