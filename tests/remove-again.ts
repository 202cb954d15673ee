import fs, { mkdirSync, renameSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/**
 * A test's own folder is put aside as a whole, and removed with all others when the run ends: to remove some ten thousand files
 * one by one takes seconds. What a test removes elsewhere may still be written to: a daemon that is leaving, a hook that nothing
 * waits for. Node's own `maxRetries` tries only the folder again, not what has come into it.
 */
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  if (options?.recursive && typeof path === "string" && dirname(path) === FOLDER && wasPutAside(path)) return;
  for (let turn = 0; ; turn++)
    try {
      return rmSync(path, options);
    } catch (error) {
      const isFilled = options?.recursive && (error as NodeJS.ErrnoException).code === "ENOTEMPTY";
      if (!isFilled || turn === MAX_TURNS) throw error;
      Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
    }
};
syncBuiltinESMExports();

function wasPutAside(path: string): boolean {
  try {
    mkdirSync(ASIDE, { recursive: true });
    renameSync(path, join(ASIDE, `${count++}-${basename(path)}`));
    return true;
  } catch {
    return false;
  }
}

const FOLDER = tmpdir();
const ASIDE = join(FOLDER, `removed-${process.pid}`);
let count = 0;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const [MAX_TURNS, PAUSE_MS] = [100, 50];
