import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { milliseconds } from "../event/clock.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { isUnchanged } from "../fs/stat-cache.ts";
import {
  type CallHandler,
  type ClientConsent,
  handleConnection,
  type OpenListener,
  type Unconfirmed,
} from "./connection.ts";
import { ConfirmationReader } from "./handshake.ts";
import { COLD, type DaemonAnswer, type Request } from "./protocol.ts";
import type { RuntimeDir } from "./runtime-dir.ts";
import { transportFor } from "./transport.ts";
import { warmUp } from "./warm-up.ts";
import type { WorkerCall, WorkerPool } from "./worker-pool.ts";

/** What a daemon needs to know. */
export interface DaemonOptions {
  readonly runtimeDir: RuntimeDir;
  /** Decides one call, or reports that hooks have to run for it; never two at a time. */
  readonly answer: (request: Request, consent?: ClientConsent) => Promise<DaemonAnswer | NeedsHooks | Unconfirmed>;
  /** The processes that run hooks; without them, such calls are decided cold. */
  readonly workers?: WorkerPool;
  /** Listeners beside the transport. */
  readonly listeners?: readonly OpenListener[];
  /** The file that names the build of this daemon: when it changes, the daemon stops. */
  readonly ownFile?: string;
  /** Calls like the first one, with which the daemon warms up. */
  readonly warmUpCalls?: (first: Request) => readonly Request[];
  /** Milliseconds without a call after which the daemon stops. */
  readonly idleMs?: number;
  /** Bytes of memory above which the daemon stops. */
  readonly maxMemory?: number;
}

/** A call that cannot be decided in memory. */
export interface NeedsHooks extends WorkerCall {
  readonly kind: "hooks";
  /** Whether the cold command would need the network. */
  readonly usesNetwork: boolean;
}

/** A daemon that answers. */
export interface Daemon {
  /** Where it listens; undefined when it does not. */
  readonly address: string | undefined;
  /** Resolves when the daemon has stopped, with the reason. */
  readonly stopped: Promise<string>;
  /** Takes no more calls, finishes those that were acknowledged, and stops. */
  stop(why: string): void;
}

/** Begins to answer where clients connect. Where another daemon of this command does so already, this one has stopped at once. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { runtimeDir, workers, ownFile, idleMs = IDLE_MS, maxMemory = MAX_MEMORY } = options;
  const built = ownFile === undefined ? undefined : statsAt(ownFile);
  const isReplaced = () => ownFile !== undefined && !isUnchanged(built, statsAt(ownFile));
  const sockets = new Set<Socket>();
  let [lastCall, calls, isStopping] = [milliseconds(), 0, false];
  let decided: Promise<unknown> = Promise.resolve();
  let resolveStopped: (why: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => {
    resolveStopped = resolve;
  });
  const transport = transportFor(runtimeDir);
  removePortFile(runtimeDir);
  const relayed = new Set<Promise<unknown>>();
  const listening = await transport.listen(runtimeDir, (socket, handshake) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    handleConnection(socket, handshake, handler);
  });
  if (listening === undefined) return { address: undefined, stopped: Promise.resolve(ALREADY_SERVED), stop: () => {} };
  const { server, address, isReachable, remove } = listening;
  const watch = setInterval(() => {
    const why = whyStop();
    if (why !== undefined) stop(why);
  }, WATCH_MS);

  const handler: CallHandler = {
    answer: async (request, isThere, signal) => {
      const answer = await inTurn(request, isThere);
      if (answer?.kind === "unconfirmed") return undefined;
      if (answer?.kind !== "hooks") return answer;
      return (await workers?.decide(answer, signal?.())) ?? { kind: "cold", usesNetwork: answer.usesNetwork };
    },
    serve: async (request, client, isThere, consent) => {
      const first = await inTurn(request, isThere, consent);
      if (first?.kind === "unconfirmed" && !(await consent.ask())) return undefined;
      const answer = first?.kind === "unconfirmed" ? await inTurn(request, isThere, consent, "again") : first;
      if (answer?.kind === "unconfirmed") return undefined;
      if (answer?.kind !== "hooks") return answer;
      consent.flush?.();
      if (!transport.canPassSockets && workers !== undefined) return tracked(relay(answer, client, workers));
      const isTaken = (await workers?.passClient(answer, client)) === true;
      if (!isTaken) return { kind: "cold", usesNetwork: answer.usesNetwork };
      sockets.delete(client);
      return "taken";
    },
    status: () => ({
      pid: process.pid,
      calls,
      rss: process.memoryUsage.rss(),
      upSeconds: Math.round(process.uptime()),
      workers: workers?.size ?? 0,
    }),
    stop: () => stop("it was asked to"),
  };
  const listeners = await Promise.all((options.listeners ?? []).map((open) => open(handler)));
  return { address, stopped, stop };

  /** One after the other: a decision may look at the current folder, and a process has one. */
  function inTurn(
    request: Request,
    isThere: () => boolean,
    consent?: ClientConsent,
    turn?: "again",
  ): Promise<DaemonAnswer | NeedsHooks | Unconfirmed | undefined> {
    return queued(() => {
      if (!isThere()) return undefined;
      lastCall = milliseconds();
      if (turn === undefined && calls++ === 0) warmUpAfter(request);
      return isStopping || isReplaced() ? COLD : options.answer(request, consent);
    });
  }

  function warmUpAfter(first: Request): void {
    const requests = options.warmUpCalls?.(first) ?? [];
    const answer = (request: Request, consent: ClientConsent) => queued(() => options.answer(request, consent));
    const sinceCall = () => milliseconds() - lastCall;
    warmUp(requests, answer, { isOver: () => isStopping, sinceCall });
  }

  function queued<T>(act: () => Promise<T> | T): Promise<T | DaemonAnswer> {
    const next = decided.then(act);
    decided = next.catch(() => {});
    return next.catch((): DaemonAnswer => COLD);
  }

  /** A daemon that stops waits for the answers that it has to pass on. */
  function tracked<T>(relaying: Promise<T>): Promise<T> {
    relayed.add(relaying);
    return relaying.finally(() => relayed.delete(relaying));
  }

  function whyStop(): string | undefined {
    if (!isReachable()) return "another daemon has taken its place";
    if (isReplaced()) return REPLACED;
    if (milliseconds() - lastCall > idleMs) return "no call came for a while";
    return process.memoryUsage.rss() > maxMemory ? TOO_LARGE : undefined;
  }

  function stop(why: string): void {
    if (isStopping) return;
    isStopping = true;
    clearInterval(watch);
    remove();
    server.close();
    Promise.all([decided, ...listeners.map((listener) => listener.close())])
      .then(() => Promise.allSettled(relayed))
      // What was passed on last is written in this turn of the event loop.
      .then(() => setImmediate(closeConnections, why));
  }

  function closeConnections(why: string): void {
    workers?.close();
    for (const socket of sockets) socket.end();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      resolveStopped(why);
    }, CLOSING_MS);
  }
}

/**
 * Lets a worker run the hooks of a client whose socket cannot be passed to it: the daemon asks the client whether hooks may
 * begin, and passes the worker's answer on. Undefined when the client is gone, or when it is not known what its hooks have
 * done: the client learns that by the end of the connection.
 */
async function relay(call: WorkerCall, client: Socket, workers: WorkerPool): Promise<DaemonAnswer | undefined> {
  const gone = new AbortController();
  for (const name of ["end", "close"]) client.on(name, () => gone.abort());
  const seconds = Math.ceil(call.timeoutMs / 1000) + SPARE_SECONDS;
  if (!(await ConfirmationReader.listening(client).ask("HOOKS", seconds))) return undefined;
  const answer = await workers.decide(call, gone.signal);
  // No worker was free, so nothing has begun.
  if (answer === undefined) return COLD;
  return answer.kind === "cold" && answer.isLost ? undefined : answer;
}

/** Daemons of older versions named a port here for their bash client, which decides cold where the file is missing. */
function removePortFile({ folder }: RuntimeDir): void {
  rmSync(join(folder, "port"), { force: true });
}

/** A reason to stop after which another daemon is wanted at once. */
export const REPLACED = "another version was installed";
/** Another one. */
export const TOO_LARGE = "it has grown too large";

/** The reason of a daemon that found another one in its place. */
const ALREADY_SERVED = "another daemon answers already";

const IDLE_MS = 10 * 60 * 1000;
const MAX_MEMORY = 512 * 1024 * 1024;
const WATCH_MS = 2000;
const CLOSING_MS = 20;
/** Hooks that were ended need time to end, and so does what comes after them. */
const SPARE_SECONDS = 3;
