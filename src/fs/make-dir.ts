import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Creates a directory and its parents. An existing one keeps its mode. Node's recursive `mkdir` never returns below `/proc`. */
export function makeDir(path: string, mode = 0o777): void {
  if (isDir(path)) return;
  if (dirname(path) !== path) makeDir(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it. `stat` does not see a dangling symlink.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

function isDir(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
