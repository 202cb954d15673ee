import { statSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "../event/attempt.ts";
import type { HookEvent } from "../event/event.ts";
import { homeDir } from "../fs/home-dir.ts";
import type { Hook } from "../hook/hook.ts";

/**
 * Where a hook runs: its own folder, else the event's, else the executor's, else where this process is. An agent may have
 * lost its working directory; its hooks continue in the executor's.
 */
export function workingDirectory(hook: Hook, event: HookEvent, executors: string | undefined): string {
  const base = (isLost(event.cwd, executors) ? executors : event.cwd || executors) || currentDirectory();
  return resolve(base, fromHome(hook.workingDir ?? ""));
}

function isLost(cwd: string | undefined, executors: string | undefined): boolean {
  return Boolean(cwd && executors) && cwd !== executors && !isFolder(cwd) && isFolder(executors);
}

function isFolder(path = ""): boolean {
  return attempt(() => statSync(path).isDirectory()) ?? false;
}

/** A path a person wrote: `~` is the home folder. */
export function fromHome(path: string): string {
  return path.replace(/^~(?=[/\\]|$)/, () => homeDir());
}

/** A process whose folder was deleted has none; a path that cannot exist makes the run report that. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return resolve("/", "deleted working directory");
  }
}
