import { dirname } from "node:path";
import { whileLocked } from "../fs/lock.ts";
import { makeDir } from "../fs/make-dir.ts";
import { problems } from "../problem/problem.ts";

/** Reads and writes a user's file in one go: no other process of Sluice changes it in between. Makes its folder. */
export function changeFile<Result>(path: string, change: () => Result): Result {
  const lock = `${path}.lock`;
  makeFolder(dirname(path));
  const done = whileLocked(lock, () => ({ result: change() }), PATIENCE_MS);
  if (done === undefined) throw PROBLEMS.locked({ lock });
  return done.result;
}

function makeFolder(folder: string): void {
  try {
    makeDir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw PROBLEMS.folderNotMade(undefined, { place: { file: folder }, cause: error });
  }
}

const PATIENCE_MS = 10_000;

const PROBLEMS = problems("config", {
  folderNotMade: () => ({
    what: "This folder cannot be created: there is a file at this path, or on the way to it. Nothing was written.",
    fix: "Move that file away, and try again.",
  }),
  locked: ({ lock }: { lock: string }) => ({
    what: `Another program has been changing the hooks for a while: ${lock} is there.`,
    fix: "Try again; remove that file if no such program runs.",
  }),
});
