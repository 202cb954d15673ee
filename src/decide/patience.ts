/** Milliseconds until an answer has to be there, of the seconds that an agent waits: it is given before the agent goes on without one. */
export function patienceIn(seconds: number): number {
  return Math.floor(Math.max(seconds - SPARE_SECONDS, seconds * LEAST_SHARE) * 1000);
}

/** A hook that is told to end has two seconds for it. */
const SPARE_SECONDS = 4;
const LEAST_SHARE = 0.6;
