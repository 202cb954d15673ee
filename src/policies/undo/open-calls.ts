import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateDir } from "../../fs/state-dir.ts";

/** A call of which something was kept and whose end has not been told yet. */
export interface OpenCall {
  /** The name of its file among the kept calls. */
  readonly name: string;
  readonly session_id?: string | undefined;
  readonly tool: string;
  readonly call_id?: string | undefined;
  /** A hash of its input, for agents that give calls no id. */
  readonly input: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the end of any call is waited for: one look at a folder that is mostly empty or not there. */
export function hasOpenCalls(env: Environment): boolean {
  return names(openFolder(env)).length > 0;
}

/** Remembers that the end of a call is of interest. */
export function openCall(env: Environment, { name, ...about }: OpenCall): void {
  writeFileSync(join(openFolder(env), name), JSON.stringify(about), { mode: 0o600 });
}

/** The calls that have not ended, the oldest first; those that never will are forgotten. */
export function openCalls(env: Environment, now = Date.now()): OpenCall[] {
  const folder = openFolder(env);
  return names(folder).flatMap((name) => {
    if (now - Number.parseInt(name, 36) > LONGEST_CALL_MS) {
      closeCall(env, name);
      return [];
    }
    try {
      return [{ ...JSON.parse(readFileSync(join(folder, name), "utf8")), name } as OpenCall];
    } catch {
      return [];
    }
  });
}

/** Forgets an open call. */
export function closeCall(env: Environment, name: string): void {
  rmSync(join(openFolder(env), name), { force: true });
}

/** The folder of open calls. */
function openFolder(env: Environment): string {
  return join(stateDir({ env }), "undo", "open");
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const LONGEST_CALL_MS = 30 * 60_000;
