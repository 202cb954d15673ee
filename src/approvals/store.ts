import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { whileLocked } from "../fs/lock.ts";
import { ensurePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { readState, type StatePlace, writeState } from "../trust/state-file.ts";
import { type Grant, isLive } from "./grants.ts";

/** A call that waits for a person's answer. */
export interface PendingRequest {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly until: number;
  readonly root: string;
  readonly agent: string;
  readonly session: string;
  readonly tool: string;
  /** Programs, verbs and options, without arguments. */
  readonly shape: string;
  /** The input, shortened and without secrets. */
  readonly text: string;
  readonly reasons: readonly string[];
  readonly askers: readonly string[];
  readonly policy: string;
  readonly input: string;
  /** Left out if the call cannot be read completely, so that only its exact input can be approved. */
  readonly shapeKey?: string | undefined;
  /** The agent shows the question to its user. */
  readonly isShown?: true;
  /** The hash of the token in the link that notifications carry. */
  readonly link?: string | undefined;
  /** How other machines know it; left out for a request that is known here alone. */
  readonly shared?: { readonly name: string; readonly project: string; readonly input: string } | undefined;
  /** What became of each notification. */
  readonly notified?: readonly Notified[] | undefined;
}

/** A notification through one channel. */
export interface Notified {
  readonly via: string;
  readonly state: "sending" | "sent" | "failed";
  readonly why?: string | undefined;
}

/** Everything that waits or was answered. */
export interface Approvals {
  readonly requests: readonly PendingRequest[];
  readonly grants: readonly Grant[];
}

/** Whether there may be a request or a grant: most machines have none, and then nothing is read. */
export function hasApprovals(home: StateHome): boolean {
  return existsSync(join(stateDir(home), FILE));
}

/** Whether a person may answer a request elsewhere than in the agent: the pages are served, or notifications are sent. */
export function isAnsweredElsewhere(home: StateHome, via: readonly unknown[] = []): boolean {
  return hasApprovals(home) && (via.length > 0 || existsSync(join(stateDir(home), "ui")));
}

/** Whether a PIN or a passkey is stored. */
export function isPersonFileWritten(home: StateHome): boolean {
  return existsSync(join(stateDir(home), PERSON_FILE));
}

/** What waits and what was answered, without what has expired. */
export function readApprovals(place: StatePlace, now = Date.now()): Approvals {
  if (!hasApprovals(place)) return NONE;
  const { requests, grants } = Object(readState(FILE, place)) as Partial<Approvals>;
  return {
    requests: (Array.isArray(requests) ? requests : []).filter(isRequest).filter(({ until }) => now < until),
    grants: (Array.isArray(grants) ? grants : []).filter(isGrant).filter((grant) => isLive(grant, now)),
  };
}

/**
 * Changes what is stored, one process at a time, and returns what the change returns. Undefined if it cannot be written:
 * then nothing has changed.
 */
export function changeApprovals<T>(
  place: StatePlace,
  change: (known: Approvals) => readonly [Approvals, T],
  now = Date.now(),
): T | undefined {
  const lock = join(stateDir(place), LOCK);
  if (!ensurePrivateDir(dirname(lock))) return undefined;
  return attempt(() =>
    whileLocked(
      lock,
      () => {
        const [next, result] = change(readApprovals(place, now));
        const kept = { requests: next.requests.slice(-MAX_REQUESTS), grants: next.grants.slice(-MAX_GRANTS) };
        return writeState(FILE, kept, place) ? result : undefined;
      },
      LOCK_MS,
    ),
  );
}

/** Whether a value read from a file or a store is a request. */
export function isRequest(value: unknown): value is PendingRequest {
  const { id, at, until, root, session, agent, tool, shape, text, policy, input, reasons, askers } = Object(value);
  const texts = [id, root, session, agent, tool, shape, text, policy, input];
  return (
    texts.every((one) => typeof one === "string") &&
    [at, until].every((one) => typeof one === "number") &&
    Array.isArray(reasons) &&
    Array.isArray(askers)
  );
}

/** The same for a grant. */
export function isGrant(value: unknown): value is Grant {
  const { id, answer, on, key, lifts, at, until, left, by, channel, askers } = Object(value);
  return (
    [id, key, by, channel].every((one) => typeof one === "string") &&
    [at, until, left].every((one) => typeof one === "number") &&
    (answer === "allow" || answer === "deny") &&
    (on === "input" || on === "shape") &&
    (lifts === "ask" || lifts === "deny") &&
    (askers === undefined || Array.isArray(askers))
  );
}

/** Where a PIN and passkeys are stored. */
export const PERSON_FILE = "approvals/person.json";
const NONE: Approvals = { requests: [], grants: [] };
const FILE = "approvals/pending.json";
const LOCK = "approvals/lock";
const LOCK_MS = 5000;
const MAX_REQUESTS = 200;
const MAX_GRANTS = 500;
