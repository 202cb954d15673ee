import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { milliseconds } from "../event/clock.ts";
import type { DaemonAnswer, Request } from "./protocol.ts";

/** A call whose hooks run in a worker. */
export interface WorkerCall {
  readonly request: Request;
  /** The project whose plugins run; undefined if no plugin matches the call. */
  readonly project: string | undefined;
  /** Milliseconds until the answer has to be there. */
  readonly timeoutMs: number;
}

/** How many workers there are, and how long they live. */
export interface WorkerLimits {
  readonly maxWorkers?: number;
  /** Bytes of memory above which a worker is replaced: a process that starts others has to be small. */
  readonly maxMemory?: number;
  /** Milliseconds that a call waits for a worker that starts. */
  readonly startMs?: number;
  /** Milliseconds that a call waits when all workers are busy. */
  readonly busyMs?: number;
  /** Milliseconds without a call after which a worker stops; the last one stays. */
  readonly idleMs?: number;
  /** Milliseconds in which a worker has to confirm that it has a call. */
  readonly takeMs?: number;
  /** Milliseconds beyond the timeout of its call after which a worker is killed. */
  readonly overdueMs?: number;
}

/** A message from the daemon to a worker: to take a call, whose client's socket may come along; or to abort it. */
export type ToWorker =
  | {
      readonly type: "call";
      readonly request: Request;
      /** The client's socket comes along; without one the daemon gets the answer. */
      readonly hasClient: boolean;
    }
  | { readonly type: "abort" };

/** A message from a worker to its daemon: that it can take a call, how large it is, and the answer if no client's socket came along. */
export type FromWorker =
  | {
      readonly type: "free";
      /** Bytes of memory. */
      readonly rss: number;
      readonly answer?: DaemonAnswer;
    }
  /** It has the call: a worker that does not confirm this at once is not running. */
  | { readonly type: "taken" };

interface Worker {
  readonly child: ChildProcess;
  /** The project whose plugins it has started last. */
  project: string | undefined;
  state: "starting" | "free" | "busy";
  freeSince: number;
  /** When its call has to be over. */
  deadline: number;
  /** Ends it if it does not confirm that it has its call. */
  unnoticed: NodeJS.Timeout | undefined;
  /** Takes the answer of a call whose client's socket did not come along. */
  done: (answer: DaemonAnswer) => void;
}

interface Waiting {
  readonly project: string | undefined;
  readonly take: (worker: Worker | undefined) => void;
}

/**
 * The processes that run hooks for a daemon. Each takes one call at a time, in the folder and environment of its caller; calls
 * with plugins go to the worker that has started the plugins of their project, if it is free.
 */
export class WorkerPool {
  readonly #start: () => ChildProcess;
  readonly #limits: Required<WorkerLimits>;
  readonly #workers = new Set<Worker>();
  readonly #waiting = new Set<Waiting>();
  readonly #watch: NodeJS.Timeout;
  #failedAt = Number.NEGATIVE_INFINITY;
  #missing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(start: () => ChildProcess, limits: WorkerLimits = {}) {
    this.#start = start;
    this.#limits = { ...LIMITS, ...limits };
    const { idleMs, overdueMs } = this.#limits;
    this.#watch = setInterval(() => this.#stopIdle(), Math.min(idleMs, overdueMs) / 2).unref();
  }

  get size(): number {
    return this.#workers.size;
  }

  /** Passes a client's socket to a worker, which answers there. False when none was free in time; nothing has happened then. */
  async passClient({ request, project, timeoutMs }: WorkerCall, client: Socket): Promise<boolean> {
    const worker = await this.#take(project);
    if (worker === undefined) return false;
    this.#expect(worker, timeoutMs);
    stopReading(client);
    send(worker, { type: "call", request, hasClient: true }, client);
    return true;
  }

  /** Lets a worker decide, and returns its answer; undefined when none was free in time. */
  async decide({ request, project, timeoutMs }: WorkerCall, signal?: AbortSignal): Promise<DaemonAnswer | undefined> {
    const worker = await this.#take(project);
    if (worker === undefined) return undefined;
    this.#expect(worker, timeoutMs);
    const abort = () => send(worker, { type: "abort" });
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise<DaemonAnswer>((resolve) => {
      worker.done = resolve;
      // The parsed payload would be sent a second time.
      const { value: _, ...sent } = request;
      send(worker, { type: "call", request: sent, hasClient: false });
      if (signal?.aborted) abort();
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  /**
   * How long a call may take, and how long it may go unnoticed. A worker that was stopped, or hangs, is killed; no hook
   * of the call has begun then, so its client decides without the daemon.
   */
  #expect(worker: Worker, timeoutMs: number): void {
    const { overdueMs, takeMs } = this.#limits;
    worker.deadline = milliseconds() + timeoutMs + overdueMs;
    worker.unnoticed = setTimeout(() => worker.child.kill("SIGKILL"), takeMs).unref();
  }

  /** Takes no more calls; workers that are busy finish theirs. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#missing);
    for (const { take } of this.#waiting) take(undefined);
    for (const worker of this.#workers) this.#dismiss(worker);
  }

  #take(project: string | undefined): Promise<Worker | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const { startMs, busyMs, maxWorkers } = this.#limits;
    const isFull = this.#workers.size >= maxWorkers && [...this.#workers].every(({ state }) => state === "busy");
    return new Promise((resolve) => {
      const timeout = setTimeout(() => waiting.take(undefined), isFull ? busyMs : startMs);
      const waiting: Waiting = {
        project,
        take: (worker) => {
          clearTimeout(timeout);
          this.#waiting.delete(waiting);
          resolve(worker);
        },
      };
      this.#waiting.add(waiting);
      this.#assign();
    });
  }

  /** Gives each waiting call a free worker; for the calls that are left, others are started. */
  #assign(): void {
    for (const { project, take } of this.#waiting) {
      const free = [...this.#workers].filter(({ state }) => state === "free");
      const worker = [project, undefined].flatMap((one) => free.find((has) => has.project === one) ?? [])[0] ?? free[0];
      if (worker === undefined) break;
      worker.state = "busy";
      worker.project = project ?? worker.project;
      take(worker);
    }
    this.#addMissing();
  }

  /** A worker that has just answered its client is free very soon: it is waited for before another one is started. */
  #addMissing(isLate = false): void {
    const states = [...this.#workers].map(({ state }) => state);
    const missing = this.#waiting.size - states.filter((state) => state === "starting").length;
    if (missing <= 0) return;
    if (isLate || !states.includes("busy")) for (let at = 0; at < missing; at++) this.#addOne();
    else
      this.#missing ??= setTimeout(() => {
        this.#missing = undefined;
        this.#addMissing(true);
      }, ALMOST_FREE_MS).unref();
  }

  #addOne(): void {
    if (this.#isClosed || milliseconds() - this.#failedAt < RETRY_MS) return;
    if (this.#workers.size >= this.#limits.maxWorkers) return;
    const worker: Worker = {
      child: this.#start(),
      project: undefined,
      state: "starting",
      freeSince: 0,
      deadline: NEVER,
      unnoticed: undefined,
      done: () => {},
    };
    this.#workers.add(worker);
    worker.child.on("message", (message: FromWorker) => this.#onMessage(worker, message));
    for (const end of ["exit", "error"]) worker.child.on(end, () => this.#onExit(worker));
    worker.child.unref();
    worker.child.channel?.unref();
  }

  #onMessage(worker: Worker, message: FromWorker): void {
    clearTimeout(worker.unnoticed);
    worker.unnoticed = undefined;
    if (message.type === "free") this.#onFree(worker, message);
  }

  #onFree(worker: Worker, { rss, answer }: Extract<FromWorker, { type: "free" }>): void {
    const isTooLarge = worker.state === "busy" && rss > this.#limits.maxMemory;
    worker.state = "free";
    worker.freeSince = milliseconds();
    worker.deadline = NEVER;
    worker.done(answer ?? LOST);
    worker.done = () => {};
    if (isTooLarge) this.#dismiss(worker);
    if (!this.#isClosed) this.#assign();
  }

  #onExit(worker: Worker): void {
    const { unnoticed } = worker;
    clearTimeout(unnoticed);
    if (worker.state === "starting") this.#failedAt = milliseconds();
    worker.done(unnoticed === undefined ? LOST : NOT_TAKEN);
    if (this.#workers.delete(worker) && !this.#isClosed) this.#assign();
  }

  #stopIdle(): void {
    for (const { child, deadline } of this.#workers) if (milliseconds() > deadline) child.kill("SIGKILL");
    const free = [...this.#workers].filter(({ state }) => state === "free");
    const idle = free.filter(({ freeSince }) => milliseconds() - freeSince > this.#limits.idleMs);
    for (const worker of idle.slice(this.#workers.size === idle.length ? 1 : 0)) this.#dismiss(worker);
  }

  #dismiss(worker: Worker): void {
    const { child, state } = worker;
    this.#workers.delete(worker);
    if (child.connected) child.disconnect();
    if (state === "free") setTimeout(() => child.kill("SIGKILL"), EXIT_MS).unref();
  }
}

function send({ child }: Worker, message: ToWorker, client?: Socket): void {
  // A worker that is gone is noticed by its exit; its client sees the end of the connection.
  child.send(message, client, {}, () => {});
}

/** What arrives from now on is for the worker; node itself continues reading until the worker has the socket. */
function stopReading(client: Socket): void {
  const { _handle: handle } = client as Socket & { readonly _handle?: { readStop?(): void } | null };
  handle?.readStop?.();
}

const NOT_TAKEN: DaemonAnswer = { kind: "cold", usesNetwork: true };
const LOST: DaemonAnswer = { kind: "cold", usesNetwork: false, isLost: true };
const MIB = 1024 * 1024;
const LIMITS: Required<WorkerLimits> = {
  maxWorkers: 8,
  maxMemory: 128 * MIB,
  startMs: 1000,
  busyMs: 50,
  idleMs: 60_000,
  takeMs: 3000,
  overdueMs: 20_000,
};
const RETRY_MS = 500;
/** Starting a worker takes several times as long. */
const ALMOST_FREE_MS = 20;
const EXIT_MS = 5000;
const NEVER = Number.POSITIVE_INFINITY;
