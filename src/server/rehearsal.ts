import { availableParallelism, loadavg } from "node:os";
import type { Consent } from "./conversation.ts";
import type { Request } from "./protocol.ts";

/** When an engine practises, and when not. */
interface Occasion {
  /** Whether it may go on no longer. */
  readonly isOver: () => boolean;
  /** Whether the machine has something better to do; told by its load when left out. */
  readonly isBusy?: () => boolean;
}

/**
 * Makes calls up, one at a time, while nobody wants anything: nothing comes of them, but V8 has compiled what the real ones
 * need before many of those were slow. A machine that is busy is left alone.
 */
export function rehearse(
  requests: readonly Request[],
  answer: (request: Request, consent: Consent) => Promise<unknown>,
  { isOver, isBusy = isLoaded }: Occasion,
): void {
  let [made, patience] = [0, LONGEST_PATIENCE];
  const next = () => {
    const request = requests[made % requests.length];
    if (request === undefined || made >= CALLS || isOver()) return;
    if (made % AT_ONCE === 0 && isBusy()) {
      if (patience-- > 0) setTimeout(next, QUIET_MS).unref();
      return;
    }
    made++;
    void answer(request, NOBODY).then(() => setImmediate(next));
  };
  setTimeout(next, QUIET_MS).unref();
}

/** Who is asked does not answer, so nothing is done and nothing is remembered. */
export const NOBODY: Consent = { ask: async () => false, given: Promise.resolve(false) };

function isLoaded(): boolean {
  return (loadavg()[0] ?? 0) > 1.25 * availableParallelism();
}

/** V8 compiles what was called some thousand times. */
const CALLS = 2000;
/** After so many, the machine is looked at again. */
const AT_ONCE = 50;
/** Whoever has just begun calls again at once, and most of what is started for a moment is gone by then. */
const QUIET_MS = 5000;
/** How often a busy machine is looked at. */
const LONGEST_PATIENCE = 60;
