import { uptime } from "node:os";
import { attempt } from "../../event/attempt.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { readState, removeState, type StatePlace as Where, writeState } from "../../trust/state-file.ts";

/** A maintenance window in which a person lets agents change protected files. */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** Seconds since the machine started, so that turning the clock back does not extend the window. */
  readonly startedUp: number;
  /** The boot id of the machine, if the system has one. */
  readonly boot: string;
}

/** The clock; the real one if left out. */
export interface PauseClock {
  readonly now: number;
  readonly up: number;
  readonly boot: string;
}

/** The open window; undefined if there is none, it has ended, or a person could not have opened it. */
export function pauseAt(where: Where, stated?: PauseClock): Pause | undefined {
  const pause = readPause(readState(FILE, where));
  if (pause === undefined) return undefined;
  const clock = stated ?? realClock();
  const { start, end, startedUp, boot } = pause;
  const length = end - start;
  const isSound = length <= MAX_PAUSE_MS && start <= clock.now && boot === clock.boot;
  const lasted = (clock.up - startedUp) * 1000;
  return isSound && clock.now < end && lasted >= 0 && lasted < length ? pause : undefined;
}

/** Opens a window; undefined if it cannot be written. */
export function openPause(milliseconds: number, where: Where, clock: PauseClock = realClock()): Pause | undefined {
  const { now, up, boot } = clock;
  const pause = { start: now, end: now + Math.min(milliseconds, MAX_PAUSE_MS), startedUp: up, boot };
  return writeState(FILE, pause, where) ? pause : undefined;
}

/** Ends the window; returns whether there was one. */
export function endPause(where: Where): boolean {
  return removeState(FILE, where);
}

/** The remaining time of a window as text. */
export function timeLeft({ end }: Pause, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((end - now) / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function readPause(value: unknown): Pause | undefined {
  const { start, end, startedUp, boot } = Object(value);
  const isWhole = [start, end, startedUp].every((number) => typeof number === "number") && typeof boot === "string";
  return isWhole ? { start, end, startedUp, boot } : undefined;
}

function realClock(): PauseClock {
  return { now: Date.now(), up: uptime(), boot: bootId() };
}

function bootId(): string {
  return attempt(() => readRegularText("/proc/sys/kernel/random/boot_id").trim()) ?? "";
}

const FILE = "protect/pause.json";

/** The longest window. */
export const MAX_PAUSE_MS = 60 * 60 * 1000;
