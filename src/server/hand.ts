import { Socket } from "node:net";
import { GoAhead } from "./go-ahead.ts";
import type { FromHand, ToHand } from "./hand-messages.ts";
import { type Answer, answerText, type Request } from "./protocol.ts";

/** Decides one call; hooks begin only where `mayBegin` says so, which also says how many seconds they may take. */
export type DecideWithHooks = (
  request: Request,
  project: string | undefined,
  mayBegin: (seconds: number) => Promise<boolean>,
) => Promise<Answer>;

/**
 * Runs the hooks of an engine's calls, one call after the other. The client belongs to the hand that takes it: an engine
 * that ends does not end the calls that are under way. A client that goes away ends this process, and its hooks with it.
 * Resolves when the engine needs no hand any more.
 */
export function serveAsHand(decide: DecideWithHooks, end: () => void): Promise<void> {
  return new Promise((leave) => {
    let isBusy = false;
    /** The engine waits for the answer, and nobody would hear it without one. */
    let isForEngine = false;
    const free = (answer?: Answer) => {
      isBusy = false;
      if (process.connected)
        process.send?.({ say: "free", rss: process.memoryUsage.rss(), ...(answer && { answer }) } satisfies FromHand);
      else leave();
    };
    process.on("message", (message: ToHand, client: unknown) => {
      if (message.say === "give up") return isBusy ? end() : undefined;
      isBusy = true;
      isForEngine = !message.hasClient;
      if (client instanceof Socket) void serveClient(client, message, decide, end).then(() => free());
      else if (message.hasClient) free();
      else void decideFor(message, decide).then(free);
    });
    process.on("disconnect", () => {
      if (!isBusy) leave();
      else if (isForEngine) end();
    });
    free();
  });
}

type Taken = Extract<ToHand, { say: "take" }>;

/** For whoever has no process of his own: the engine waits for the answer. */
async function decideFor({ request, project }: Taken, decide: DecideWithHooks): Promise<Answer> {
  let hasBegun = false;
  const mayBegin = async () => {
    hasBegun = true;
    return true;
  };
  const answer = await decide(request, project, mayBegin).catch(() => COLD);
  return hasBegun && answer.kind === "cold" ? { ...answer, isLost: true } : answer;
}

async function serveClient(client: Socket, { request, project }: Taken, decide: DecideWithHooks, end: () => void) {
  const goAhead = GoAhead.listening(client);
  let hasBegun = false;
  const gone = () => {
    if (hasBegun) end();
  };
  for (const name of ["end", "close"]) client.on(name, gone);
  const answer = await decide(request, project, async (seconds) => {
    hasBegun = await goAhead.ask("HOOKS", seconds);
    return hasBegun;
  }).catch(() => COLD);
  // What broke after hooks have begun is not for another to try: without an answer the client knows that.
  const isLost = hasBegun && answer.kind === "cold";
  hasBegun = false;
  if (isLost || client.destroyed) return void client.destroy();
  await new Promise<void>((resolve) => {
    client.once("close", () => resolve());
    client.end(answerText(answer), resolve);
    setTimeout(() => client.destroy(), FAREWELL_MS).unref();
  });
}

const COLD: Answer = { kind: "cold", usesNetwork: true };
const FAREWELL_MS = 10_000;
