import { AsyncLocalStorage } from "node:async_hooks";
import { statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";
import type { Failure } from "../decision/failure.ts";
import { deepCopy } from "../event/deep-copy.ts";
import type { HookEvent } from "../event/event.ts";
import { isObject, toJsonText } from "../event/json.ts";
import { realPath } from "../fs/resolve-path.ts";
import type { Hook } from "../hook/hook.ts";
import { getLatestAssistantMessage, getText, isToolOperation } from "../request/message.ts";
import { readResult } from "../request/plugin-result.ts";
import { definePlugin, methodFor, misspeltMethod, type PluginMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { writeOutput } from "../request/standard-streams.ts";
import { pinOf } from "../trust/pin.ts";
import { keepingPrints } from "./captured-output.ts";
import { onAbort } from "./on-abort.ts";
import { moduleFile } from "./plugin-module.ts";
import { readAnswerObject } from "./read-answer.ts";
import { ABORTED, broken, CHANGED, type Ran, type RunContext } from "./runner.ts";
import { loadCompiler } from "./typescript.ts";
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

/** The plugin that a file exports: loaded once, and again when the file or one that it brought along has changed. */
function loadPlugin(path: string): Promise<object> {
  const file = realPath(path);
  const known = LOADED.get(file);
  if (known?.files.every((one) => stampOf(one.path) === one.stamp)) return known.plugin;
  const stale = known?.files.map((one) => one.path) ?? [file];
  const files = [{ path: file, stamp: stampOf(file) }];
  const plugin = load(file, stale, (brought) => files.push({ path: brought, stamp: stampOf(brought) }));
  LOADED.set(file, { plugin, files });
  // What failed is tried again: whatever it lacked may be there the next time.
  plugin.catch(() => LOADED.delete(file));
  return plugin;
}

interface Loaded {
  readonly plugin: Promise<object>;
  readonly files: readonly { readonly path: string; readonly stamp: string }[];
}

const LOADED = new Map<string, Loaded>();

async function load(file: string, stale: readonly string[], brings: (path: string) => void): Promise<object> {
  const compiler = loadCompiler();
  if (compiler === undefined) throw new Error("jiti, which loads plugins, is not installed beside Sluice");
  const { createJiti, options } = compiler;
  const isInstalled = createJiti(file, options).esmResolve("sluice", { try: true }) !== undefined;
  const jiti = createJiti(file, { ...options, interopDefault: false, virtualModules: doors(isInstalled) });
  for (const path of stale) delete jiti.cache[path];
  const before = new Set(Object.keys(jiti.cache));
  const module = await jiti.import(file);
  for (const path of Object.keys(jiti.cache)) {
    if (!before.has(path) && path !== file && !path.includes(`${sep}node_modules${sep}`)) brings(path);
  }
  return pluginIn(module, file);
}

/** What a plugin imports of Sluice is in this process already; so it may lie where Sluice is not installed. */
function doors(isInstalled: boolean): Record<string, object> {
  const door = { definePlugin, getLatestAssistantMessage, getText, HookRequest, isToolOperation, writeOutput };
  return isInstalled ? { "sluice/plugin": door } : { sluice: door, "sluice/plugin": door };
}

/** The default export, also of a module that was compiled to CommonJS. */
function pluginIn(module: unknown, file: string): object {
  const exported = defaultOf(module);
  const inner =
    typeof exported === "object" && exported !== null && "default" in exported ? exported.default : exported;
  if (typeof inner !== "object" || inner === null) throw new Error(`${file} has no plugin as its default export`);
  const wrong = misspeltMethod(inner);
  if (wrong) throw new Error(`${file} has a method "${wrong.method}"; did you mean "${wrong.meant}"?`);
  return inner;
}

function defaultOf(module: unknown): unknown {
  return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.mtimeMs} ${stats.size}`;
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
