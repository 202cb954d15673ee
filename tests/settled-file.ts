import { statSync, utimesSync, writeFileSync } from "node:fs";

/** Writes a file as if a minute ago: a configuration that has just been written is read a second time a moment later. */
export function writeSettled(path: string, text: string, mode = 0o644): void {
  writeFileSync(path, text, { mode });
  settle(path);
}

/** Makes a file or a folder look as if it had last changed a minute ago, where there is one. */
export function settle(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(path, minuteAgo, minuteAgo);
}
