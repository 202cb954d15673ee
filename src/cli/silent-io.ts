import type { Io } from "./io.ts";

/** A world for commands that are run for their own sake: nothing of what they say is kept. */
export function silentIo(): Io {
  return {
    out: () => {},
    err: () => {},
    write: () => {},
    isTerminal: false,
    hasColour: false,
    width: 100,
    cwd: process.cwd(),
    env: process.env,
  };
}
