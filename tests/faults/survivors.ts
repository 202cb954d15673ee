import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The processes that carry a mark in their environment, and still do after a second. */
export async function survivors(mark: string): Promise<string[]> {
  let alive = process.platform === "linux" ? inProc(mark) : await inList(mark);
  for (let look = 0; alive.length > 0 && look < 20; look++) {
    await sleep(50);
    alive = process.platform === "linux" ? inProc(mark, alive) : await inList(mark);
  }
  return alive;
}

function inProc(mark: string, pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))): string[] {
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
