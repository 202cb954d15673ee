import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../trust/read-once.ts";
import { whileLocked } from "./lock.ts";
import type { Session } from "./traced.ts";

/** A file as a session saw it last. */
export interface SeenFile {
  readonly hash: string;
  /** When it looked, in milliseconds since 1970. */
  readonly at: number;
}

/** What a session has seen, by the hash of a file's whole path: a name may hold a secret. */
export type SeenFiles = Readonly<Record<string, SeenFile>>;

/** What a session has seen so far. */
export function seenBy(state: string, session: Session): SeenFiles {
  try {
    const found: unknown = JSON.parse(readFileSync(fileFor(state, session), "utf8"));
    return Object(found) as SeenFiles;
  } catch {
    return {};
  }
}

/** How a file is called there. */
export function seenKey(path: string): string {
  return sha256(path).slice(0, 32);
}

/** Remembers what a session has just seen or written; nothing in the place of a file forgets it. The oldest are forgotten first. */
export function rememberSeen(
  state: string,
  session: Session,
  fresh: Readonly<Record<string, SeenFile | undefined>>,
): void {
  if (Object.keys(fresh).length === 0) return;
  const write = () => writeSeen(state, session, fresh);
  try {
    mkdirSync(join(state, "seen"), { recursive: true, mode: 0o700 });
    // Agents read several files at once, and each call ends in a process of its own.
    whileLocked(`${fileFor(state, session)}.lock`, write) ?? write();
  } catch {
    // What is not remembered is not compared; the record of the change itself is worth more.
  }
}

function writeSeen(state: string, session: Session, fresh: Readonly<Record<string, SeenFile | undefined>>): true {
  const young = Object.entries(fresh).map(([path, seen]) => [seenKey(path), seen] as const);
  const renewed = new Set(young.map(([key]) => key));
  const kept = Object.entries(seenBy(state, session)).filter(([key]) => !renewed.has(key));
  const all = [...kept, ...young.filter(([, seen]) => seen !== undefined)].slice(-MOST_FILES);
  const path = fileFor(state, session);
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, JSON.stringify(Object.fromEntries(all)), { mode: 0o600 });
  renameSync(draft, path);
  return true;
}

function fileFor(state: string, { agent = "", sessionId = "" }: Session): string {
  return join(state, "seen", `${sha256(`${agent}\0${sessionId}`).slice(0, 32)}.json`);
}

const MOST_FILES = 2000;
