import { utimesSync, writeFileSync } from "node:fs";

/** Writes a file as if a minute ago: a configuration that has just been written is read a second time a moment later. */
export function writeSettled(path: string, text: string, mode = 0o644): void {
  writeFileSync(path, text, { mode });
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(path, minuteAgo, minuteAgo);
}
