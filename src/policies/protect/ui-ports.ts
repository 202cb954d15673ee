import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookEvent } from "../../event/event.ts";
import { toJsonText } from "../../event/json.ts";
import { makePrivateDir, stateDir, type StateHome } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { readRegularText } from "../../fs/regular-file.ts";

/** Keeps the port at which this process serves the pages of `sluice ui`; what comes back forgets it again. */
export function announceUiPort(port: number, where: StateHome): () => void {
  const folder = folderIn(where);
  makePrivateDir(folder);
  const file = join(folder, String(process.pid));
  writePrivate(file, `${port}\n`);
  return () => {
    rmSync(file, { force: true });
    try {
      rmdirSync(folder);
    } catch {}
  };
}

/**
 * The port of a running `sluice ui` that a call names, in a command line, a script or an address. No agent has business
 * there: its pages show other agents' calls, and a person changes the policy in them.
 */
export function reachedUiPort(event: HookEvent, where: StateHome): number | undefined {
  const ports = runningUiPorts(where);
  if (ports.length === 0) return undefined;
  const text = toJsonText(event.data);
  return ports.find((port) => new RegExp(`(?<!\\d)0*${port}(?!\\d)`).test(text));
}

/** The ports of all processes that serve the pages now. Most machines have none, and then there is no folder. */
function runningUiPorts(where: StateHome): number[] {
  try {
    const folder = folderIn(where);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder).flatMap((pid) => {
      if (!isRunning(Number(pid))) return [];
      const port = Number(readRegularText(join(folder, pid)));
      return Number.isInteger(port) && port > 0 ? [port] : [];
    });
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function folderIn(where: StateHome): string {
  return join(stateDir(where), "ui");
}
