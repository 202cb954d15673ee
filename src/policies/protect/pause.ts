import { uptime } from "node:os";
import type { ProtectionContext } from "./protection-context.ts";
import { readState, removeState, writeState } from "./state-file.ts";
import { readRegularText } from "../../fs/regular-file.ts";

/** A maintenance window: for so long, a person lets agents change what is protected. */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** Seconds since the machine started, so that turning the clock back does not make it longer. */
  readonly startedUp: number;
  /** Which start of the machine that was, where the system tells. */
  readonly boot: string;
}

/** What is asked about time; real when left out. */
export interface PauseClock {
  readonly now: number;
  readonly up: number;
  readonly boot: string;
}

type Where = Pick<ProtectionContext, "env" | "home" | "root">;

/** The window that is open; nothing when there is none, it is over, or it could not have been opened by a person. */
export function pauseAt(where: Where, clock: PauseClock = realClock()): Pause | undefined {
  const pause = readPause(readState(FILE, where));
  if (pause === undefined) return undefined;
  const { start, end, startedUp, boot } = pause;
  const length = end - start;
  const isSound = length <= LONGEST_MS && start <= clock.now && boot === clock.boot;
  const lasted = (clock.up - startedUp) * 1000;
  return isSound && clock.now < end && lasted >= 0 && lasted < length ? pause : undefined;
}

/** Opens a window; nothing when what is needed for it cannot be written. */
export function openPause(milliseconds: number, where: Where, clock: PauseClock = realClock()): Pause | undefined {
  const { now, up, boot } = clock;
  const pause = { start: now, end: now + Math.min(milliseconds, LONGEST_MS), startedUp: up, boot };
  return writeState(FILE, pause, where) ? pause : undefined;
}

/** Ends the window; says whether there was one to end. */
export function endPause(where: Where): boolean {
  return removeState(FILE, where);
}

/** How long a window stays open, in words. */
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
  try {
    return readRegularText("/proc/sys/kernel/random/boot_id").trim();
  } catch {
    return "";
  }
}

const FILE = "pause.json";

/** No window is longer. */
export const LONGEST_MS = 60 * 60 * 1000;
