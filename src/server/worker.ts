import { Socket } from "node:net";
import { ConfirmationReader } from "./handshake.ts";
import { answerText, COLD, type DaemonAnswer, type Request } from "./protocol.ts";
import { nameProcess } from "./system.ts";
import type { FromWorker, ToWorker } from "./worker-pool.ts";

/** Decides one call; hooks begin only if `mayBegin` allows it, which gets the number of seconds they may take. */
export type DecideWithHooks = (
  request: Request,
  mayBegin: (seconds: number) => Promise<boolean>,
) => Promise<DaemonAnswer>;

/**
 * Runs the hooks of a daemon's calls, one call after the other. A client's socket belongs to the worker that takes it: a
 * daemon that ends does not end the calls that are under way. A client that goes away ends this process, and its hooks with
 * it. Resolves when the daemon needs no worker any more.
 */
export function serveAsWorker(decide: DecideWithHooks, end: () => void): Promise<void> {
  nameProcess();
  return new Promise((resolve) => {
    let isBusy = false;
    /** The daemon waits for the answer, and passes it on. */
    let isForDaemon = false;
    const free = (answer?: DaemonAnswer) => {
      isBusy = false;
      if (process.connected)
        process.send?.({
          type: "free",
          rss: process.memoryUsage.rss(),
          ...(answer && { answer }),
        } satisfies FromWorker);
      else resolve();
    };
    process.on("message", (message: ToWorker, client: unknown) => {
      if (message.type === "abort") return isBusy ? end() : undefined;
      isBusy = true;
      process.send?.({ type: "taken" } satisfies FromWorker);
      isForDaemon = !message.hasClient;
      if (client instanceof Socket) void serveClient(client, message, decide, end).then(() => free());
      else if (message.hasClient) free();
      else void decideForDaemon(message, decide).then(free);
    });
    process.on("disconnect", () => {
      if (!isBusy) resolve();
      else if (isForDaemon) end();
    });
    free();
  });
}

type CallMessage = Extract<ToWorker, { type: "call" }>;

async function decideForDaemon({ request }: CallMessage, decide: DecideWithHooks): Promise<DaemonAnswer> {
  let hasBegun = false;
  const mayBegin = async () => {
    hasBegun = true;
    return true;
  };
  const answer = await decide(request, mayBegin).catch(() => COLD);
  return hasBegun && answer.kind === "cold" ? { ...answer, isLost: true } : answer;
}

async function serveClient(
  client: Socket,
  { request }: CallMessage,
  decide: DecideWithHooks,
  end: () => void,
): Promise<void> {
  const confirmation = ConfirmationReader.listening(client);
  let hasBegun = false;
  const gone = () => {
    if (hasBegun) end();
  };
  for (const name of ["end", "close"]) client.on(name, gone);
  const answer = await decide(request, async (seconds) => {
    hasBegun = await confirmation.ask("HOOKS", seconds);
    return hasBegun;
  }).catch(() => COLD);
  // A failure after hooks have begun is not decided again: the client learns of it by a connection that ends without an answer.
  const isLost = hasBegun && answer.kind === "cold";
  hasBegun = false;
  if (isLost || client.destroyed) return void client.destroy();
  await new Promise<void>((resolve) => {
    client.once("close", () => resolve());
    client.end(answerText(answer), resolve);
    setTimeout(() => client.destroy(), CLOSING_MS).unref();
  });
}

const CLOSING_MS = 10_000;
