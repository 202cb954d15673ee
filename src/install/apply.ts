import { chmodSync, realpathSync, rmSync, statSync } from "node:fs";
import { writeAtomic } from "../config/write-atomic.ts";
import { forget, noteDown } from "./ledger.ts";
import type { Change } from "./plan-file.ts";
import type { Surroundings } from "./surroundings.ts";

/** Writes a planned change, all at once, after its backup; throws what the system says when it may not. */
export function apply(change: Change, around: Pick<Surroundings, "env">): void {
  const { path, after, original, isProgram } = change;
  if (after === undefined) {
    restore(change, around);
    return;
  }
  const takeBack = noteDown(path, original, after, around.env);
  try {
    writeAtomic(path, after);
    if (isProgram) chmodSync(path, 0o755);
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** Writes a file as it was before Sluice came, and forgets it. */
export function restore({ path, after }: Change, { env }: Pick<Surroundings, "env">): void {
  if (after === undefined) remove(path);
  else writeAtomic(path, after);
  forget(path, env);
}

/** A link stays: what it leads to is what was written. */
function remove(path: string): void {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  rmSync(isThere ? realpathSync(path) : path, { force: true });
}
