import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import type { Failure } from "../decision/failure.ts";
import { KeptOutput } from "./kept-output.ts";
import { endTree, OWN_GROUP, RUN_MARK } from "./process-tree.ts";

/** A program to run, and everything it may see. */
export interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Seconds for spawn, stdin, run and drain together. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a process ended. Whatever it printed until then is kept. */
export interface Ended {
  readonly exitCode: number | null;
  readonly failure?: Failure;
  readonly stdout: string;
  readonly stderr: string;
  readonly notes: readonly string[];
}

/** Runs a program to its end. Never rejects, never outlasts the deadline by more than the grace; nothing survives it. */
export function runProcess(start: Start): Promise<Ended> {
  return new Promise((resolve) => {
    const mark = randomBytes(8).toString("hex");
    const stdout = new KeptOutput(MOST_STDOUT);
    const stderr = new KeptOutput(MOST_STDERR);
    let failure: Failure | undefined;
    let exitCode: number | null = null;
    let child: ChildProcess | undefined;
    let stage: "running" | "exited" | "over" = "running";
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number, act: () => void) => timers.push(setTimeout(act, ms));

    const finish = () => {
      if (stage === "over") return;
      stage = "over";
      for (const timer of timers) clearTimeout(timer);
      start.signal?.removeEventListener("abort", abort);
      if (child?.pid !== undefined) endTree(child.pid, "SIGKILL", mark);
      child?.stdin?.destroy();
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      const notes = [droppedNote("stdout", stdout), droppedNote("stderr", stderr)].filter((note) => note !== undefined);
      resolve({ exitCode, ...(failure && { failure }), stdout: stdout.text(), stderr: stderr.text(), notes });
    };

    /** The first thing that went wrong is the fact; asks the tree to end, then makes it. */
    const end = (fact: Failure) => {
      if (failure !== undefined || stage !== "running") return;
      failure = fact;
      if (child?.pid === undefined) return finish();
      endTree(child.pid, "SIGTERM", mark);
      after(GRACE_MS, () => {
        if (child?.pid !== undefined) endTree(child.pid, "SIGKILL", mark);
        after(DRAIN_MS, finish);
      });
    };

    const abort = () => end({ why: "signal", signal: "SIGTERM", aborted: true });
    const keep = (output: KeptOutput) => (chunk: Buffer) => {
      output.add(chunk);
      if (output.total > MOST_PRINTED) end({ why: "output_overflow", bytes: MOST_PRINTED });
    };

    if (start.signal?.aborted) return abort();
    try {
      child = spawn(start.program, start.args, {
        cwd: start.cwd,
        env: { ...start.env, [RUN_MARK]: mark },
        detached: OWN_GROUP,
        windowsHide: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
    } catch (error) {
      return end(spawnFailure(error, start));
    }
    start.signal?.addEventListener("abort", abort, { once: true });
    after(start.deadline * 1000, () => end({ why: "timeout", afterMs: start.deadline * 1000 }));
    child.on("error", (error) => {
      failure ??= spawnFailure(error, start);
      finish();
    });
    child.on("exit", (code, signal) => {
      if (stage === "over") return;
      stage = "exited";
      exitCode = failure === undefined ? code : null;
      if (signal !== null) failure ??= { why: "signal", signal };
      after(DRAIN_MS, finish);
    });
    child.on("close", finish);
    child.stdout?.on("data", keep(stdout));
    child.stderr?.on("data", keep(stderr));
    child.stdin?.on("error", () => {});
    child.stdin?.end(start.stdin);
  });
}

function spawnFailure(error: unknown, start: Start): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && !isFolder(start.cwd)) {
    return { why: "spawn_error", message: `its working directory ${start.cwd} is not there` };
  }
  if (code === "ENOENT") return { why: "not_found", program: start.program };
  if (code === "EACCES" || code === "EPERM") return { why: "not_executable", program: start.program };
  if (code === "E2BIG") return { why: "spawn_error", message: "its arguments and environment are too large" };
  return { why: "spawn_error", message: message ?? String(error) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function droppedNote(name: string, output: KeptOutput): string | undefined {
  return output.dropped > 0 ? `${output.dropped} bytes of ${name} were dropped` : undefined;
}

const MIB = 1024 * 1024;
const MOST_STDOUT = MIB;
const MOST_STDERR = MIB / 4;
const MOST_PRINTED = 16 * MIB;
const GRACE_MS = 2000;
const DRAIN_MS = 100;
