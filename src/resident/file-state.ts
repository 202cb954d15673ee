import { type BigIntStats, statSync } from "node:fs";

/** A text that changes whenever a file does, appears or goes away. Its last part is when it changed, in nanoseconds. */
export function fileState(path: string): string {
  const stats = statsOf(path);
  if (stats === undefined) return "none";
  const { dev, ino, mode, uid, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, uid, size, mtimeNs, ctimeNs].join(" ");
}

/** When a file changed last, in milliseconds; 0 for what is not there. */
export function changedAt(path: string): number {
  const stats = statsOf(path);
  if (stats === undefined) return 0;
  const { mtimeNs, ctimeNs } = stats;
  return Math.max(Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n));
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Below a file there is nothing, and what may not be looked at stays that way until its folder changes.
    return undefined;
  }
}
