import { linkSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { entryAt } from "./resolve-path.ts";
import { createFile, writePrivate } from "./write-atomic.ts";
import { readRegularFile, readRegularText } from "./regular-file.ts";

/** A lock between processes: a file that only one of them can make, and that says which one made it. */
export interface Lock {
  /**
   * Calls a function while no other process holds the lock; nothing comes back when the lock was not to be had. `isFresh`
   * says that another process may have held it since the call before.
   */
  whileHeld<T>(act: (isFresh: boolean) => T, patienceMs?: number): T | undefined;
  close(): void;
}

/**
 * A lock under this path; its folder has to be there. Calls that follow each other without a pause share it, so that many
 * records in a row do not pay for it one by one; it is released before any other task of this process runs.
 * `beforeRelease` is called right before that.
 */
export function lockAt(path: string, beforeRelease: () => void = () => {}): Lock {
  const owner = `${ownerText(process.pid)}-${RANDOM}-${++count}`;
  const own = `${path}.${owner}`;
  let ownIdentity: string | undefined;
  let held: { readonly since: number; readonly identity: string | undefined } | undefined;
  let isActing = false;
  const make = (): Made => {
    if (ownIdentity === undefined) {
      writeFileSync(own, owner, { mode: 0o600 });
      ownIdentity = identityOf(own);
    }
    const attempt = link(own, path);
    if (attempt === "unsupported") return createFile(path, owner, 0o600) ? { identity: identityOf(path) } : undefined;
    return attempt === "made" ? { identity: ownIdentity } : undefined;
  };
  const release = () => {
    if (held === undefined || isActing) return;
    const { identity } = held;
    held = undefined;
    HELD.delete(path);
    // Held for too long, it was taken over: what lies there belongs to another process.
    if (identityOf(path) !== identity) return;
    try {
      beforeRelease();
    } finally {
      remove(path);
    }
  };
  return {
    whileHeld: (act, patienceMs = PATIENCE_MS) => {
      if (held !== undefined && performance.now() - held.since > SHARED_MS) release();
      const isFresh = held === undefined;
      if (isFresh) {
        HELD.get(path)?.();
        const made = waitFor(path, make, patienceMs);
        if (made === undefined) return undefined;
        held = { since: performance.now(), identity: made.identity };
        HELD.set(path, release);
        queueMicrotask(release);
      }
      isActing = true;
      try {
        const result = act(isFresh);
        isActing = false;
        return result;
      } catch (error) {
        isActing = false;
        release();
        throw error;
      }
    },
    close: () => {
      release();
      if (ownIdentity !== undefined) remove(own);
      ownIdentity = undefined;
    },
  };
}

/** The same for one call. */
export function whileLocked<T>(path: string, act: () => T, patienceMs?: number): T | undefined {
  const lock = lockAt(path);
  try {
    return lock.whileHeld(act, patienceMs);
  } finally {
    lock.close();
  }
}

/** Takes a lock file without waiting, for as long as this process runs and at most for so long; whether it was to be had. */
export function takeLockFile(path: string, longestMs: number): boolean {
  if (isStale(path, longestMs)) removeStale(path, longestMs);
  return createFile(path, ownerText(process.pid), 0o600);
}

/** Makes another process the owner of a lock file that this one has taken. */
export function handOverLockFile(path: string, pid: number): void {
  if (isOwn(path)) writePrivate(path, ownerText(pid));
}

/** Removes a lock file that this process has taken or was given; another's stays. */
export function releaseLockFile(path: string): void {
  if (isOwn(path)) remove(path);
}

/** A lock that was made, with the identity of its file. */
type Made = { readonly identity: string | undefined } | undefined;

function waitFor(path: string, make: () => Made, patienceMs: number): Made {
  for (let began = 0, tries = 0; ; tries++) {
    const made = make();
    if (made !== undefined) return made;
    const now = performance.now();
    began ||= now;
    if (now - began > patienceMs) return undefined;
    if (tries % TRIES_BEFORE_LOOK === TRIES_BEFORE_LOOK - 1 && isStale(path)) removeStale(path);
    else Atomics.wait(SLEEP, 0, 0, tries < SHORT_TRIES ? Math.random() * 0.4 : 1 + Math.random() * 2);
  }
}

/** A hard link of the owner's own file appears in one step, with its content; not every file system has them. */
function link(own: string, path: string): "made" | "taken" | "unsupported" {
  try {
    linkSync(own, path);
    return "made";
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return "taken";
    if (NO_LINKS.has(code)) return "unsupported";
    throw error;
  }
}

/**
 * Whether its owner has ended, or holds it for longer than any use takes. An owner may release the lock and end while it
 * is looked at, so the lock has to be the same one afterwards. A lock that names no owner is just being made, or an old one.
 */
function isStale(path: string, longestMs = LONGEST_MS): boolean {
  const identity = identityOf(path);
  const owner = readOwner(path);
  const age = Date.now() - (entryAt(path)?.ctimeMs ?? Number.POSITIVE_INFINITY);
  const isLeft = owner === undefined ? age > UNNAMED_MS : age > longestMs || !isAlive(owner);
  return isLeft && identityOf(path) === identity && readOwner(path)?.text === owner?.text;
}

/** Only one process at a time removes a stale lock, and it looks again before: another may have taken it meanwhile. */
function removeStale(path: string, longestMs?: number): void {
  const breaking = `${path}.break`;
  if (!createFile(breaking, ownerText(process.pid), 0o600)) {
    if (isStale(breaking)) remove(breaking);
    return;
  }
  const owner = readOwner(path);
  if (isStale(path, longestMs) && readOwner(path)?.text === owner?.text) {
    remove(path);
    if (owner !== undefined) remove(`${path}.${owner.text}`);
  }
  remove(breaking);
}

/** A process, by its id and by when it started: the system gives the id of an ended process to a later one. */
interface Owner {
  readonly text: string;
  readonly pid: number;
  readonly start: string | undefined;
}

function readOwner(path: string): Owner | undefined {
  try {
    const text = readRegularText(path);
    const [, pid, start] = OWNER.exec(text) ?? [];
    return pid === undefined ? undefined : { text, pid: Number(pid), start };
  } catch {
    return undefined;
  }
}

function ownerText(pid: number): string {
  const start = startOf(pid);
  return start === undefined ? `${pid}` : `${pid}@${start}`;
}

function isOwn(path: string): boolean {
  const owner = readOwner(path);
  return owner?.pid === process.pid && (owner.start === undefined || owner.start === startOf(process.pid));
}

function isAlive({ pid, start }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = start === undefined ? undefined : startOf(pid);
  return now === undefined || now === start;
}

/** When a process started, in ticks since the system did; only Linux says it in a file. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  if (pid === process.pid && ownStart !== undefined) return ownStart;
  try {
    const stat = readRegularFile(`/proc/${pid}/stat`).toString("latin1");
    // The name of the program stands in brackets, and may hold blanks and brackets itself.
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20)[19];
    if (pid === process.pid) ownStart = start;
    return start;
  } catch {
    return undefined;
  }
}

function identityOf(path: string): string | undefined {
  const found = entryAt(path);
  return found && `${found.dev} ${found.ino}`;
}

/** A directory was a lock once. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!DIRECTORY.has((error as NodeJS.ErrnoException).code ?? "")) return;
    try {
      rmdirSync(path);
    } catch {}
  }
}

/** Locks that this process keeps for the calls that may follow, by path: the next lock of this process gets them at once. */
const HELD = new Map<string, () => void>();
const RANDOM = Math.random().toString(36).slice(2);
let count = 0;
let ownStart: string | undefined;
const OWNER = /^(\d+)(?:@(\d+))?(?=-|$)/;
const SLEEP = new Int32Array(new SharedArrayBuffer(4));
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const DIRECTORY = new Set(["EISDIR", "EPERM"]);
const PATIENCE_MS = 5000;
const LONGEST_MS = 30_000;
const UNNAMED_MS = 5000;
/** Other processes get their turn after so long. */
const SHARED_MS = 2;
const SHORT_TRIES = 20;
/** Mostly the owner is at work and done soon; whether it lives is looked at now and then. */
const TRIES_BEFORE_LOOK = 6;
