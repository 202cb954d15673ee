import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";

/** A lock between processes, as a file that only one of them can make. */
export interface Lock {
  /**
   * Does something while no other process does; nothing comes back when the lock was not to be had. `isFresh` says that
   * others may have had it since the act before.
   */
  whileHeld<T>(act: (isFresh: boolean) => T, patienceMs?: number): T | undefined;
  close(): void;
}

/**
 * A lock under this path; its folder has to be there. Acts that follow each other without a pause share it for a moment,
 * so that many records in a row do not pay for it one by one; it is given back before anything else gets its turn.
 * `beforeRelease` is done right before that.
 */
export function lockAt(path: string, beforeRelease: () => void = () => {}): Lock {
  const owner = `${OWNER}-${++count}`;
  const own = `${path}.${owner}`;
  let isReady = false;
  let heldSince: number | undefined;
  const made = () => {
    if (!isReady) writeFileSync(own, owner, { mode: 0o600 });
    isReady = true;
    return isLinked(own, path, owner);
  };
  const release = () => {
    if (heldSince === undefined) return;
    // Held for so long, it may have been taken away and belong to somebody else.
    const isOurs = performance.now() - heldSince < LONGEST_MS / 2 || ownerOf(path) === owner;
    heldSince = undefined;
    HELD.delete(path);
    if (!isOurs) return;
    try {
      beforeRelease();
    } finally {
      remove(path);
    }
  };
  return {
    whileHeld: (act, patienceMs = PATIENCE_MS) => {
      if (heldSince !== undefined && performance.now() - heldSince > SHARED_MS) release();
      const isFresh = heldSince === undefined;
      if (isFresh) {
        HELD.get(path)?.();
        if (!take(path, made, patienceMs)) return undefined;
        heldSince = performance.now();
        HELD.set(path, release);
        queueMicrotask(release);
      }
      try {
        return act(isFresh);
      } catch (error) {
        release();
        throw error;
      }
    },
    close: () => {
      release();
      if (isReady) remove(own);
      isReady = false;
    },
  };
}

/** The same for one act. */
export function whileLocked<T>(path: string, act: () => T, patienceMs?: number): T | undefined {
  const lock = lockAt(path);
  try {
    return lock.whileHeld(act, patienceMs);
  } finally {
    lock.close();
  }
}

function take(path: string, made: () => boolean, patienceMs: number): boolean {
  for (let began = 0, tries = 0; ; tries++) {
    if (made()) return true;
    const now = performance.now();
    began ||= now;
    if (now - began > patienceMs) return false;
    if (isLeftBehind(path)) removeLeftBehind(path);
    else Atomics.wait(SLEEP, 0, 0, tries < SHORT_TRIES ? Math.random() * 0.4 : 1 + Math.random() * 2);
  }
}

/** A second name for the owner's own file appears in one step, with what it says. */
function isLinked(own: string, path: string, owner: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
    return isMade(path, owner);
  }
}

function isMade(path: string, owner = OWNER): boolean {
  try {
    writeFileSync(path, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Its owner has ended, or holds it for longer than any write takes. */
function isLeftBehind(path: string): boolean {
  const owner = ownerOf(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (owner === undefined || found === undefined) return false;
  return !isAlive(Number.parseInt(owner, 10)) || Date.now() - found.ctimeMs > LONGEST_MS;
}

/** Only one process at a time removes a lock, and it looks again before: another may have taken it meanwhile. */
function removeLeftBehind(path: string): void {
  const breaking = `${path}.break`;
  if (!isMade(breaking)) {
    if (isLeftBehind(breaking)) remove(breaking);
    return;
  }
  if (isLeftBehind(path)) {
    const owner = ownerOf(path);
    remove(path);
    if (owner !== undefined && /^\d+-[\w-]+$/.test(owner)) remove(`${path}.${owner}`);
  }
  remove(breaking);
}

function ownerOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}

/** Locks of this process that are kept for what may follow; whoever else here wants one gets it at once. */
const HELD = new Map<string, () => void>();
const OWNER = `${process.pid}-${Math.random().toString(36).slice(2)}`;
let count = 0;
const SLEEP = new Int32Array(new SharedArrayBuffer(4));
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const PATIENCE_MS = 5000;
const LONGEST_MS = 30_000;
/** Others get their turn after so long. */
const SHARED_MS = 2;
const SHORT_TRIES = 20;
