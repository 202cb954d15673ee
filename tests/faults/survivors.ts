import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The processes that carry a mark in their environment, and still do after a second. */
export async function survivors(mark: string): Promise<string[]> {
  let alive = process.platform === "linux" ? await inProc(mark) : await inList(mark);
  for (let look = 0; alive.length > 0 && look < 20; look++) {
    await sleep(50);
    alive = process.platform === "linux" ? await inProc(mark, alive) : await inList(mark);
  }
  return alive;
}

async function inProc(mark: string, pids?: readonly string[]): Promise<string[]> {
  const alive: string[] = [];
  for (const pid of pids ?? (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    if ((await read(`/proc/${pid}/environ`)).includes(mark)) alive.push(pid);
  }
  return alive;
}

async function inList(mark: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-AwwE", "-o", "pid,command"]);
  return stdout.split("\n").filter((line) => line.includes(mark));
}

function read(file: string): Promise<string> {
  return readFile(file, "latin1").catch(() => "");
}
