import type { Frame, Reader } from "./reader.ts";

/** Runs what was left to be run when this shell ends. */
export function runTraps(frame: Frame, reader: Reader): void {
  if (frame.shell.traps.length === 0) return;
  for (const text of frame.shell.traps.splice(0)) reader.runText(text, { ...frame, depth: frame.depth + 1 });
}
