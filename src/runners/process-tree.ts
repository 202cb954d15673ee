import { spawn } from "node:child_process";
import { findEscapedProcesses, isNewest, type HookRun, type EscapedProcess } from "./escaped-processes.ts";

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

/** What `taskkill` is told: the whole tree, by force, because it knows no gentler way for consoles. */
export function taskkillArguments(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}

/** A stray can start another while it is looked for, so this goes on until no new one is seen. */
function endStrays(run: HookRun, signal: Signal): void {
  const told = new Set([-run.pid]);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const targets = targetsOf(findEscapedProcesses(run)).filter((target) => !told.has(target));
    if (targets.length === 0) return;
    for (const target of targets) {
      told.add(target);
      send(target, signal);
    }
  }
}

/** Each process is told once: by its group where the group's head is one of them, as then all its members are. */
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

const MOST_PASSES = 20;
