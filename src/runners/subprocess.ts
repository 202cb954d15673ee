import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Socket } from "node:net";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Failure } from "../decision/failure.ts";
import { attempt } from "../event/attempt.ts";
import { milliseconds } from "../event/clock.ts";
import { CapturedOutput } from "./captured-output.ts";
import { onAbort } from "./on-abort.ts";
import { endTree, markValue, newMark, OWN_GROUP, RUN_MARK } from "./process-tree.ts";
import { shebangOf } from "./program.ts";

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
  /** The program may end before it; it is then left to its deadline. */
  readonly isBackground?: boolean | undefined;
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
    const mark = newMark();
    const startedAt = milliseconds();
    const stdout = new CapturedOutput(MAX_STDOUT);
    const stderr = new CapturedOutput(MAX_STDERR);
    let failure: Failure | undefined;
    let exitCode: number | null = null;
    let child: ChildProcess | undefined;
    let stage: "running" | "exited" | "over" = "running";
    const timers: NodeJS.Timeout[] = [];
    // One turn of the event loop comes first: what happened while this program was busy is still in time.
    const after = (ms: number, act: () => void) => {
      const timer = setTimeout(() => setImmediate(act), ms);
      timers.push(start.isBackground ? timer.unref() : timer);
    };
    let isKilled = false;
    const kill = (signal: "SIGTERM" | "SIGKILL") => {
      if (child?.pid === undefined || isKilled) return;
      isKilled = signal === "SIGKILL";
      endTree({ pid: child.pid, mark, startedAt }, signal, stage === "exited");
    };
    const abort = () => end({ why: "signal", signal: "SIGTERM", aborted: true });
    const leave = () => {
      if (!start.isBackground || !OWN_GROUP || failure !== undefined) return kill("SIGKILL");
      if (child?.pid !== undefined) endLater(child.pid, start.deadline - (milliseconds() - startedAt) / 1000);
    };
    const listening = [atExit(leave), onAbort(start.signal, abort)];

    const finish = () => {
      if (stage === "over") return;
      kill("SIGKILL");
      stage = "over";
      for (const forget of listening) forget();
      for (const timer of timers) clearTimeout(timer);
      for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
      child?.unref();
      const notes = [droppedNote("stdout", stdout), droppedNote("stderr", stderr)].filter((note) => note !== undefined);
      resolve({ exitCode, ...(failure && { failure }), stdout: stdout.text(), stderr: stderr.text(), notes });
    };

    /** The first thing that went wrong is the fact; asks the tree to end, then makes it. */
    const end = (fact: Failure) => {
      if (failure !== undefined || stage !== "running") return;
      failure = fact;
      if (child?.pid === undefined) return finish();
      after(GRACE_MS, () => {
        after(DRAIN_MS, finish);
        kill("SIGKILL");
      });
      kill("SIGTERM");
    };

    const keep = (stream: Readable | null, output: CapturedOutput) =>
      stream?.on("data", (chunk: Buffer) => {
        output.add(chunk);
        if (output.total <= MAX_PRINTED) return;
        end({ why: "output_overflow", bytes: MAX_PRINTED });
        stream.destroy();
      });

    if (start.signal?.aborted) return abort();
    after(start.deadline * 1000, () => end({ why: "timeout", afterMs: start.deadline * 1000 }));
    try {
      child = spawn(start.program, start.args, {
        cwd: start.cwd,
        env: { ...start.env, [RUN_MARK]: markValue(start.env[RUN_MARK], mark) },
        detached: OWN_GROUP,
        windowsHide: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
    } catch (error) {
      return end(spawnFailure(error, start));
    }
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
    keep(child.stdout, stdout);
    keep(child.stderr, stderr);
    // A hook need not read what it is given, and a broken pipe is not a failure of the hook.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
    child.stdin?.end(start.stdin);
    if (start.isBackground) release(child);
  });
}

/** The program does not wait for this process. */
function release(child: ChildProcess): void {
  child.unref();
  // They are sockets, although their types differ.
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Partial<Socket> | null)?.unref?.();
}

/** This program ends: another process ends what is left of a group when its seconds are over, and goes as soon as nothing is left. */
function endLater(group: number, seconds: number): void {
  const line = `n=0; while kill -0 -${group} && [ $n -lt ${Math.ceil(seconds)} ]; do sleep 1; n=$((n+1)); done; kill -9 -${group}`;
  try {
    spawn("/bin/sh", ["-c", line], { detached: true, stdio: "ignore" }).unref();
  } catch {
    process.kill(-group, "SIGKILL");
  }
}

function droppedNote(name: string, output: CapturedOutput): string | undefined {
  return output.dropped > 0 ? `${output.dropped} bytes of ${name} were dropped` : undefined;
}

/** Why a program did not start, as a fact about the hook. Never throws. */
export function spawnFailure(error: unknown, { program, cwd }: { program: string; cwd: string }): Failure {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const folder = kindOf(cwd);
  if (folder !== "folder") {
    const fact = folder === "other" ? "is not a folder" : "is not there";
    return { why: "spawn_error", message: `its working directory ${cwd} ${fact}` };
  }
  const why = WHY[code];
  if (why === "not_found") return { why, program: missingProgram(program, cwd) };
  if (why === "not_executable") return { why, program };
  return { why: "spawn_error", message: WORDS[code] ?? message ?? String(error) };
}

const WHY: Readonly<Record<string, "not_found" | "not_executable">> = {
  ENOENT: "not_found",
  ENOTDIR: "not_found",
  ELOOP: "not_found",
  ENAMETOOLONG: "not_found",
  EACCES: "not_executable",
  EPERM: "not_executable",
  EISDIR: "not_executable",
  ENOEXEC: "not_executable",
};

const WORDS: Readonly<Record<string, string>> = {
  E2BIG: "its arguments and environment are too large",
  EMFILE: "this program has too many files open",
  ENFILE: "the system has too many files open",
  EAGAIN: "the system allows no more processes",
  ENOMEM: "the system is short of memory",
  ETXTBSY: "its program is being written to",
};

/** A script that is there and cannot be found has a first line that names a program that is not. */
function missingProgram(program: string, cwd: string): string {
  const script = resolve(cwd, program);
  const interpreter = program.includes("/") && kindOf(script) === "other" ? shebangOf(script)?.[0] : undefined;
  if (interpreter === undefined) return program;
  const cause = interpreter.endsWith("\r") ? " (its lines end in CR LF)" : "";
  return `${interpreter.trimEnd()}, which the first line of ${program} names${cause}`;
}

function kindOf(path: string): "folder" | "other" | "missing" {
  return attempt(() => (statSync(path).isDirectory() ? "folder" : "other")) ?? "missing";
}

/** Does this if the program ends first; the returned function takes it back. For what must not outlive the program. */
export function atExit(act: () => void): () => void {
  if (acts.size === 0) process.on("exit", doAll);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size === 0) process.off("exit", doAll);
  };
}

function doAll(): void {
  for (const act of acts) act();
}

const acts = new Set<() => void>();

const MIB = 1024 * 1024;
const MAX_STDOUT = MIB;
const MAX_STDERR = MIB / 4;
const MAX_PRINTED = 16 * MIB;
const GRACE_MS = 2000;
const DRAIN_MS = 100;
