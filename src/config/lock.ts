import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { problems } from "../problem/problem.ts";

/**
 * Reads and writes in one go: nobody else who asks for the same lock comes between. A lock that was left behind by a
 * program that died is taken over.
 */
export function withLock<Result>(path: string, act: () => Result): Result {
  const lock = `${path}.lock`;
  makeFolder(dirname(path));
  const until = Date.now() + PATIENCE_MS;
  while (!take(lock)) {
    if (isLeft(lock)) release(lock);
    else if (Date.now() > until) throw PROBLEMS.locked({ lock });
    else Atomics.wait(CLOCK, 0, 0, 20);
  }
  try {
    return act();
  } finally {
    release(lock);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw PROBLEMS.noFolder(undefined, { place: { file: folder }, cause: error });
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isLeft(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > LEFT_AFTER_MS;
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Somebody else has taken it over.
  }
}

const PATIENCE_MS = 10_000;
const LEFT_AFTER_MS = 5_000;
const CLOCK = new Int32Array(new SharedArrayBuffer(4));

const PROBLEMS = problems("config", {
  noFolder: () => ({
    what: "This folder cannot be made: a file lies there, or on the way to it. Nothing was written.",
    fix: "Move that file away, and try again.",
  }),
  locked: ({ lock }: { lock: string }) => ({
    what: `Another program has been changing the hooks for a while: ${lock} is there.`,
    fix: "Try again; remove that folder if no such program runs.",
  }),
});
