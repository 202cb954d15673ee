import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../fs/regular-file.ts";
import { isPrivate, type RuntimeDir } from "./runtime-dir.ts";

/**
 * The milliseconds that starting node costs a call which then does nothing: the least of several. It is measured once for a
 * version of node and kept in the runtime directory, so that the same calls always add up to the same sum.
 */
export function costOfStart({ folder }: Pick<RuntimeDir, "folder">): number {
  const path = join(folder, NAME);
  const kept = read(path);
  if (kept !== undefined) return kept;
  const ms = Math.max(1, Math.floor(Math.min(...Array.from({ length: TIMES }, startOnce))));
  try {
    writeFileSync(path, `${process.version} ${ms}\n`, { mode: 0o600 });
  } catch {
    // Without the runtime directory no daemon has saved anything yet.
  }
  return ms;
}

function read(path: string): number | undefined {
  try {
    const [version, ms] = isPrivate(path) ? readRegularFile(path).toString("latin1").trim().split(" ") : [];
    return version === process.version && Number(ms) > 0 ? Number(ms) : undefined;
  } catch {
    return undefined;
  }
}

function startOnce(): number {
  const began = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { stdio: "ignore" });
  return performance.now() - began;
}

const NAME = "start";
const TIMES = 5;
