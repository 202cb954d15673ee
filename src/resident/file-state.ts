import { statsAt } from "../trust/real-path.ts";

/**
 * A text that changes whenever a file does, appears or goes away. Below a file there is nothing, and what may not be looked at
 * stays that way until its folder changes.
 */
export function fileState(path: string): string {
  const stats = statsAt(path);
  if (stats === undefined) return NO_FILE;
  const { dev, ino, mode, uid, size, mtimeMs, ctimeMs } = stats;
  return `${dev} ${ino} ${mode} ${uid} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** The state of what is not there. */
export const NO_FILE = "none";

/** When a file changed last, in milliseconds; 0 for what is not there. */
export function changedAt(path: string): number {
  const stats = statsAt(path);
  if (stats === undefined) return 0;
  return Math.max(stats.mtimeMs, stats.ctimeMs);
}
