import { join } from "node:path";
import { readRegularText } from "../fs/regular-file.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { fingerprint } from "./fingerprint.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Notices that a session has not been given yet, and what marks them as given once the answer is on its way. */
export interface UntoldNotices {
  readonly notices: readonly string[];
  readonly told: () => void;
}

/** Of these notices, those that this session has not been given: each is given once, and again when its text has changed. */
export function untoldNotices(session: string | undefined, notices: readonly string[], env: Env): UntoldNotices {
  if (session === undefined || notices.length === 0) return { notices, told: () => {} };
  const known = read(env)[session] ?? [];
  const untold = notices.filter((notice) => !known.includes(fingerprint(notice)));
  return { notices: untold, told: () => untold.length > 0 && note(session, untold.map(fingerprint), env) };
}

function note(session: string, given: readonly string[], env: Env): void {
  const { [session]: before = [], ...others } = read(env);
  const all = [...Object.entries(others), [session, [...new Set([...before, ...given])].slice(-MAX_NOTICES)] as const];
  try {
    makePrivateDir(stateDir({ env }));
    writePrivate(fileIn(env), `${JSON.stringify(Object.fromEntries(all.slice(-MAX_SESSIONS)))}\n`);
  } catch {
    // A notice that is given twice is better than one that is not given.
  }
}

/** By session, the fingerprints of what it was given. */
function read(env: Env): Readonly<Record<string, readonly string[]>> {
  try {
    if (statsAt(fileIn(env)) === undefined) return {};
    const known: unknown = JSON.parse(readRegularText(fileIn(env)));
    const lists = Object.entries(Object(known)).filter(([, list]) => Array.isArray(list));
    return Object.fromEntries(lists) as Record<string, readonly string[]>;
  } catch {
    return {};
  }
}

function fileIn(env: Env): string {
  return join(stateDir({ env }), "told-notices.json");
}

const MAX_SESSIONS = 100;
const MAX_NOTICES = 50;
