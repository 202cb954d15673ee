import type { Consent } from "./conversation.ts";
import type { Request } from "./protocol.ts";

/**
 * Makes calls up, one at a time, whenever nobody else wants something: nothing comes of them, but V8 has compiled what the
 * real ones need before many of those were slow. Stops when it may go on no longer.
 */
export function rehearse(
  requests: readonly Request[],
  answer: (request: Request, consent: Consent) => Promise<unknown>,
  isOver: () => boolean,
): void {
  let made = 0;
  const next = () => {
    const request = requests[made++ % requests.length];
    if (request === undefined || made > CALLS || isOver()) return;
    void answer(request, NOBODY).then(() => setImmediate(next));
  };
  setTimeout(next, QUIET_MS).unref();
}

/** Who is asked does not answer, so nothing is done and nothing is remembered. */
const NOBODY: Consent = { ask: async () => false, given: Promise.resolve(false) };
/** V8 compiles what was called some thousand times. */
const CALLS = 2000;
/** Whoever has just begun calls again at once, and most of what is started for a moment is gone by then. */
const QUIET_MS = 5000;
