import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../trust/read-once.ts";
import { whileLocked } from "./lock.ts";
import type { Session } from "./traced.ts";

/** The hashes of files as a session saw them last, by the hash of their whole path: a name may hold a secret. */
export type SeenFiles = Readonly<Record<string, string>>;

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

/** Remembers what a session has just seen or written; `undefined` forgets a file. The oldest are forgotten first. */
export function rememberSeen(
  state: string,
  session: Session,
  fresh: Readonly<Record<string, string | undefined>>,
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

function writeSeen(state: string, session: Session, fresh: Readonly<Record<string, string | undefined>>): true {
  const young = Object.entries(fresh).map(([path, hash]) => [seenKey(path), hash] as const);
  const renewed = new Set(young.map(([key]) => key));
  const kept = Object.entries(seenBy(state, session)).filter(([key]) => !renewed.has(key));
  const all = [...kept, ...young.filter(([, hash]) => hash !== undefined)].slice(-MOST_FILES);
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
