import { isAbsolute } from "node:path";
import type { Native } from "../adapters/read-call.ts";
import { configuredRoot, repositoryOf } from "../config/root.ts";
import type { HookEvent } from "../event/event.ts";
import type { Io } from "./io.ts";

/**
 * The project whose hooks hold for a call: what the agent says it works on, then the folder that it started us in, then
 * the folder of the call itself, which a command may have left. The first with hooks of its own wins.
 */
export function projectOf({ adapter, payload }: Native, { cwd }: HookEvent, io: Pick<Io, "cwd" | "env">): string {
  const folders: string[] = [];
  for (const name of adapter.projectVariables ?? []) add(folders, io.env[name]);
  add(folders, adapter.projectOf?.(payload));
  add(folders, io.cwd);
  add(folders, cwd);
  const seen = new Map<string, readonly string[]>();
  for (const folder of folders) {
    const root = configuredRoot(folder, seen);
    if (root !== undefined) return root;
  }
  return repositoryOf(folders.find((folder) => folder !== io.cwd) ?? io.cwd, seen);
}

function add(folders: string[], path: string | undefined): void {
  if (path !== undefined && isAbsolute(path) && !folders.includes(path)) folders.push(path);
}
