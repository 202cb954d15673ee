import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory, with those above it. One that is there keeps its permissions. Node's own recursive `mkdir` never ends
 * below `/proc`, where nothing can be made.
 */
export function makeDir(path: string, mode = 0o777): void {
  if (isDir(path)) return;
  if (dirname(path) !== path) makeDir(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster. Of a symlink that leads nowhere `stat` says that nothing is there.
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
