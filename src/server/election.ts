import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { engineStatus } from "./ask-engine.ts";
import type { Quarters } from "./quarters.ts";

/** Takes the right to start an engine, for a few seconds; whoever comes second does not get it. */
export function takeLock({ lock }: Quarters): boolean {
  if (isOld(lock)) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

/** Gives it back. */
export function releaseLock({ lock }: Quarters): void {
  rmSync(lock, { force: true });
}

/** Whether an engine answers already. */
export async function isServed(quarters: Quarters): Promise<boolean> {
  return (await engineStatus(quarters)) !== undefined;
}

/** Whoever held it so long has died. */
function isOld(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > LONGEST_START_MS;
}

const LONGEST_START_MS = 5000;
