import { chmodSync, realpathSync, rmSync, statSync } from "node:fs";
import { writeAtomic } from "../config/write-atomic.ts";
import { problems } from "../problem/problem.ts";
import { forget, noteDown } from "./ledger.ts";
import type { Change } from "./plan-file.ts";
import { textOf } from "./read-settings.ts";
import type { Surroundings } from "./surroundings.ts";

/** Writes a planned change, all at once, after its backup; throws what the system says when it may not. */
export function apply(change: Change, around: Pick<Surroundings, "env">): void {
  const { path, after, original, isProgram, isPrivate = false } = change;
  checkUntouched(change);
  if (after === undefined) {
    restore(change, around);
    return;
  }
  const takeBack = noteDown(path, original, after, around.env);
  try {
    if (isPrivate) writePrivate(path, after);
    else writeAtomic(path, after);
    if (isProgram) chmodSync(path, 0o755);
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** Writes a file as it was before Sluice came, and forgets it. */
export function restore(change: Change, { env }: Pick<Surroundings, "env">): void {
  const { path, after } = change;
  checkUntouched(change);
  if (after === undefined) remove(path);
  else writeAtomic(path, after);
  forget(path, env);
}

/** Agents write into their own files while they run: what they wrote since the plan was made is not lost. */
function checkUntouched({ path, before }: Change): void {
  if (textOf(path) !== before) throw PROBLEMS.meanwhile({}, { place: { file: path } });
}

/** The rights come first: a secret is never there for others to read, not even for a moment. */
function writePrivate(path: string, text: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) chmodSync(path, 0o600);
  const mask = process.umask(0o077);
  try {
    writeAtomic(path, text);
  } finally {
    process.umask(mask);
  }
}

/** A link stays: what it leads to is what was written. */
function remove(path: string): void {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  rmSync(isThere ? realpathSync(path) : path, { force: true });
}

const PROBLEMS = problems("install", {
  meanwhile: (_: object) => ({
    what: "Somebody wrote this file while the command ran. It is left as it is now.",
    fix: "Run the command again.",
  }),
});
