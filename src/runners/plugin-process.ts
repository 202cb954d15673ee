import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "../decision/failure.ts";
import { milliseconds } from "../event/clock.ts";
import { isObject, toJsonText } from "../event/json.ts";
import { realPath } from "../fs/resolve-path.ts";
import { commandEnvironment } from "./command-environment.ts";
import { onAbort } from "./on-abort.ts";
import type { PluginRequest } from "./plugin-host.ts";
import { fileStamp, isFile } from "./plugin-module.ts";
import { endTree, markValue, newMark, OWN_GROUP, RUN_MARK } from "./process-tree.ts";
import { ABORTED, type RunContext } from "./runner.ts";
import { atExit, spawnFailure } from "./subprocess.ts";

/** How a call of a plugin ended: what the plugin returned and printed, or why there is no answer. */
export type PluginEnded = Prints & ({ readonly said: unknown } | { readonly failure: Failure });

interface Prints {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Calls a plugin in a process that runs this one plugin, one call at a time; `owner` is whose plugin it is. The process stays
 * for the next call of the same plugin, until one of its files changes. Never rejects. A call that is late ends with its process.
 */
export function callPlugin(
  owner: string,
  request: Omit<PluginRequest, "call">,
  limits: Pick<RunContext, "deadline" | "signal">,
): Promise<PluginEnded> {
  const variables = readByNode(request.env);
  const key = [owner, request.file, variables].join("\n");
  for (const one of IDLE) if (one.key === key && !one.isCurrent()) one.end();
  const ready = spare?.variables === variables ? spare : undefined;
  const taken = [...IDLE].find((one) => one.key === key) ?? ready ?? new PluginProcess(request.env);
  if (taken === spare) spare = undefined;
  return taken.call(key, request, limits);
}

/** Starts the process of the next plugin, which takes some time to be ready. */
export function preparePluginProcess(): void {
  spare ??= new PluginProcess(commandEnvironment({}, {}, 1));
}

/** Node reads some variables when it starts, such as those for certificates: calls with others need another process. */
function readByNode(env: Readonly<Record<string, string>>): string {
  const read = Object.keys(env).filter((name) => /^(?:NODE|OPENSSL|SSL_CERT)_/.test(name));
  return read.map((name) => `${name}=${env[name]}`).join("\n");
}

/** Processes that wait for another call of their plugin, the one that was used last at the end. */
const IDLE = new Set<PluginProcess>();
/** A process that has not loaded a plugin yet. */
let spare: PluginProcess | undefined;

class PluginProcess {
  /** Whose plugin it runs, its file, and what node has read; empty before its first call. */
  key = "";
  /** The variables that node has read when it started. */
  readonly variables: string;
  readonly #mark = newMark();
  readonly #startedAt = milliseconds();
  readonly #child: ChildProcess | undefined;
  /** Why no process was started. */
  #failure: Failure | undefined;
  /** The files of the plugin, with their stamps when they were loaded. */
  #files: readonly (readonly [path: string, stamp: string])[] = [];
  #calls = 0;
  /** The bytes that came since the call began, and the part of them that is not a whole line yet. */
  #received = 0;
  #line: Buffer[] = [];
  #done: ((ended: PluginEnded) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #forget = () => {};

  constructor(env: PluginRequest["env"]) {
    const program = hostProgram();
    this.variables = readByNode(env);
    try {
      if (program === undefined) throw new Error(NO_PROGRAM);
      this.#child = spawn(process.execPath, [program], {
        env: { ...env, ...this.#marked(), ...RUNS_AS_NODE },
        detached: OWN_GROUP,
        windowsHide: true,
        stdio: ["ignore", "ignore", "ignore", "pipe"],
      });
    } catch (error) {
      this.#fail(error);
      return;
    }
    const child = this.#child;
    this.#forget = atExit(() => child.kill("SIGKILL"));
    child.on("error", (error) => this.#fail(error));
    child.on("exit", (code, signal) => {
      // What it has written until then arrives first.
      const timer = setTimeout(() => this.#exited(code, signal), DRAIN_MS);
      child.on("close", () => {
        clearTimeout(timer);
        this.#exited(code, signal);
      });
    });
    this.#channel?.on("data", (chunk: Buffer) => this.#receive(chunk)).on("error", () => {});
    this.#hold(false);
  }

  get #channel(): Socket | undefined {
    return this.#child?.stdio[3] as Socket | undefined;
  }

  /** Whether what it has loaded is what is on the disk. */
  isCurrent(): boolean {
    return this.#files.every(([path, stamp]) => fileStamp(path) === stamp);
  }

  call(key: string, request: Omit<PluginRequest, "call">, limits: Pick<RunContext, "deadline" | "signal">) {
    IDLE.delete(this);
    clearTimeout(this.#timer);
    if (this.key === "") this.#files = [[request.file, fileStamp(request.file)]];
    this.key = key;
    this.#received = 0;
    return new Promise<PluginEnded>((done) => {
      const { deadline, signal } = limits;
      const late = () => this.end({ why: "timeout", afterMs: deadline * 1000 });
      // A turn of the loop comes first: what happened while this program was busy elsewhere is in time.
      const timer = setTimeout(() => setImmediate(late), deadline * 1000);
      const forget = onAbort(signal, () => this.end(ABORTED));
      this.#done = (ended) => {
        clearTimeout(timer);
        forget();
        this.#done = undefined;
        done(ended);
      };
      if (this.#failure !== undefined) return this.#done({ ...SILENT, failure: this.#failure });
      this.#hold(true);
      const env = { ...request.env, ...this.#marked() };
      this.#channel?.write(`${toJsonText({ ...request, env, call: ++this.#calls })}\n`);
    });
  }

  /** Ends the process and what it has started, and fails the call that it has. */
  end(failure: Failure = ABORTED): void {
    const { pid } = this.#child ?? {};
    if (pid !== undefined) endTree({ pid, mark: this.#mark, startedAt: this.#startedAt }, "SIGKILL", false);
    this.#leave(failure);
  }

  #leave(failure: Failure): void {
    this.#failure ??= failure;
    IDLE.delete(this);
    if (spare === this) spare = undefined;
    clearTimeout(this.#timer);
    this.#forget();
    this.#channel?.destroy();
    this.#child?.unref();
    this.#done?.({ ...SILENT, failure });
  }

  #fail(error: unknown): void {
    this.#leave(spawnFailure(error, { program: process.execPath, cwd: "/" }));
  }

  #exited(code: number | null, signal: string | null): void {
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    this.#leave({ why: "exception", message: `its process ${how} before it had answered` });
  }

  /** Everything that comes is the plugin's own: it is bounded, and only an answer to the call at hand is read. */
  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > MAX_REPLY) {
      this.end({ why: "output_overflow", bytes: MAX_REPLY });
      return;
    }
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.#line, rest.subarray(0, at)]).toString("utf8");
      this.#line = [];
      rest = rest.subarray(at + 1);
      this.#read(line);
    }
    if (rest.length > 0) this.#line.push(rest);
  }

  #read(line: string): void {
    const message = parsed(line);
    const done = this.#done;
    if (done === undefined) {
      if (message?.idle === this.#calls) this.#hold(false);
      else this.end();
      return;
    }
    if (message?.call !== this.#calls) return;
    const prints = { stdout: textOf(message.stdout), stderr: textOf(message.stderr) };
    if (typeof message.error === "string")
      done({ ...prints, failure: { why: "exception", message: message.error.slice(0, MAX_ERROR) } });
    else done({ ...prints, said: message.said });
    this.#files = [...this.#files.slice(0, 1), ...stampsIn(message.files)];
    if (message.isLast === true) this.end();
    else this.#rest();
  }

  /** Waits for the next call. Work that the plugin has not finished keeps this program running for a short time only. */
  #rest(): void {
    if (this.#failure !== undefined) return;
    IDLE.add(this);
    const [oldest] = IDLE;
    if (IDLE.size > MAX_IDLE) oldest?.end();
    this.#timer = setTimeout(() => {
      this.#hold(false);
      this.#timer = setTimeout(() => this.end(), IDLE_MS).unref();
    }, LEFT_MS).unref();
  }

  /** Whether this program stays until the process has answered or has nothing left to do. */
  #hold(isHeld: boolean): void {
    const act = isHeld ? "ref" : "unref";
    this.#child?.[act]();
    this.#channel?.[act]();
  }

  #marked(): Record<string, string> {
    return { [RUN_MARK]: markValue(process.env[RUN_MARK], this.#mark) };
  }
}

/** The program of such a process: one file of the built package. */
function hostProgram(): string | undefined {
  const here: string | undefined = import.meta.url;
  const folder = dirname(here === undefined ? realPath(process.argv[1] ?? "") : fileURLToPath(here));
  const program = join(folder, here === undefined ? "." : "../../dist", "plugin-host.cjs");
  return isFile(program) ? program : undefined;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_PRINTED) : "";
}

function stampsIn(value: unknown): (readonly [string, string])[] {
  const given: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_FILES) : [];
  return given.flatMap((one) =>
    Array.isArray(one) && one.every((text) => typeof text === "string")
      ? [[String(one[0]), String(one[1])] as const]
      : [],
  );
}

const SILENT: Prints = { stdout: "", stderr: "" };
const NO_PROGRAM = "dist/plugin-host.cjs, in which plugins run, is missing; install Sluice again";
/** Inside an editor, the program that runs is not node itself. */
const RUNS_AS_NODE = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" };
const NEWLINE = 10;
const MIB = 1024 * 1024;
const MAX_REPLY = 16 * MIB;
const MAX_PRINTED = MIB / 4;
const MAX_ERROR = 10_000;
const MAX_FILES = 1000;
const MAX_IDLE = 8;
const IDLE_MS = 5 * 60_000;
/** How long a plugin that has answered may keep this program. */
const LEFT_MS = 1000;
const DRAIN_MS = 100;
