import { join } from "node:path";
import { readRegularText } from "../fs/regular-file.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { rememberHookEvent } from "./remember.ts";

/** A change of what keeps Sluice in the loop that Sluice did not make, or calls that never reached it. */
export interface Tampering {
  /** How `sluice why` finds its record. */
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** What was found, in a sentence that begins with the file or the session. */
  readonly what: string;
  readonly path?: string | undefined;
  /** Whether it was put back. */
  readonly isMended?: boolean | undefined;
  /** Whether a person has looked at it: no agent and no `sluice doctor` reports it any more. */
  readonly isAcknowledged?: boolean | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** What was found in the last days, oldest first. */
export function tamperings(env: Env, now = Date.now()): readonly Tampering[] {
  return read(env).found.filter(({ time, isAcknowledged }) => !isAcknowledged && Date.parse(time) > now - KEPT_MS);
}

/** Ends the notice with this id, and those that report the same of the same file; whether there was one. A person has looked at it. */
export function acknowledgeTampering(id: string, env: Env): boolean {
  const { found, told } = read(env);
  const seen = found.find((one) => one.id === id && !one.isAcknowledged);
  if (seen === undefined) return false;
  const isSeen = ({ what, time }: Tampering) => what === seen.what && time <= seen.time;
  write({ found: found.map((one) => (isSeen(one) ? { ...one, isAcknowledged: true } : one)), told }, env);
  return true;
}

/** Writes down what was found: in the journal, and where the next answer to each agent looks. */
export function noteTampering(about: Omit<Tampering, "id" | "time">, env: Env): Tampering {
  const { id } = rememberHookEvent({
    env,
    kind: "skipped",
    event: "tampering",
    action: "continue",
    notes: [about.what],
  });
  const noted: Tampering = { id, time: new Date().toISOString(), ...about };
  const { found, told } = read(env);
  write({ found: [...found, noted].slice(-MOST), told }, env);
  return noted;
}

/** Reports of the last day that this session has not got yet; they are marked as reported. Usually there are none, which costs one file access. */
export function untoldTampering(session: string | undefined, env: Env, now = Date.now()): readonly Tampering[] {
  if (statsAt(fileIn(env)) === undefined) return NONE;
  const { found, told } = read(env);
  const key = session ?? "";
  const last = told[key] ?? "";
  const untold = found.filter(
    ({ time, isAcknowledged }) => !isAcknowledged && time > last && Date.parse(time) > now - TOLD_MS,
  );
  const latest = untold.at(-1);
  if (latest === undefined) return NONE;
  const others = Object.entries(told).slice(-MOST);
  write({ found, told: { ...Object.fromEntries(others), [key]: latest.time } }, env);
  return untold;
}

/** The report of calls that never reached Sluice. */
export function unaskedSentence(unasked: number, agent: string, session: string): string {
  const calls = unasked === 1 ? "1 call" : `${unasked} calls`;
  return `${calls} of session ${session} of ${agent} ${unasked === 1 ? "was" : "were"} not asked about.`;
}

interface Noted {
  readonly found: readonly Tampering[];
  /** For each session the time of its last report. */
  readonly told: Readonly<Record<string, string>>;
}

function read(env: Env): Noted {
  try {
    const { found = [], told = {} } = JSON.parse(readRegularText(fileIn(env))) as Partial<Noted>;
    return { found: Array.isArray(found) ? found : [], told };
  } catch {
    return { found: [], told: {} };
  }
}

function write(noted: Noted, env: Env): void {
  try {
    makePrivateDir(stateDir({ env }));
    writePrivate(fileIn(env), `${JSON.stringify(noted)}\n`);
  } catch {
    // It is in the journal.
  }
}

function fileIn(env: Env): string {
  return join(stateDir({ env }), "tampering.json");
}

const NONE: readonly Tampering[] = [];
const MOST = 50;
const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 7 * DAY_MS;
const TOLD_MS = DAY_MS;
