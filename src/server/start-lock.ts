import { attempt } from "../event/attempt.ts";
import { handOverLockFile, isLockFileHeld, releaseLockFile, takeLockFile } from "../fs/lock.ts";
import type { RuntimeDir } from "./runtime-dir.ts";

/** Takes the right to start a daemon, for a few seconds; false where another process has it. */
export function takeStartLock({ lock }: RuntimeDir): boolean {
  return attempt(() => takeLockFile(lock, MAX_START_MS)) ?? false;
}

/** Whether a daemon is just starting. */
export function isStarting({ lock }: RuntimeDir): boolean {
  return isLockFileHeld(lock, MAX_START_MS);
}

/** Passes that right to the process that was started with it, which outlives this one. */
export function passStartLock({ lock }: RuntimeDir, pid: number | undefined): void {
  if (pid !== undefined) handOverLockFile(lock, pid);
}

/** Gives it back; a lock that belongs to another process stays. */
export function releaseStartLock({ lock }: RuntimeDir): void {
  releaseLockFile(lock);
}

const MAX_START_MS = 5000;
