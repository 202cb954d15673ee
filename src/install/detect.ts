import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import type { InstallContext } from "./install-context.ts";

/** How an agent shows that it is used here. */
export interface DetectedAgent {
  readonly adapter: Adapter;
  /** Its program, where it is in the path. */
  readonly program: string | undefined;
  /** Traces of it in the home folder. */
  readonly traces: readonly string[];
}

/** The agents that this machine has: their programs in the path, or what they left in the home folder. */
export function detect(
  adapters: readonly Adapter[],
  { home, env }: Pick<InstallContext, "home" | "env">,
): DetectedAgent[] {
  return adapters
    .filter(({ recipe }) => recipe !== undefined)
    .map((adapter) => ({
      adapter,
      program: adapter.program === undefined ? undefined : inPath(adapter.program, env.PATH),
      traces: (adapter.recipe?.traces ?? []).filter((trace) => existsSync(join(home, trace))),
    }))
    .filter(({ program, traces }) => program !== undefined || traces.length > 0);
}

/** The program of that name that a shell would start. */
export function inPath(program: string, path = ""): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
