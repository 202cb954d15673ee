import { chmodSync, rmSync, statSync } from "node:fs";
import { realPath } from "../fs/resolve-path.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import { problems } from "../problem/problem.ts";
import type { InstallContext } from "./install-context.ts";
import { forget, modeBefore, noteDown, wroteLast } from "./ledger.ts";
import { ownLines } from "./own-lines.ts";
import { type FileEdit, textOf } from "./settings-file.ts";

/** Writes a planned change, all at once, after its backup; throws what the system says when it may not. */
export function apply(change: FileEdit, around: Pick<InstallContext, "env">): void {
  const { agent, path, after, original, isProgram, isPrivate = false } = change;
  checkUntouched(change);
  if (after === undefined) {
    restore(change, around);
    return;
  }
  const before = modeBefore(path, around.env);
  const mode = isPrivate ? (before ?? modeOf(path)) : undefined;
  const takeBack = noteDown(path, { original, text: after, mode, lines: ownLines(after, agent, path) }, around.env);
  try {
    if (isPrivate) writePrivate(path, after);
    else writeAgain(path, after, before);
    if (isProgram) chmodSync(path, 0o755);
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** Records a file that already is as this version writes it, where another installation wrote it. */
export function adopt({ agent, path, after, original }: FileEdit, { env }: Pick<InstallContext, "env">): void {
  if (after === undefined || wroteLast(path, after, env)?.since !== undefined) return;
  noteDown(path, { original, text: after, mode: modeBefore(path, env), lines: ownLines(after, agent, path) }, env);
}

/** Writes a file as it was before Sluice came, and forgets it. */
export function restore(change: FileEdit, { env }: Pick<InstallContext, "env">): void {
  const { path, after } = change;
  checkUntouched(change);
  if (after === undefined) remove(path);
  else writeAgain(path, after, modeBefore(path, env));
  forget(path, env);
}

/** Writes what holds no secret; rights that others lost for the sake of one are given back, unless they were changed since. */
function writeAgain(path: string, text: string, mode: number | undefined): void {
  writeAtomic(path, text);
  if (mode !== undefined && modeOf(path) === PRIVATE) chmodSync(path, mode);
}

/** The rights of a file, or those that a new one gets. */
function modeOf(path: string): number {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined ? 0o666 & ~process.umask() : mode & 0o7777;
}

/** Agents write into their own files while they run: what they wrote since the plan was made is not lost. */
function checkUntouched({ path, before }: FileEdit): void {
  if (textOf(path) !== before) throw PROBLEMS.meanwhile({}, { place: { file: path } });
}

/** The rights come first: a secret is never there for others to read, not even for an instant. */
function writePrivate(path: string, text: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) chmodSync(path, PRIVATE);
  const mask = process.umask(0o077);
  try {
    writeAtomic(path, text);
  } finally {
    process.umask(mask);
  }
}

/** A link stays: what it leads to is what was written. */
function remove(path: string): void {
  rmSync(realPath(path), { force: true });
}

const PRIVATE = 0o600;

const PROBLEMS = problems("install", {
  meanwhile: (_: object) => ({
    what: "Another program wrote this file while the command ran. It is left as it is now.",
    fix: "Run the command again.",
  }),
});
