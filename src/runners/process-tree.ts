import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The variable that marks everything a run starts, so that what left the process group is found too. */
export const RUN_MARK = "SLUICE_RUN";

/**
 * Ends a process and everything it started. The only place that knows how: a process group on POSIX,
 * on Linux also what carries the run's mark in another group, `taskkill` on Windows.
 */
export function endTree(pid: number, signal: "SIGTERM" | "SIGKILL", mark: string): void {
  if (process.platform === "win32") endWindowsTree(pid);
  else {
    send(-pid, signal);
    if (process.platform === "linux") for (const stray of strays(pid, mark)) send(stray, signal);
  }
}

/** Whether a group of its own makes sense here. */
export const OWN_GROUP = process.platform !== "win32";

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already: that is what was wanted.
  }
}

function endWindowsTree(pid: number): void {
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  killer.on("error", () => {});
  killer.unref();
}

/**
 * Processes that were born after `pid` and carry the mark. Most hooks start none: the kernel's last process id tells
 * that in one small read, and only younger processes are looked at.
 */
function strays(pid: number, mark: string): number[] {
  try {
    const newest = Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
    if (newest === pid) return [];
    const wrapped = newest < pid;
    return readdirSync("/proc")
      .map(Number)
      .filter((other) => other > 1 && other !== process.pid && (wrapped || other > pid) && carries(other, mark));
  } catch {
    return [];
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${RUN_MARK}=${mark}\0`);
  } catch {
    return false;
  }
}
