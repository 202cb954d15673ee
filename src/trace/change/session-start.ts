import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../fs/read-once.ts";
import { createFile } from "../../fs/write-atomic.ts";
import type { Session } from "./traced.ts";

/** What is kept about a session while it goes on. */
export interface StartedSession {
  /** Milliseconds since 1970, by the clock that files are dated with. */
  readonly at: number;
  /** What its user was told already, as hashes. */
  readonly told: readonly string[];
}

/** Remembers when a session began: at its first word to us. Later words change nothing. */
export function rememberStart(state: string, session: Session): void {
  const folder = join(state, FOLDER);
  const path = fileFor(state, session);
  try {
    if (existsSync(path)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (createFile(path, "{}", 0o600)) forgetOld(folder);
  } catch {
    // It cannot be kept: then the whole trace is looked at.
  }
}

/** What is known about a session; nothing for one that nobody saw begin. */
export function startedSession(state: string, session: Session): StartedSession | undefined {
  const path = fileFor(state, session);
  try {
    const at = statSync(path).birthtimeMs || statSync(path).mtimeMs;
    const { at: stated, told } = Object(JSON.parse(readFileSync(path, "utf8"))) as Partial<StartedSession>;
    return { at: typeof stated === "number" ? stated : at, told: Array.isArray(told) ? told : [] };
  } catch {
    return undefined;
  }
}

/** Remembers what its user was told. */
export function rememberTold(state: string, session: Session, started: StartedSession): void {
  try {
    writeFileSync(fileFor(state, session), JSON.stringify(started), { mode: 0o600 });
  } catch {
    // Then it is told again.
  }
}

/** A session that has ended is forgotten. */
export function forgetStart(state: string, session: Session): void {
  rmSync(fileFor(state, session), { force: true });
}

function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > OLD_MS) rmSync(path, { force: true });
  }
}

function fileFor(state: string, { agent = "", sessionId = "" }: Session): string {
  return join(state, FOLDER, sha256(`${agent}\0${sessionId}`).slice(0, 32));
}

const FOLDER = "sessions";
const OLD_MS = 30 * 24 * 60 * 60 * 1000;
