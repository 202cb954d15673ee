import { milliseconds } from "../event/clock.ts";

/** Milliseconds until an answer is due, from the seconds that an agent waits: before the agent continues without one. */
export function patienceIn(seconds: number): number {
  return Math.floor(Math.max(seconds - SPARE_SECONDS, seconds * LEAST_SHARE) * 1000);
}

/** What is left of it for hooks, after what came before them since the call began. */
export function timeLeft(patience: number, began: number, now = milliseconds()): number {
  return Math.max(1, Math.floor(patience - (now - began)));
}

/** A hook that is asked to end has two seconds to do so. */
const SPARE_SECONDS = 4;
const LEAST_SHARE = 0.6;
