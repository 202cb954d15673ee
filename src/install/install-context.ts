import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import type { EventName } from "../event/catalogue.ts";

/** Where agents keep their settings, and how they reach us. */
export interface InstallContext {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start the running command. */
  readonly sluice: readonly string[];
  /** The program that asks the daemon before it starts the command; only this user can read it. */
  readonly client?: string | undefined;
  /** Where the daemon answers over HTTP, where agents are to post what they can. */
  readonly http?: { readonly port: number; readonly secret: string } | undefined;
  /** The system that the settings are for; this one where it is left out. */
  readonly platform?: NodeJS.Platform | undefined;
  /** The words that start the MCP server. */
  readonly mcp: readonly string[];
  readonly isMatched: (event: EventName) => boolean;
}

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
