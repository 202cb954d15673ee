import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { isUnchanged } from "../fs/stat-cache.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { type Consent, type Conversation, converse } from "./conversation.ts";
import type { OpenDoor } from "./door.ts";
import type { Handed, Hands } from "./hands.ts";
import { meetingAt } from "./meeting.ts";
import type { Answer, Request } from "./protocol.ts";
import type { Quarters } from "./quarters.ts";
import { rehearse } from "./rehearsal.ts";
import { relay } from "./relay.ts";

/** What an engine needs to know. */
export interface EngineOptions {
  readonly quarters: Quarters;
  /** Decides one call, or says that hooks have to run for it; never two at a time. */
  readonly answer: (request: Request, consent?: Consent) => Promise<Answer | NeedsHooks | Later>;
  /** Who runs hooks; without anybody, such calls are decided cold. */
  readonly hands?: Hands;
  /** Ways in beside the socket. */
  readonly doors?: readonly OpenDoor[];
  /** The file that names the build that the engine is of: when it changes, it is another engine's turn. */
  readonly ownFile?: string;
  /** Calls to make up after the first one, which are like it; the engine answers to nobody. */
  readonly rehearsal?: (first: Request) => readonly Request[];
  /** Milliseconds without a call after which the engine leaves. */
  readonly idleMs?: number;
  /** Bytes of memory above which the engine leaves. */
  readonly mostMemory?: number;
}

/** A call that cannot be decided in memory. */
export interface NeedsHooks extends Handed {
  readonly kind: "hooks";
  /** Whether the cold command would need the network. */
  readonly usesNetwork: boolean;
}

/** A call of which nothing was done, because whoever asked has not said to go on yet. */
export interface Later {
  readonly kind: "later";
}

/** The only one of its kind. */
export const LATER: Later = { kind: "later" };

/** An engine that answers. */
export interface Engine {
  /** Where it answers; nothing when it does not. */
  readonly address: string | undefined;
  /** Resolves when the engine has left, with the reason. */
  readonly left: Promise<string>;
  /** Takes no more calls, finishes those that were acknowledged, and leaves. */
  leave(why: string): void;
}

/** Begins to answer where clients look. Where another engine of ours does so already, this one has left at once. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { quarters, hands, ownFile, idleMs = IDLE_MS, mostMemory = MOST_MEMORY } = options;
  const built = ownFile === undefined ? undefined : statsAt(ownFile);
  const isReplaced = () => ownFile !== undefined && !isUnchanged(built, statsAt(ownFile));
  const sockets = new Set<Socket>();
  let [lastCall, calls, isLeaving] = [performance.now(), 0, false];
  let decided: Promise<unknown> = Promise.resolve();
  let goes: (why: string) => void = () => {};
  const left = new Promise<string>((resolve) => {
    goes = resolve;
  });
  const meeting = meetingAt(quarters);
  forgetPort(quarters);
  const relayed = new Set<Promise<unknown>>();
  const listening = await meeting.listen(quarters, (socket, handshake) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    converse(socket, handshake, conversation);
  });
  if (listening === undefined) return { address: undefined, left: Promise.resolve(SERVED), leave: () => {} };
  const { server, address, isFound, clear } = listening;
  const watch = setInterval(() => {
    const why = whyLeave();
    if (why !== undefined) leave(why);
  }, WATCH_MS);

  const conversation: Conversation = {
    answer: async (request, isThere, signal) => {
      const answer = await inTurn(request, isThere);
      if (answer?.kind === "later") return undefined;
      if (answer?.kind !== "hooks") return answer;
      return (await hands?.decide(answer, signal?.())) ?? { kind: "cold", usesNetwork: answer.usesNetwork };
    },
    serve: async (request, client, isThere, consent) => {
      const first = await inTurn(request, isThere, consent);
      if (first?.kind === "later" && !(await consent.ask())) return undefined;
      const answer = first?.kind === "later" ? await inTurn(request, isThere, consent, "again") : first;
      if (answer?.kind === "later") return undefined;
      if (answer?.kind !== "hooks") return answer;
      consent.speak?.();
      if (!meeting.canHandOn && hands !== undefined) return underWay(relay(answer, client, hands));
      const isTaken = (await hands?.give(answer, client)) === true;
      if (!isTaken) return { kind: "cold", usesNetwork: answer.usesNetwork };
      sockets.delete(client);
      return "taken";
    },
    status: () => ({
      pid: process.pid,
      calls,
      rss: process.memoryUsage.rss(),
      upSeconds: Math.round(process.uptime()),
      hands: hands?.size ?? 0,
    }),
    stop: () => leave("it was told to"),
  };
  const doors = await Promise.all((options.doors ?? []).map((open) => open(conversation)));
  return { address, left, leave };

  /** One after the other: a decision may look at the folder it is made in, and a process has one folder. */
  function inTurn(
    request: Request,
    isThere: () => boolean,
    consent?: Consent,
    turn?: "again",
  ): Promise<Answer | NeedsHooks | Later | undefined> {
    return queued(() => {
      if (!isThere()) return undefined;
      lastCall = performance.now();
      if (turn === undefined && calls++ === 0) prepareFor(request);
      return isLeaving || isReplaced() ? COLD : options.answer(request, consent);
    });
  }

  function prepareFor(first: Request): void {
    const ahead = options.rehearsal?.(first) ?? [];
    rehearse(ahead, (request, consent) => queued(() => options.answer(request, consent)), { isOver: () => isLeaving });
  }

  function queued<T>(act: () => Promise<T> | T): Promise<T | Answer> {
    const next = decided.then(act);
    decided = next.catch(() => {});
    return next.catch((): Answer => COLD);
  }

  /** An engine that leaves waits for what it has to pass on. */
  function underWay<T>(relaying: Promise<T>): Promise<T> {
    relayed.add(relaying);
    return relaying.finally(() => relayed.delete(relaying));
  }

  function whyLeave(): string | undefined {
    if (!isFound()) return "another engine has taken its place";
    if (isReplaced()) return REPLACED;
    if (performance.now() - lastCall > idleMs) return "nobody called for a while";
    return process.memoryUsage.rss() > mostMemory ? OUTGROWN : undefined;
  }

  function leave(why: string): void {
    if (isLeaving) return;
    isLeaving = true;
    clearInterval(watch);
    clear();
    server.close();
    Promise.all([decided, ...doors.map((door) => door.close())])
      .then(() => Promise.allSettled(relayed))
      // What was passed on last is said in this turn of the loop.
      .then(() => setImmediate(farewell, why));
  }

  function farewell(why: string): void {
    hands?.close();
    for (const socket of sockets) socket.end();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      goes(why);
    }, FAREWELL_MS);
  }
}

/** Daemons of older versions named a port here for their bash client, which decides cold where the file is missing. */
function forgetPort({ folder }: Quarters): void {
  rmSync(join(folder, "port"), { force: true });
}

/** A reason to leave after which another engine is wanted at once. */
export const REPLACED = "another version was installed";
/** Another one. */
export const OUTGROWN = "it has grown too large";

/** What an engine says that found its place taken by another one. */
const SERVED = "another engine answers already";

const COLD: Answer = { kind: "cold", usesNetwork: true };
const IDLE_MS = 10 * 60 * 1000;
const MOST_MEMORY = 512 * 1024 * 1024;
const WATCH_MS = 2000;
const FAREWELL_MS = 20;
