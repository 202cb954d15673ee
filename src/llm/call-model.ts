import { setTimeout as sleep } from "node:timers/promises";
import { readCallFailure } from "./call-failure.ts";
import type { Reply } from "./connect.ts";

/** Asks, and asks once more when the first time broke on the way and there is time left for it. */
export async function callModel(
  ask: () => Promise<Reply>,
  signal: AbortSignal,
  timeLeft: () => number,
): Promise<{ readonly reply: Reply; readonly notes: readonly string[] }> {
  try {
    return { reply: await unlessAborted(ask(), signal), notes: [] };
  } catch (error) {
    const { retryAfter, message } = readCallFailure(error);
    if (signal.aborted || retryAfter === undefined || retryAfter >= timeLeft()) throw error;
    await sleep(retryAfter, undefined, { signal });
    const reply = await unlessAborted(ask(), signal);
    return { reply, notes: [`the first try failed (${message.slice(0, 200)}); the second was answered`] };
  }
}

/** Whoever does the work may be slow to hear that it is over; nobody waits for that. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
