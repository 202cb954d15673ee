import { handOverLockFile, releaseLockFile, takeLockFile } from "../fs/lock.ts";
import { engineStatus } from "./ask-engine.ts";
import type { Quarters } from "./quarters.ts";

/** Takes the right to start an engine, for a few seconds; whoever comes second does not get it. */
export function takeLock({ lock }: Quarters): boolean {
  try {
    return takeLockFile(lock, LONGEST_START_MS);
  } catch {
    return false;
  }
}

/** Leaves that right to the process that was started for it, which outlives this one. */
export function handOverLock({ lock }: Quarters, pid: number | undefined): void {
  if (pid !== undefined) handOverLockFile(lock, pid);
}

/** Gives it back; a lock that belongs to another process stays. */
export function releaseLock({ lock }: Quarters): void {
  releaseLockFile(lock);
}

/** Whether an engine answers already. */
export async function isServed(quarters: Quarters): Promise<boolean> {
  return (await engineStatus(quarters)) !== undefined;
}

const LONGEST_START_MS = 5000;
