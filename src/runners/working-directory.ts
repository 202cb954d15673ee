import { homedir } from "node:os";
import { resolve } from "node:path";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";

/** Where a hook runs: its own folder, else the event's, else the executor's, else where this process is. */
export function workingDirectory(hook: Hook, event: HookEvent, executors: string | undefined): string {
  const base = event.cwd || executors || currentDirectory();
  return resolve(base, fromHome(hook.workingDir ?? ""));
}

/** A path a person wrote: `~` is the home folder. */
export function fromHome(path: string): string {
  return path.replace(/^~(?=[/\\]|$)/, () => homedir());
}

/** A process whose folder was deleted has none; a path that cannot exist makes the run say so. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return resolve("/", "deleted working directory");
  }
}
