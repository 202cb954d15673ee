import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { entryAt } from "../fs/resolve-path.ts";
import { ensurePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { unsafeFolderProblem, unsafeStateProblem } from "./private-approvals.ts";

/** Where state is stored, and the project that must not contain it. */
export interface StatePlace extends StateHome {
  readonly root: string;
}

/** The JSON in a file of the state, such as `protect/pause.json`; undefined if it is missing or damaged, or another user could have written it. */
export function readState(name: string, { root, ...home }: StatePlace): unknown {
  const path = join(stateDir(home), name);
  // Most of these files are missing most of the time.
  if (entryAt(path) === undefined) return undefined;
  if (unsafeFolderProblem(dirname(path), root) ?? unsafeStateProblem(path, "file")) return undefined;
  return attempt(() => JSON.parse(readRegularText(path)));
}

/** Writes a file there, for its owner alone; returns whether it could. */
export function writeState(name: string, value: object, home: StateHome): boolean {
  const path = join(stateDir(home), name);
  if (!ensurePrivateDir(dirname(path))) return false;
  writePrivate(path, `${JSON.stringify(value)}\n`);
  return true;
}

/** Removes a file there; true for the one process that removed it. */
export function removeState(name: string, home: StateHome): boolean {
  try {
    rmSync(join(stateDir(home), name));
    return true;
  } catch {
    return false;
  }
}
