import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { inject } from "vitest";
import type { CommandReply, CommandRequest } from "./protocol.ts";

/** The command as it was built. */
export const COMMAND = resolve(import.meta.dirname, "../../dist/sluice.cjs");

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
}

/**
 * Runs the command in the process that all runs of this test worker share, and waits for its end, as `spawnSync` of the
 * built command would. For everything but what is a matter of the process itself: its start, its streams, signals, the launcher.
 */
export function runCommand(args: readonly string[], { cwd, env, input = "" }: CommandOptions): Ended {
  server ??= start();
  const reply = join(server.folder, "reply");
  const whole = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const request: CommandRequest = {
    args,
    cwd,
    env: Object.fromEntries(whole),
    input: Buffer.from(input).toString("base64"),
    reply,
  };
  // A pipe takes a short line at once; nothing would write the rest of a long one while this process waits.
  const file = join(server.folder, "request");
  writeFileSync(file, JSON.stringify(request));
  server.requests.write(`${file}\n`);
  const deadline = Date.now() + TIMEOUT_MS;
  while (!existsSync(reply)) {
    if (Date.now() > deadline) {
      stop();
      throw new Error(`sluice ${args.join(" ")} did not end within ${TIMEOUT_MS / 1000} s`);
    }
    Atomics.wait(PAUSE, 0, 0, 1);
  }
  const { ended, ...said }: CommandReply = JSON.parse(readFileSync(reply, "utf8"));
  rmSync(reply);
  if (ended) stop();
  return said;
}

interface Server {
  readonly process: ChildProcess;
  readonly requests: Writable;
  readonly folder: string;
}

function start(): Server {
  const folder = mkdtempSync(join(tmpdir(), "command-"));
  const child = spawn(process.execPath, [inject("commandServer"), COMMAND], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const requests = child.stdio[3] as Writable & { unref(): void };
  requests.on("error", () => {});
  child.unref();
  requests.unref();
  return { process: child, requests, folder };
}

function stop(): void {
  server?.process.kill("SIGKILL");
  server = undefined;
}

let server: Server | undefined;
const TIMEOUT_MS = 60_000;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
