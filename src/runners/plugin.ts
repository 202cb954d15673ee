import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import type { Failure } from "../decision/failure.ts";
import { deepCopy } from "../event/deep-copy.ts";
import type { HookEvent } from "../event/event.ts";
import { isObject, toJsonText } from "../event/json.ts";
import type { Hook } from "../hook/hook.ts";
import { readResult } from "../request/plugin-result.ts";
import { methodFor, type PluginMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { pinOf } from "../trust/pin.ts";
import { keepingPrints } from "./captured-output.ts";
import { loadPlugin } from "./load-plugin.ts";
import { onAbort } from "./on-abort.ts";
import { moduleFile } from "./plugin-module.ts";
import { readAnswerObject } from "./read-answer.ts";
import { ABORTED, broken, CHANGED, type Ran, type RunContext } from "./runner.ts";
import { workingDirectory } from "./working-directory.ts";

/** Calls the method that a plugin has for the event, in this process. */
export async function runPlugin(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const cwd = workingDirectory(hook, event, context.workingDir);
  const found = moduleFile(hook, cwd);
  const pin = pinOf(hook);
  const pinned = pin && (await import("../trust/pinned-run.ts")).pinnedRun(pin, cwd);
  if (pin !== undefined && pinned === undefined) return CHANGED;
  const file = found === undefined ? undefined : (pinned?.file(found) ?? found);
  if (file === undefined) return broken({ why: "not_found", program: `the module ${hook.module}` });
  if (context.signal?.aborted) return broken(ABORTED);
  const { prints, value } = keepingPrints(() => inTime(() => call(file, hook, event, context), context));
  const ended = await value;
  if (pinned?.isTrue() === false) return CHANGED;
  const printed = { exitCode: null, stdout: prints.stdout.text(), stderr: prints.stderr.text() };
  return "failure" in ended ? { ...printed, failure: ended.failure } : { ...printed, ...read(ended.said) };
}

/** A plugin without a method for the event has no opinion. */
async function call(file: string, hook: Hook, event: HookEvent, { deadline }: RunContext): Promise<unknown> {
  const plugin = await loadPlugin(file);
  const method = methodFor(plugin, event.type);
  if (method === undefined) return null;
  const methods = plugin as Readonly<Record<string, PluginMethod>>;
  const given = [HookRequest.fromEvent(event), deepCopy(hook.options ?? {})] as const;
  return withinTime(() => methods[method]?.(...given), deadline);
}

/**
 * Calls the plugin where a loop that never gives the process back is ended after these seconds. V8 ends whatever runs below
 * the script then, which no code of the plugin can catch.
 */
async function withinTime(run: () => unknown, deadline: number): Promise<unknown> {
  const { Script } = await import("node:vm");
  const holder = globalThis as unknown as Record<symbol, unknown>;
  holder[PLUGIN_CALL] = run;
  try {
    return new Script(`globalThis[Symbol.for(${JSON.stringify(PLUGIN_CALL.description)})]()`).runInThisContext({
      timeout: Math.max(1, Math.ceil(deadline * 1000)),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Stuck();
  } finally {
    delete holder[PLUGIN_CALL];
  }
}

const PLUGIN_CALL = Symbol.for("sluice.plugin-call");

/** A plugin that was ended in the middle of its code. */
class Stuck extends Error {}

type Ended = { readonly said: unknown } | { readonly failure: Failure };

/** Never rejects. An answer after the deadline is ignored, and so is an error that the plugin throws then. */
function inTime(start: () => Promise<unknown>, { deadline, signal }: RunContext): Promise<Ended> {
  return new Promise((done) => {
    const end = (ended: Ended) => {
      containment.release();
      clearTimeout(timer);
      forget();
      done(ended);
    };
    const timedOut = { why: "timeout", afterMs: deadline * 1000 } as const;
    const timer = setTimeout(() => end({ failure: timedOut }), deadline * 1000);
    const forget = onAbort(signal, () => end({ failure: ABORTED }));
    const containment = contain((message) => end({ failure: { why: "exception", message } }));
    containment.run(start).then(
      (said) => end({ said }),
      (error) => end({ failure: error instanceof Stuck ? timedOut : { why: "exception", message: wordsOf(error) } }),
    );
  });
}

/** Pairs are a plugin's own; an object is read as every other hook's answer is. */
function read(said: unknown): Pick<Ran, "answer" | "failure"> {
  if (isObject(said)) return readAnswerObject(said);
  const result = readResult(said);
  return "answer" in result ? result : { failure: { why: "exception", message: result.unclear } };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : toJsonText(error);
}

/** One run of a plugin in this process. */
interface Containment {
  /** Runs the plugin's code; all that it starts belongs to it. */
  run<T>(code: () => T): T;
  /** The run is over: what its code throws from now on is no longer caught here. */
  release(): void;
}

/**
 * Keeps a plugin from ending the process that it shares with every other hook of the call: `process.exit` and its like
 * throw in its code and fail its run, and so does an error that it does not catch.
 */
function contain(fail: (message: string) => void): Containment {
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
