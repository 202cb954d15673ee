import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { attempt } from "../event/attempt.ts";
import { milliseconds } from "../event/clock.ts";

type Signal = "SIGTERM" | "SIGKILL";

/** Whether a group of its own makes sense here. */
export const OWN_GROUP = process.platform !== "win32";

/**
 * Ends a process and everything it started. The only place that knows how: a process group on POSIX,
 * on Linux also what carries the run's mark in another group, `taskkill` on Windows.
 */
export function endTree(run: HookRun, signal: Signal, hasExited: boolean): void {
  switch (process.platform) {
    case "win32":
      // The number of a process that is gone may belong to a stranger, and nothing leads from it to its children.
      if (!hasExited) endWindowsTree(run.pid);
      break;
    case "linux":
      if (hasExited && isNewest(run)) break;
      send(-run.pid, signal);
      endStrays(run, signal);
      break;
    default:
      send(-run.pid, signal);
  }
}

/** The arguments of `taskkill`: the whole tree, by force, because there is no gentler way for consoles. */
export function taskkillArguments(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}

/** An escaped process can start another during the search, so this continues until no new one is found. */
function endStrays(run: HookRun, signal: Signal): void {
  const told = new Set([-run.pid]);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const targets = targetsOf(findEscapedProcesses(run)).filter((target) => !told.has(target));
    if (targets.length === 0) return;
    for (const target of targets) {
      told.add(target);
      send(target, signal);
    }
  }
}

/** Each process gets one signal: through its group if the group's leader is one of them, as then all members are. */
function targetsOf(escaped: readonly EscapedProcess[]): number[] {
  const pids = new Set(escaped.map(({ pid }) => pid));
  return [...new Set(escaped.map(({ pid, group }) => (pids.has(group) ? -group : pid)))];
}

/** A stopped process handles no signal but KILL until it is continued. */
function send(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
    if (signal === "SIGTERM") process.kill(pid, "SIGCONT");
  } catch {
    // It is gone already: that is what was wanted.
  }
}

function endWindowsTree(pid: number): void {
  const killer = spawn("taskkill", taskkillArguments(pid), { stdio: "ignore", windowsHide: true });
  killer.on("error", () => {});
  killer.unref();
}

/** A process that was started as the head of its own group, and how to recognise what it started. */
interface HookRun {
  readonly pid: number;
  /** The variable is in the environment of everything that the process starts. */
  readonly mark: string;
  /** When it was started, on the clock of `milliseconds()`. */
  readonly startedAt: number;
}

/** The variable that marks everything a run starts, so that what left the process group is found too. */
export const RUN_MARK = "SLUICE_RUN";

/** The value of the variable: a run inside a run carries both marks, so that ending the outer finds the inner. */
export function markValue(outer: string | undefined, mark: string): string {
  return outer !== undefined && /^[0-9a-f.]{1,200}$/.test(outer) ? `${outer}.${mark}` : mark;
}

/** A mark that no other run has, in this program or in any other. */
export function newMark(): string {
  program ??= randomBytes(8).toString("hex");
  runs++;
  return `${program}${runs.toString(16).padStart(8, "0")}`;
}

let program: string | undefined;
let runs = 0;

/** Whether no process at all was started since: then nothing is left of a run whose own process has ended. */
function isNewest({ pid, startedAt }: HookRun): boolean {
  return attempt(() => newestProcess() === pid && milliseconds() - startedAt < safeFromWrap()) ?? false;
}

/** A process that carries a run's mark outside the run's own group. */
interface EscapedProcess {
  readonly pid: number;
  readonly group: number;
}

/**
 * Processes that a run has started, that left its group and that carry its mark, as Linux shows them. Only processes
 * younger than the run are looked at.
 */
export function findEscapedProcesses(run: HookRun): EscapedProcess[] {
  const escaped: EscapedProcess[] = [];
  try {
    let open = candidates(run).filter((pid) => pid !== process.pid);
    for (let attempt = 0; open.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) Atomics.wait(CLOCK, 0, 0, 1);
      open = open.filter((pid) => {
        const environ = readProc(pid, "environ");
        if (environ === "") return isStarting(statOf(pid));
        if (environ?.includes(run.mark) && isMarked(environ, run.mark)) escaped.push({ pid, group: statOf(pid).group });
        return false;
      });
    }
  } catch {
    // Where nothing can be seen, the process group is all there is.
  }
  return escaped.filter(({ group }) => group !== run.pid);
}

/** Process ids grow until they wrap; after a wrap, or where one may have gone unseen, any id may be younger. */
function candidates({ pid, startedAt }: HookRun): number[] {
  const newest = newestProcess();
  const isUnwrapped = newest >= pid && milliseconds() - startedAt < safeFromWrap();
  if (isUnwrapped && newest - pid <= FEW) return Array.from({ length: newest - pid }, (_, index) => pid + 1 + index);
  return readdirSync("/proc")
    .map(Number)
    .filter((other) => other > 1 && (!isUnwrapped || other > pid));
}

/** The id that was given out last; every run asks, so it is read without anything a file would need besides. */
function newestProcess(): number {
  const descriptor = openSync("/proc/loadavg", "r");
  try {
    const line = LINE.toString("latin1", 0, readSync(descriptor, LINE, 0, LINE.length, 0));
    return Number(line.slice(line.lastIndexOf(" ") + 1));
  } finally {
    closeSync(descriptor);
  }
}

/** Milliseconds in which no machine starts as many processes as there are ids: five a millisecond would be a record. */
function safeFromWrap(): number {
  safeMs ??= Number(readFileSync("/proc/sys/kernel/pid_max", "latin1")) / 5;
  return safeMs;
}

let safeMs: number | undefined;

function isMarked(environ: string, mark: string): boolean {
  const variable = environ.split("\0").find((text) => text.startsWith(`${RUN_MARK}=`));
  return (
    variable
      ?.slice(RUN_MARK.length + 1)
      .split(".")
      .includes(mark) ?? false
  );
}

/** A program that is just being loaded has no environment yet; one that ends, or the kernel's own, does not have one any more. */
function isStarting({ state, flags }: Stat): boolean {
  return state !== "" && !"ZXx".includes(state) && (flags & (EXITING | KERNEL_THREAD)) === 0;
}

interface Stat {
  /** One letter; undefined if the process is gone. */
  readonly state: string;
  readonly group: number;
  readonly flags: number;
}

/** After the program's name, which may hold anything: state, parent, group, session, terminal, its group, flags. */
function statOf(pid: number): Stat {
  const line = readProc(pid, "stat") ?? "";
  const [state = "", , group, , , , flags] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return { state, group: Number(group ?? 0), flags: Number(flags ?? 0) };
}

function readProc(pid: number, file: "environ" | "stat"): string | undefined {
  return attempt(() => readFileSync(`/proc/${pid}/${file}`, "latin1"));
}

const LINE = Buffer.alloc(128);
const FEW = 32;
const MAX_ATTEMPTS = 30;
/** Bits of the `flags` in `/proc/<pid>/stat`. */
const EXITING = 0x4;
const KERNEL_THREAD = 0x200000;
const CLOCK = new Int32Array(new SharedArrayBuffer(4));

const MAX_PASSES = 20;
