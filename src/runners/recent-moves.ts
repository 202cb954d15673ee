import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256Text } from "../fs/late-builtins.ts";
import { isWithin } from "../fs/resolve-path.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";

/** Remembers where a session has moved files of its project to: what is removed there is gone all the same. */
export function rememberMoves(paths: readonly string[], sessionId: string | undefined, now = Date.now()): void {
  const file = fileOf(sessionId);
  try {
    makePrivateDir(join(stateDir(), FOLDER));
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) rmSync(file, { force: true });
    appendFileSync(file, paths.map((path) => `${now} ${JSON.stringify(path)}\n`).join(""), { mode: 0o600 });
  } catch {
    // What was moved was kept, or a person agreed to it; only the reminder is missing.
  }
}

/** Whether a session has moved something of its project to a path, or into it, shortly before. */
export function movedHere(path: string, sessionId: string | undefined, now = Date.now()): boolean {
  const file = fileOf(sessionId);
  if (!existsSync(file)) return false;
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .some((line) => {
        const blank = line.indexOf(" ");
        if (blank < 0 || now - Number(line.slice(0, blank)) > REMEMBERED_MS) return false;
        const moved = String(JSON.parse(line.slice(blank + 1)));
        return isWithin(path, moved) || isWithin(moved, path);
      });
  } catch {
    return false;
  }
}

function fileOf(sessionId = ""): string {
  return join(stateDir(), FOLDER, sha256Text(sessionId).slice(0, 24));
}

const FOLDER = "moved";
const REMEMBERED_MS = 60 * 60_000;
const MOST_BYTES = 64 * 1024;
