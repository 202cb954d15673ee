import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { milliseconds } from "../../event/clock.ts";
import { isRunning } from "../../fs/lock.ts";
import { type DaemonStatus, STATUS_REQUEST, STOP_REQUEST } from "../connection.ts";
import {
  confirmationBytes,
  type DaemonAnswer,
  type Question,
  type Request,
  readAnswer,
  readQuestion,
  requestBytes,
} from "../protocol.ts";
import type { RuntimeDir } from "../runtime-dir.ts";
import { isStarting } from "../start-lock.ts";
import { reach, transportFor } from "../transport.ts";

/** What came of asking a daemon. */
export type CallOutcome =
  | { readonly outcome: "answer"; readonly answer: DaemonAnswer }
  /** There is none, or what has its address did not prove itself: another one should be started. */
  | { readonly outcome: "no daemon" }
  /** It gave no answer and has done nothing: the caller decides. */
  | { readonly outcome: "no answer" }
  /** It is not known what it has done: nothing may be done a second time. */
  | { readonly outcome: "lost" };

/** How long a caller waits, and for what. */
export interface CallTimeouts {
  /** Milliseconds until the daemon has proven itself. */
  readonly provenMs: number;
  /** Milliseconds until it asks for a confirmation; then the daemon itself sends the time. */
  readonly askedMs: number;
  /** What the daemon is allowed to ask; at any other question the caller gives up. */
  readonly confirms: readonly Question[];
}

/** The status of the daemon; undefined if none answers in time. */
export async function daemonStatus(runtimeDir: RuntimeDir): Promise<DaemonStatus | undefined> {
  const answer = await askDaemon(runtimeDir, requestFor(STATUS_REQUEST));
  return answer?.kind === "done" ? (JSON.parse(answer.stdout) as DaemonStatus) : undefined;
}

/** Tells the daemon to stop, also one that is just starting, and waits until its process has ended; "none" where there was none. */
export async function stopDaemon(runtimeDir: RuntimeDir): Promise<"stopped" | "stopping" | "none"> {
  let daemon = await daemonStatus(runtimeDir);
  for (; daemon === undefined && isStarting(runtimeDir); daemon = await daemonStatus(runtimeDir)) await sleep(PAUSE_MS);
  if (daemon === undefined) return "none";
  await askDaemon(runtimeDir, requestFor(STOP_REQUEST));
  const until = milliseconds() + MAX_STOP_MS;
  const isThere = () => daemon.pid !== process.pid && isRunning(daemon.pid);
  while (isThere() && milliseconds() < until) await sleep(PAUSE_MS);
  return isThere() ? "stopping" : "stopped";
}

function requestFor(word: string): Request {
  return { words: [word], env: {}, cwd: "/", payload: "" };
}

/**
 * Asks the daemon; undefined when there is none, when it does not prove itself, when it takes too long, or when hooks would
 * have to run. Nothing has been decided then. A daemon that was confirmed and does not answer leaves a lost call.
 */
export async function askDaemon(runtimeDir: RuntimeDir, asked: Request): Promise<DaemonAnswer | undefined> {
  const called = await callDaemon(runtimeDir, asked, TIMEOUTS);
  if (called.outcome === "lost") return LOST;
  return called.outcome === "answer" ? called.answer : undefined;
}

/** Calls the daemon. What does not prove itself is sent nothing of the call, and is not believed. */
export async function callDaemon(
  runtimeDir: RuntimeDir,
  request: Request,
  timeouts: CallTimeouts,
): Promise<CallOutcome> {
  const route = transportFor(runtimeDir).routeTo(runtimeDir);
  const reached = route && (await reach(route, timeouts.provenMs));
  if (reached?.peer !== "daemon") return { outcome: "no daemon" };
  return exchange(reached.socket, reached.rest, request, timeouts);
}

function exchange(
  socket: Socket,
  rest: Buffer,
  request: Request,
  { askedMs, confirms }: CallTimeouts,
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    let received = rest;
    let confirmed: Question | undefined;
    let answered: CallOutcome | undefined;
    const end = (outcome: CallOutcome) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(outcome);
    };
    // A slow daemon cannot be distinguished from one that never answers: a confirmation is not taken back. A client that was itself
    // stopped reads first what has arrived meanwhile.
    const tooLate = () => {
      const before = confirmed;
      setImmediate(() => {
        if (confirmed === before) end({ outcome: before === undefined ? "no answer" : "lost" });
      });
    };
    let limit = setTimeout(tooLate, askedMs);
    socket.on("close", () => end(answered ?? { outcome: confirmed === "HOOKS" ? "lost" : "no answer" }));
    socket.on("data", (piece: Buffer) => {
      received = received.length === 0 ? piece : Buffer.concat([received, piece]);
      const question = readQuestion(received);
      if (question !== undefined) return onQuestion(question);
      // The end of a pipe comes late; an answer contains its length.
      const answer = readAnswer(received);
      if (answer === undefined) return;
      const outcome: CallOutcome = { outcome: "answer", answer };
      answered = outcome;
      // A client that was not asked confirms that it has the answer.
      if (confirmed === undefined && answer.kind === "done") socket.end(confirmationBytes(), () => end(outcome));
      else end(outcome);
    });
    socket.write(requestBytes(request));
    socket.resume();

    function onQuestion({ question, seconds }: { readonly question: Question; readonly seconds: number }): void {
      if (!confirms.includes(question)) return void end({ outcome: "no answer" });
      received = Buffer.alloc(0);
      confirmed = question;
      clearTimeout(limit);
      limit = setTimeout(tooLate, seconds * 1000);
      socket.write(confirmationBytes());
    }
  });
}

const TIMEOUTS: CallTimeouts = { provenMs: 2000, askedMs: 2000, confirms: ["READY"] };
const PAUSE_MS = 10;
const MAX_STOP_MS = 5000;
const LOST: DaemonAnswer = { kind: "cold", usesNetwork: false, isLost: true };
