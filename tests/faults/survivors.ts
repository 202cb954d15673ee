import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The processes that carry a mark in their environment, and still do after a second; those that were there `before` cannot. */
export async function survivors(mark: string, before: ReadonlySet<string>): Promise<string[]> {
  const since = [...processes()].filter((pid) => !before.has(pid));
  let alive = process.platform === "linux" ? inProc(mark, since) : await inList(mark);
  for (let look = 0; alive.length > 0 && look < 20; look++) {
    await sleep(50);
    alive = process.platform === "linux" ? inProc(mark, alive) : await inList(mark);
  }
  return alive;
}

/** All processes at this moment, where the system shows them as files. */
export function processes(): ReadonlySet<string> {
  return new Set(process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []);
}

function inProc(mark: string, pids: readonly string[]): string[] {
  return pids.filter((pid) => read(`/proc/${pid}/environ`).includes(mark));
}

async function inList(mark: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-AwwE", "-o", "pid,command"]);
  return stdout.split("\n").filter((line) => line.includes(mark));
}

/** Of a process that has ended, or is another user's, nothing. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
