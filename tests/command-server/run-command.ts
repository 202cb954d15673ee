import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { inject } from "vitest";
import { builtFile } from "../built-file.ts";
import type { CommandReply, CommandRequest } from "./protocol.ts";

/** The command as it was built. */
export const COMMAND = builtFile("sluice.cjs");

/** What the command printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a run of the command gets. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  /** A module that is run in place of the command. */
  readonly module?: string;
  /** The launcher of another copy of the same build. */
  readonly launcher?: string;
}

/**
 * Runs the command in the process that all runs of this test worker share, and waits for its end, as `spawnSync` of the
 * built command would. For everything but what is a matter of the process itself: its start, its streams, signals, the launcher.
 */
export function runCommand(args: readonly string[], options: CommandOptions): Ended {
  let sent = request(args, options);
  for (let turn = 1; !existsSync(sent.reply); turn++) {
    sent = sentAgain(sent, turn, args, options);
    Atomics.wait(PAUSE, 0, 0, pauseMs(turn));
  }
  return inTwoStreams(answered(sent));
}

/** The same without stopping this process: for commands that ask a server in it. */
export async function commandEnded(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return inTwoStreams(await commandReply(args, options));
}

/** The same with everything in the order in which it was printed. */
export async function commandReply(args: readonly string[], options: CommandOptions): Promise<CommandReply> {
  let sent = request(args, options);
  for (let turn = 1; !existsSync(sent.reply); turn++) {
    sent = sentAgain(sent, turn, args, options);
    await new Promise((resolve) => setTimeout(resolve, pauseMs(turn)));
  }
  return answered(sent);
}

/** Most commands end soon; the longer one takes, the less often it is asked for. */
function pauseMs(turn: number): number {
  return Math.min(Math.ceil(turn / 8), 8);
}

/** The request, or another one where its process has ended with requests that it had not begun. */
function sentAgain(sent: Sent, turn: number, args: readonly string[], options: CommandOptions): Sent {
  if (Date.now() >= sent.deadline) {
    stop(sent.to);
    throw new Error(`sluice ${args.join(" ")} did not end within ${TIMEOUT_MS / 1000} s`);
  }
  if (turn % 100 !== 0 || !hasEnded(sent.to) || existsSync(sent.reply)) return sent;
  stop(sent.to);
  // One that never comes up is not started anew without an end.
  return { ...request(args, options), deadline: sent.deadline };
}

/** Whether a process that runs commands has ended; while this process only waits, it is not told. */
function hasEnded({ process: { pid, exitCode, signalCode } }: Server): boolean {
  if (exitCode !== null || signalCode !== null) return true;
  try {
    return /^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // Other systems have no such file, and neither has a process that is gone.
    return process.platform === "linux";
  }
}

/** A request, the process that has it, and until when it may run. */
interface Sent {
  /** The file that the reply will be. */
  readonly reply: string;
  readonly to: Server;
  readonly deadline: number;
}

/** Sends a command to the process for it. */
function request(args: readonly string[], { cwd, env, input = "", module, launcher }: CommandOptions): Sent {
  // What a run has left behind may have ended the process since, as it would have ended with the real command.
  if (server !== undefined && (server.process.exitCode !== null || server.process.signalCode !== null)) stop(server);
  server ??= start();
  const file = join(server.folder, `${server.requests++}`);
  const reply = `${file}.reply`;
  for (const folder of [join(cwd, ".sluice"), join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? cwd, ".config"), "sluice")])
    makeOlder(folder);
  const whole = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const said: CommandRequest = {
    args,
    cwd,
    env: Object.fromEntries(whole),
    input: Buffer.from(input).toString("base64"),
    reply,
    ...(module === undefined ? {} : { module }),
    ...(launcher === undefined ? {} : { launcher }),
  };
  // A pipe takes a short line at once; nothing would write the rest of a long one while this process waits.
  writeFileSync(file, JSON.stringify(said));
  server.pipe.write(`${file}\n`);
  return { reply, to: server, deadline: Date.now() + TIMEOUT_MS };
}

/** Configuration has mostly been written long before a command; one that has just been written is waited for. */
function makeOlder(folder: string): void {
  for (const name of statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []) {
    try {
      const { mtimeMs } = lstatSync(join(folder, name));
      if (Date.now() - mtimeMs < YOUNG_MS) lutimesSync(join(folder, name), new Date(), new Date(mtimeMs - YOUNG_MS));
    } catch {
      // Another process has renamed or removed it.
    }
  }
}

function answered({ reply: file, to }: Sent): CommandReply {
  const reply: CommandReply = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  if (reply.ended) stop(to);
  return reply;
}

function inTwoStreams({ code, printed }: CommandReply): Ended {
  const on = (stream: 1 | 2) => printed.map(([fd, text]) => (fd === stream ? text : "")).join("");
  return { code, out: on(1), err: on(2) };
}

interface Server {
  readonly process: ChildProcess;
  readonly pipe: Writable;
  readonly folder: string;
  requests: number;
}

function start(): Server {
  const folder = mkdtempSync(join(tmpdir(), "command-"));
  const child = spawn(process.execPath, [...FLAGS, join(inject("programs"), "command-server.mjs"), COMMAND], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const pipe = child.stdio[3] as Writable & { unref(): void };
  pipe.on("error", () => {});
  child.unref();
  pipe.unref();
  return { process: child, pipe, folder, requests: 0 };
}

function stop(one: Server): void {
  one.process.kill("SIGKILL");
  if (server === one) server = undefined;
}

let server: Server | undefined;
/** As this process optimises code later, so does that one; and the processors are busy, so threads for collecting garbage only cost. */
const FLAGS = [...process.execArgv.filter((flag) => flag.startsWith("--interrupt-budget")), "--single-threaded"];
const YOUNG_MS = 2000;
const TIMEOUT_MS = 60_000;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
