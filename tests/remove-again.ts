import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * What a test removes behind itself may still be written to: a daemon that is leaving, a hook that nothing waits for. Node's
 * own `maxRetries` tries only the folder again, not what has come into it.
 */
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  for (let turn = 0; ; turn++)
    try {
      return rmSync(path, options);
    } catch (error) {
      const isFilled = options?.recursive && (error as NodeJS.ErrnoException).code === "ENOTEMPTY";
      if (!isFilled || turn === MOST_TURNS) throw error;
      Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
    }
};
syncBuiltinESMExports();
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const [MOST_TURNS, PAUSE_MS] = [100, 50];
