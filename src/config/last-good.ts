import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entryAt, statsAt } from "../fs/resolve-path.ts";
import { sha256 } from "../fs/sha256.ts";
import { ensurePrivateDir, stateDir, whyUnsafe } from "../fs/state-dir.ts";
import { isUnchanged } from "../fs/stat-cache.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import type { Loaded } from "./load-layers.ts";
import { locate } from "./locate.ts";

/**
 * Keeps a copy of each file of the user's own configuration that could be read, for a moment in which it cannot. A file that
 * changed since `began`, when the reading began, may be another one already.
 */
export function keepGood({ files, errors }: Pick<Loaded, "files" | "errors">, began: number): void {
  for (const { layer, path, state, pack } of files) {
    if (layer !== "user" || state !== "read" || pack !== undefined) continue;
    const before = statsAt(path);
    const copy = copyOf(path);
    const kept = statsAt(copy);
    if (before === undefined || before.size === 0 || before.mtimeMs > began - CLOCK_MS) continue;
    if (kept !== undefined && kept.mtimeMs > before.mtimeMs) continue;
    if (errors.some(({ place }) => place?.file === path)) continue;
    try {
      const text = readFileSync(path);
      if (isUnchanged(before, statsAt(path)) && ensurePrivateDir(dirname(copy))) writeAtomic(copy, text, "replace");
    } catch {
      // Without a copy the file itself is all there is.
    }
  }
}

/**
 * The last good texts of files of the user's own configuration that are gone, empty or torn since a moment ago: a program
 * is about to write them anew, or they are lost. Of a file that changed since `began` any part may have been read.
 */
export function justLost(
  { files, errors }: Pick<Loaded, "files" | "errors">,
  began: number,
): ReadonlyMap<string, string> {
  const lost = new Map<string, string>();
  if (statsAt(folder()) === undefined) return lost;
  for (const { path } of locate(undefined, ["user"])) {
    const isRead = files.some((file) => file.path === path && file.state === "read");
    const now = statsAt(path);
    const isWhole = now?.size !== 0 && (now === undefined || now.mtimeMs <= began - CLOCK_MS);
    const isGood = isRead && isWhole && !errors.some(({ place }) => place?.file === path);
    // It came back while the rest was read.
    const isBack = !files.some((file) => file.path === path) && statsAt(path) !== undefined;
    if (isGood || !(isBack || isYoung(path))) continue;
    const copy = copyOf(path);
    try {
      if (whyUnsafe(copy, "file") === undefined) lost.set(path, readFileSync(copy, "utf8"));
    } catch {
      // It has never been there.
    }
  }
  return lost;
}

/** How long a file counts as just lost. */
export const LOST_MS = 2000;

/** File systems round times. */
const CLOCK_MS = 20;

/** Whether a file, or the folder in which it is missing, changed a moment ago. */
function isYoung(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const entry = entryAt(at);
    if (entry !== undefined) return Math.abs(Date.now() - Math.max(entry.mtimeMs, entry.ctimeMs)) < LOST_MS;
    if (at === dirname(at)) return false;
  }
}

function copyOf(path: string): string {
  return join(folder(), sha256(path).slice(0, 32));
}

function folder(): string {
  return join(stateDir(), "last-good");
}
