import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";

/** Claims a name for a process; false if it is taken. The claim is a symlink, which is created in one step with its content. */
export function makeClaim(path: string, states: string): boolean {
  try {
    symlinkSync(states, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The content of a claim; empty if there is none. */
export function readClaim(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Milliseconds since a claim, or a file beside it, was created; undefined if it does not exist. */
export function claimAge(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : Date.now() - stats.mtimeMs;
}

/** Removes a claim, or a file beside it. */
export function removeClaim(path: string): void {
  rmSync(path, { force: true });
}
