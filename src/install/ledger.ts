import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";

/** What Sluice last wrote into a file, and what was there before it came: the backup. */
export interface Installed {
  readonly path: string;
  /** Absent (`null`) when there was no file. */
  readonly original: string | null;
  /** The hash of what was written. */
  readonly wrote: string;
  /** The outermost folder that had to be made for it. */
  readonly madeFolder?: string | undefined;
  /** The rights that others lost while the file holds a secret, to be given back with what was there. */
  readonly mode?: number | undefined;
  /** The command lines in it that start Sluice. */
  readonly lines?: readonly string[] | undefined;
  /** When these lines were written first, ISO 8601. */
  readonly since?: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The note about a file, if what it says now is what Sluice wrote last. */
export function wroteLast(path: string, text: string, env: Env): Installed | undefined {
  const note = noteFor(path, env);
  return note?.wrote === hash(text) ? note : undefined;
}

/** Whether Sluice wrote a file and it was changed since. */
export function wasChanged(path: string, text: string, env: Env): boolean {
  const note = noteFor(path, env);
  return note !== undefined && note.wrote !== hash(text);
}

/**
 * Whether this installation wrote a command line into a file, byte for byte. A script is its own command line, so all of
 * its text has to be as it was written.
 */
export function wroteLine(
  path: string,
  { text, line }: { readonly text: string; readonly line: string },
  env: Env,
): boolean {
  if (wroteLast(path, text, env) !== undefined) return true;
  return !text.startsWith("#!") && (noteFor(path, env)?.lines?.includes(line) ?? false);
}

/** When the lines of a file were written that start Sluice: undefined if this installation wrote none. */
export function writtenSince(path: string, env: Env): string | undefined {
  return noteFor(path, env)?.since;
}

/** The rights that a file had before it became its owner's alone. */
export function modeBefore(path: string, env: Env): number | undefined {
  return noteFor(path, env)?.mode;
}

/** Every file that Sluice has written to and not been taken out of, in all projects. */
export function installedFiles(env: Env): string[] {
  return notes(env).map(({ path }) => path);
}

/** The path of the backup of a file. */
export function backupPath(path: string, env: Env): string {
  return join(installedFolder(env), `${hash(path).slice(0, 32)}.json`);
}

/** What is about to be written into a file. */
interface Written {
  readonly original: string | undefined;
  readonly text: string;
  readonly mode?: number | undefined;
  readonly lines?: readonly string[];
}

/**
 * Notes what is about to be written, so that it can be taken back byte for byte. What it gives back undoes the note, for
 * a file that could not be written after all.
 */
export function noteDown(path: string, { original, text, mode, lines = [] }: Written, env: Env): () => void {
  const before = noteFor(path, env);
  const isSame = before?.lines?.join("\n") === lines.join("\n");
  const since = isSame && before?.since !== undefined ? before.since : new Date().toISOString();
  const made = mkdirSync(dirname(path), { recursive: true });
  makePrivateDir(installedFolder(env));
  const madeFolder = madeAround(path, env) ?? before?.madeFolder ?? made;
  write({ path, original: original ?? null, wrote: hash(text), madeFolder, mode, lines, since }, env);
  return () => {
    forget(path, env);
    if (before !== undefined) write(before, env);
  };
}

/** Forgets a file that Sluice no longer writes to, with the folders that were made for it and are empty now. */
export function forget(path: string, env: Env): void {
  const { madeFolder } = noteFor(path, env) ?? {};
  rmSync(backupPath(path, env), { force: true });
  if (madeFolder === undefined) return;
  for (let folder = dirname(path); `${folder}/`.startsWith(`${madeFolder}/`); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      // Another program has put something into it.
      return;
    }
  }
}

/** The outermost folder that was made for another file and holds this one too: who goes last takes it away. */
function madeAround(path: string, env: Env): string | undefined {
  return notes(env)
    .flatMap(({ madeFolder }) => madeFolder ?? [])
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((one, other) => one.length - other.length)[0];
}

function notes(env: Env): Installed[] {
  const folder = installedFolder(env);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => read(join(folder, name)) ?? []);
}

function write(note: Installed, env: Env): void {
  writeFileSync(backupPath(note.path, env), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

function noteFor(path: string, env: Env): Installed | undefined {
  return read(backupPath(path, env));
}

function read(note: string): Installed | undefined {
  return attempt(() => JSON.parse(readFileSync(note, "utf8")) as Installed);
}

function installedFolder(env: Env): string {
  return join(stateDir({ env }), "installed");
}

function hash(text: string): string {
  return sha256Text(text);
}
