import { linkSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { readRegularFile, readRegularText } from "./regular-file.ts";
import { entryAt } from "./resolve-path.ts";
import { createFile, writePrivate } from "./write-atomic.ts";

/** A lock between processes: a file that only one of them can create, and that names its owner. */
export interface Lock {
  /**
   * Calls a function while no other process holds the lock; returns undefined if the lock could not be taken in time.
   * `isFresh` means that another process may have held it since the previous call.
   */
  whileHeld<T>(act: (isFresh: boolean) => T, timeoutMs?: number): T | undefined;
  close(): void;
}

/**
 * A lock at this path; its folder must exist. Consecutive calls without a pause share it, so that many records do not each
 * pay for it. It is released before any other task of this process runs, right after `beforeRelease`.
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
    // The lock was held for too long, and another process has taken it over.
    if (identityOf(path) !== identity) return;
    try {
      beforeRelease();
    } finally {
      remove(path);
    }
  };
  return {
    whileHeld: (act, timeoutMs = TIMEOUT_MS) => {
      if (held !== undefined && performance.now() - held.since > SHARED_MS) release();
      const isFresh = held === undefined;
      if (isFresh) {
        HELD.get(path)?.();
        const made = waitFor(path, make, timeoutMs);
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

/** Calls a function once under the lock. */
export function whileLocked<T>(path: string, act: () => T, timeoutMs?: number): T | undefined {
  const lock = lockAt(path);
  try {
    return lock.whileHeld(act, timeoutMs);
  } finally {
    lock.close();
  }
}

/** Takes a lock file without waiting, for as long as this process runs but at most `maxMs`; returns whether it was taken. */
export function takeLockFile(path: string, maxMs: number): boolean {
  if (isStale(path, maxMs)) removeStale(path, maxMs);
  return createFile(path, ownerText(process.pid), 0o600);
}

/** Whether a process has a lock file that it took with the same `maxMs`. */
export function isLockFileHeld(path: string, maxMs: number): boolean {
  return entryAt(path) !== undefined && !isStale(path, maxMs);
}

/** Makes another process the owner of a lock file that this process holds. */
export function handOverLockFile(path: string, pid: number): void {
  if (isOwn(path)) writePrivate(path, ownerText(pid));
}

/** Removes a lock file that this process owns; another process's lock stays. */
export function releaseLockFile(path: string): void {
  if (isOwn(path)) remove(path);
}

/** A lock that was taken, with the identity of its file. */
type Made = { readonly identity: string | undefined } | undefined;

function waitFor(path: string, make: () => Made, timeoutMs: number): Made {
  for (let began = 0, tries = 0; ; tries++) {
    const made = make();
    if (made !== undefined) return made;
    const now = performance.now();
    began ||= now;
    if (now - began > timeoutMs) return undefined;
    if (tries % TRIES_BETWEEN_CHECKS === TRIES_BETWEEN_CHECKS - 1 && isStale(path)) removeStale(path);
    else Atomics.wait(SLEEP, 0, 0, tries < SHORT_TRIES ? Math.random() * 0.4 : 1 + Math.random() * 2);
  }
}

/** A hard link to the owner's own file appears in one step, with its content; not every file system supports them. */
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
 * Whether the owner has ended, or holds the lock for longer than any use takes. The lock must be the same one after the check,
 * because its owner may release it and end meanwhile. A lock without an owner is being created, or is an old one.
 */
function isStale(path: string, maxMs = MAX_HELD_MS): boolean {
  const identity = identityOf(path);
  const owner = readOwner(path);
  const age = Date.now() - (entryAt(path)?.ctimeMs ?? Number.POSITIVE_INFINITY);
  const isLeft = owner === undefined ? age > UNNAMED_MS : age > maxMs || !isAlive(owner);
  return isLeft && identityOf(path) === identity && readOwner(path)?.text === owner?.text;
}

/** Only one process at a time removes a stale lock. It checks again first, because another may have taken the lock. */
function removeStale(path: string, maxMs?: number): void {
  const breaking = `${path}.break`;
  if (!createFile(breaking, ownerText(process.pid), 0o600)) {
    if (isStale(breaking)) remove(breaking);
    return;
  }
  const owner = readOwner(path);
  if (isStale(path, maxMs) && readOwner(path)?.text === owner?.text) {
    remove(path);
    if (owner !== undefined) remove(`${path}.${owner.text}`);
  }
  remove(breaking);
}

/** A process, by its id and its start time, because the system reuses ids. */
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

/** Whether a process with this id runs, of whichever user; one that has ended does not, also where its parent has not noticed. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statusOf(pid)?.[0] !== "Z";
}

function isAlive({ pid, start }: Owner): boolean {
  if (!isRunning(pid)) return false;
  const now = start === undefined ? undefined : startOf(pid);
  return now === undefined || now === start;
}

/** When a process started, in ticks since the system did; only Linux has it in a file. */
function startOf(pid: number): string | undefined {
  if (pid !== process.pid) return statusOf(pid)?.[19];
  ownStart ??= statusOf(pid)?.[19];
  return ownStart;
}

/** What Linux shows of a process after its name: first its state. */
function statusOf(pid: number): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readRegularFile(`/proc/${pid}/stat`).toString("latin1");
    // The program's name is in brackets, and may contain blanks and brackets itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
  } catch {
    return undefined;
  }
}

function identityOf(path: string): string | undefined {
  const found = entryAt(path);
  return found && `${found.dev} ${found.ino}`;
}

/** Earlier versions used a directory as the lock. */
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

/** The locks that this process keeps for consecutive calls, by path; another lock of this process releases them first. */
const HELD = new Map<string, () => void>();
const RANDOM = Math.random().toString(36).slice(2);
let count = 0;
let ownStart: string | undefined;
const OWNER = /^(\d+)(?:@(\d+))?(?=-|$)/;
const SLEEP = new Int32Array(new SharedArrayBuffer(4));
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const DIRECTORY = new Set(["EISDIR", "EPERM"]);
const TIMEOUT_MS = 5000;
const MAX_HELD_MS = 30_000;
const UNNAMED_MS = 5000;
/** After this time other processes get their turn. */
const SHARED_MS = 2;
const SHORT_TRIES = 20;
/** The owner usually releases the lock soon, so its process is checked only now and then. */
const TRIES_BETWEEN_CHECKS = 6;
