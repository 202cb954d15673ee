import { setTimeout as sleep } from "node:timers/promises";
import type { ModelReply } from "./connect.ts";

/** Asks, and asks once more when the first time broke on the way and there is time left for it. */
export async function callModel(
  ask: () => Promise<ModelReply>,
  signal: AbortSignal,
  timeLeft: () => number,
): Promise<{ readonly reply: ModelReply; readonly notes: readonly string[] }> {
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

/** Rejects as soon as the signal aborts, without waiting until the work itself has stopped. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** What is known about a question that brought no answer. */
interface CallFailure {
  /** The HTTP status, when the server answered at all. */
  readonly status: number | undefined;
  readonly message: string;
  /** Milliseconds to wait before it makes sense to ask again; `undefined` when it never will. */
  readonly retryAfter: number | undefined;
}

/** Reads what a library threw. */
export function readCallFailure(error: unknown): CallFailure {
  const { statusCode, responseHeaders } = Object(error) as Record<string, unknown>;
  const status = typeof statusCode === "number" ? statusCode : undefined;
  const isPassing = status === undefined || PASSING.has(status) || status >= 500 || isCutOff(error);
  return {
    status,
    message: messageOf(error),
    retryAfter: isPassing ? (statedWait(Object(responseHeaders)) ?? SHORT_WAIT) : undefined,
  };
}

/** Too slow, in conflict, too many: the same question may be answered later. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);
const SHORT_WAIT = 200;

/** The server began to answer and the line broke. */
function isCutOff(error: unknown): boolean {
  return [...causes(error)].some((cause) => cause.message === "terminated" || "code" in cause);
}

/** What the library says, and what lies at the bottom of it. */
function messageOf(error: unknown): string {
  const messages = [...causes(error)].map((cause) => cause.message).filter((message) => message !== "");
  const [first = String(error), last = first] = [messages[0], messages.at(-1)];
  return first.includes(last) ? first : `${first}: ${last}`;
}

function statedWait(headers: Readonly<Record<string, unknown>>): number | undefined {
  const [ms, seconds] = [Number(headers["retry-after-ms"]), Number(headers["retry-after"])];
  if (ms >= 0) return ms;
  return seconds >= 0 ? seconds * 1000 : undefined;
}

function* causes(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) yield at;
}
