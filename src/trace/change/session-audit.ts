import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../fs/read-once.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { createFile, writePrivate } from "../../fs/write-atomic.ts";
import { redactor, secretsIn } from "../redact.ts";
import { type Unexplained, unexplainedChanges } from "./audit.ts";
import { tracePaths } from "./trace-paths.ts";
import type { Traced, TracedSession } from "./traced.ts";

/** Which files changed during a session without a recorded call, for its user to read; undefined if there are none. */
export function auditAtEnd(traced: Traced, session: TracedSession): string | undefined {
  const { state } = tracePaths(traced);
  const started = startedSession(state, session);
  const words = wordsAbout(newlyFound(traced, started?.at, started?.told ?? []));
  forgetStart(state, session);
  keepForNext(traced, state, words);
  return words;
}

/** The same after each turn, for agents that never report the end of a session: files that were reported before are not reported again. */
export function auditAfterTurn(traced: Traced, session: TracedSession): string | undefined {
  const { state } = tracePaths(traced);
  const started = startedSession(state, session);
  if (started === undefined) return undefined;
  const files = newlyFound(traced, started.at, started.told);
  if (files.length === 0) return undefined;
  rememberTold(state, session, { ...started, told: [...started.told, ...files.map(keyOf)].slice(-MAX_TOLD) });
  const words = wordsAbout(files);
  keepForNext(traced, state, words);
  return words;
}

/** The result of the last session's end, once: a session that ends may not have a user left to show it to. */
export function noticeOfLastSession(traced: Traced): string | undefined {
  const path = join(tracePaths(traced).state, LAST);
  try {
    const words = readRegularText(path);
    rmSync(path, { force: true });
    return `The session before this one: ${words}`;
  } catch {
    return undefined;
  }
}

function newlyFound(traced: Traced, since: number | undefined, told: readonly string[]): readonly Unexplained[] {
  const { files } = unexplainedChanges(traced, { usesGit: false, since });
  return files.filter((file) => !told.includes(keyOf(file)));
}

function keyOf({ path, changed_at, size }: Unexplained): string {
  return sha256(`${path}\0${changed_at}\0${size}`).slice(0, 32);
}

function wordsAbout(files: readonly Unexplained[]): string | undefined {
  if (files.length === 0) return undefined;
  const lines = files
    .slice(0, MAX_NAMED)
    .map(({ path, changed_at, size, why }) => `  ${path}  ${changed_at ?? "gone"}  ${size ?? 0} bytes  ${why}`);
  const more = files.length > MAX_NAMED ? [`  and ${files.length - MAX_NAMED} more`] : [];
  const step =
    "A person, a program or an agent without hooks changed them; `sluice trace audit` lists what differs now.";
  return ["No recorded call explains these changes:", ...lines, ...more, step].join("\n");
}

/** A name may hold a secret, so what is kept for the next session is redacted. */
function keepForNext({ env = process.env }: Traced, state: string, words: string | undefined): void {
  try {
    if (words !== undefined) writePrivate(join(state, LAST), redactor(secretsIn(env)).text(words));
  } catch {
    // The journal has it.
  }
}

const LAST = "unexplained";
const MAX_NAMED = 10;
const MAX_TOLD = 1000;

/** The state of a session while it runs. */
interface StartedSession {
  /** Milliseconds since 1970, by the clock that files are dated with. */
  readonly at: number;
  /** Hashes of what was already reported to its user. */
  readonly told: readonly string[];
}

/** Remembers when a session began: at its first event. Later events change nothing. */
export function rememberStart(state: string, session: TracedSession): void {
  const folder = join(state, FOLDER);
  const path = fileFor(state, session);
  try {
    if (existsSync(path)) return;
    makePrivateDir(folder);
    if (createFile(path, "{}", 0o600)) forgetOld(folder);
  } catch {
    // It cannot be kept: then the whole trace is looked at.
  }
}

/** What is known about a session; nothing for one whose start was not recorded. */
function startedSession(state: string, session: TracedSession): StartedSession | undefined {
  const path = fileFor(state, session);
  try {
    const at = statSync(path).birthtimeMs || statSync(path).mtimeMs;
    const { at: stated, told } = Object(JSON.parse(readRegularText(path))) as Partial<StartedSession>;
    return { at: typeof stated === "number" ? stated : at, told: Array.isArray(told) ? told : [] };
  } catch {
    return undefined;
  }
}

/** Remembers what was reported to its user. */
function rememberTold(state: string, session: TracedSession, started: StartedSession): void {
  try {
    writePrivate(fileFor(state, session), JSON.stringify(started));
  } catch {
    // Then it is reported again.
  }
}

/** A session that has ended is forgotten. */
function forgetStart(state: string, session: TracedSession): void {
  rmSync(fileFor(state, session), { force: true });
}

function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > OLD_MS) rmSync(path, { force: true });
  }
}

function fileFor(state: string, { agent = "", sessionId = "" }: TracedSession): string {
  return join(state, FOLDER, sha256(`${agent}\0${sessionId}`).slice(0, 32));
}

const FOLDER = "sessions";
const OLD_MS = 30 * 24 * 60 * 60 * 1000;
