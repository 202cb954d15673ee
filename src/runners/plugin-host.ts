import { readSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { type EventInit, HookEvent } from "../event/event.ts";
import { methodFor, type PluginMethod } from "../request/plugin.ts";
import { HookRequest } from "../request/request.ts";
import { CapturedOutput } from "./captured-output.ts";
import { type LoadedPlugin, loadPlugin } from "./load-plugin.ts";

/*
 * The process in which one plugin runs. It decides nothing: the process that started it writes a request to the channel and
 * reads what the plugin returned. Whatever the plugin patches, closes or ends here is the plugin's own result.
 */

/** What this process is asked to do: call the plugin's method for an event, as the hook's caller would see the system. */
export interface PluginRequest {
  readonly call: number;
  readonly file: string;
  readonly event: EventInit;
  readonly options: Readonly<Record<string, unknown>>;
  readonly cwd: string | undefined;
  readonly umask: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The answer to a request: what the method returned, or why there is no answer. */
interface PluginAnswer {
  readonly call: number;
  readonly said?: unknown;
  readonly error?: string;
  /** This process ends with the answer. */
  readonly isLast?: boolean;
  readonly files: LoadedPlugin["files"] | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The descriptor of the channel; 0, 1 and 2 lead nowhere. */
const CHANNEL = 3;
const MAX_PRINTED = 256 * 1024;
const CHUNK = 64 * 1024;
const LONG_MS = 100;
const NEWLINE = 10;

let loaded: LoadedPlugin | undefined;
/** The call that waits for its answer. */
let current: number | undefined;
let last = 0;
let channel: Socket | undefined;
let env: PluginRequest["env"] = {};
let prints = newPrints();

for (const name of ["stdout", "stderr"] as const) capturePrints(name);
process.on("uncaughtException", failLast);
// It would open a debugger, through which another plugin could change what this one answers.
process.on("SIGUSR1", () => {});
// Nothing is left to do here but to wait for the next request.
process.on("beforeExit", () => {
  if (current === undefined && last !== 0) reply({ idle: last });
  last = 0;
  if (channel === undefined) void listen();
  else channel.ref();
});
const first = firstLine();
if (first === undefined) process.exit(0);
void serve(first);
// A call that takes long ends with the process that waits for it.
setTimeout(() => void listen().then(() => current ?? channel?.unref()), LONG_MS).unref();

async function serve(line: string): Promise<void> {
  const request = JSON.parse(line) as PluginRequest;
  current = request.call;
  prints = newPrints();
  channel?.ref();
  try {
    impersonate(request);
    loaded ??= await loadPlugin(request.file);
  } catch (error) {
    // What the module lacked may be there the next time, and Node keeps what it has imported.
    return failLast(error);
  }
  try {
    answer({ said: await called(loaded.plugin, request) });
  } catch (error) {
    answer({ error: messageOf(error) });
  }
}

/** A plugin without a method for the event has no result. */
async function called(plugin: object, { event, options }: PluginRequest): Promise<unknown> {
  const made = new HookEvent(event);
  const method = methodFor(plugin, made.type);
  if (method === undefined) return null;
  const methods = plugin as Readonly<Record<string, PluginMethod>>;
  return (await methods[method]?.(HookRequest.fromEvent(made), options)) ?? null;
}

/** The folder, umask and environment of the caller. */
function impersonate(request: PluginRequest): void {
  if (request.cwd !== undefined) process.chdir(request.cwd);
  process.umask(request.umask);
  for (const name of Object.keys(process.env)) if (!(name in request.env)) delete process.env[name];
  for (const [name, value] of Object.entries(request.env)) if (env[name] !== value) process.env[name] = value;
  env = request.env;
}

function failLast(error: unknown): never {
  answer({ error: messageOf(error), isLast: true });
  return process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `${String(error)} was thrown`;
}

function answer(result: Pick<PluginAnswer, "said" | "error" | "isLast">): void {
  if (current === undefined) return;
  const { stdout, stderr } = prints;
  reply({ call: current, ...result, files: loaded?.files, stdout: stdout.text(), stderr: stderr.text() });
  last = current;
  current = undefined;
  channel?.unref();
}

function reply(message: PluginAnswer | { readonly idle: number }): void {
  const bytes = Buffer.from(`${JSON.stringify(message, refuseCode)}\n`);
  for (let at = 0; at < bytes.length; ) at += retried(() => writeSync(CHANNEL, bytes, at));
}

/** JSON leaves these out, and what is left could be read as consent. */
function refuseCode(_: string, value: unknown): unknown {
  if (typeof value !== "function" && typeof value !== "symbol") return value;
  throw new Error(`a ${typeof value} is not an answer`);
}

/** The first request, read without Node's streams: they take longer to load than most plugins. Undefined at the end of the channel. */
function firstLine(): string | undefined {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const length = retried(() => readSync(CHANNEL, chunk, 0, CHUNK, null));
    if (length === 0) return undefined;
    chunks.push(chunk.subarray(0, length));
    // One request is written at a time.
    if (chunk[length - 1] === NEWLINE) return Buffer.concat(chunks).toString("utf8");
  }
}

async function listen(): Promise<void> {
  const net = await import("node:net");
  if (channel !== undefined) return;
  let rest = "";
  channel = new net.Socket({ fd: CHANNEL, readable: true, writable: false });
  channel.setEncoding("utf8").on("data", (text: string) => {
    rest += text;
    if (!rest.endsWith("\n")) return;
    void serve(rest);
    rest = "";
  });
  // The process that started this one has ended, and so has every call.
  for (const end of ["end", "error"]) channel.on(end, () => process.exit(0));
}

function retried(act: () => number): number {
  for (;;) {
    try {
      return act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function newPrints(): Record<"stdout" | "stderr", CapturedOutput> {
  return { stdout: new CapturedOutput(MAX_PRINTED), stderr: new CapturedOutput(MAX_PRINTED) };
}

/** What a plugin prints belongs to its result. The stream itself is made when it is first used: most plugins print nothing. */
function capturePrints(name: "stdout" | "stderr"): void {
  const { get } = Object.getOwnPropertyDescriptor(process, name) ?? {};
  let stream: NodeJS.WriteStream | undefined;
  const captured = () => {
    stream ??= Object.assign(get?.call(process) as NodeJS.WriteStream, {
      write: (chunk: string | Uint8Array, ...rest: unknown[]) => {
        prints[name].add(Buffer.from(chunk as string));
        const done = rest.find((value): value is () => void => typeof value === "function");
        if (done) process.nextTick(done);
        return true;
      },
    });
    return stream;
  };
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: captured });
}
