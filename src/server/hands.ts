import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { FromHand, ToHand } from "./hand-messages.ts";
import type { Answer, Request } from "./protocol.ts";

/** A call whose hooks need a process: small ones that are started for it run them, and wait for the next. */
export interface Handed {
  readonly request: Request;
  /** The project whose plugins are loaded; none where no plugin hears the call. */
  readonly project: string | undefined;
  /** Milliseconds until the answer has to be there. */
  readonly patience: number;
}

/** How many processes run hooks, and how long they live. */
export interface HandLimits {
  readonly most?: number;
  /** Bytes of memory above which one is replaced: what starts a process has to be small. */
  readonly mostMemory?: number;
  /** Milliseconds that a call waits for one that starts. */
  readonly patienceMs?: number;
  /** Milliseconds that a call waits when all are at work. */
  readonly crowdedMs?: number;
  /** Milliseconds without a call after which one leaves; the last one stays. */
  readonly idleMs?: number;
  /** Milliseconds beyond the patience of its caller after which one is ended: a plugin may never come back. */
  readonly overdueMs?: number;
}

interface Hand {
  readonly child: ChildProcess;
  project: string | undefined;
  state: "starting" | "free" | "busy";
  freeSince: number;
  /** When its call has to be over. */
  until: number;
  /** Takes the answer of a call whose caller has no process of his own. */
  done: (answer: Answer) => void;
}

interface Waiting {
  readonly project: string | undefined;
  readonly take: (hand: Hand | undefined) => void;
}

/**
 * The processes that run hooks for an engine. Each takes one call at a time, in the place of its caller; one that has
 * loaded a project's plugins serves no other project.
 */
export class Hands {
  readonly #start: () => ChildProcess;
  readonly #limits: Required<HandLimits>;
  readonly #hands = new Set<Hand>();
  readonly #waiting = new Set<Waiting>();
  readonly #watch: NodeJS.Timeout;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(start: () => ChildProcess, limits: HandLimits = {}) {
    this.#start = start;
    this.#limits = { ...LIMITS, ...limits };
    const { idleMs, overdueMs } = this.#limits;
    this.#watch = setInterval(() => this.#sendHome(), Math.min(idleMs, overdueMs) / 2).unref();
  }

  get size(): number {
    return this.#hands.size;
  }

  /** Gives a client to a hand, which answers it. False when none was free in time; nothing has happened then. */
  async give({ request, project, patience }: Handed, client: Socket): Promise<boolean> {
    const hand = await this.#take(project);
    if (hand === undefined) return false;
    hand.until = performance.now() + patience + this.#limits.overdueMs;
    stopReading(client);
    tell(hand, { say: "take", request, project, hasClient: true }, client);
    return true;
  }

  /** Lets a hand decide for a caller who has no process of his own; nothing when none was free in time. */
  async decide({ request, project, patience }: Handed, signal?: AbortSignal): Promise<Answer | undefined> {
    const hand = await this.#take(project);
    if (hand === undefined) return undefined;
    hand.until = performance.now() + patience + this.#limits.overdueMs;
    const giveUp = () => tell(hand, { say: "give up" });
    signal?.addEventListener("abort", giveUp, { once: true });
    return new Promise<Answer>((resolve) => {
      hand.done = resolve;
      // The value of a payload would be said a second time.
      const { value: _, ...said } = request;
      tell(hand, { say: "take", request: said, project, hasClient: false });
      if (signal?.aborted) giveUp();
    }).finally(() => signal?.removeEventListener("abort", giveUp));
  }

  /** Takes no more calls; hands that are at work finish it. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    for (const { take } of this.#waiting) take(undefined);
    for (const hand of this.#hands) this.#dismiss(hand);
  }

  #take(project: string | undefined): Promise<Hand | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const { patienceMs, crowdedMs, most } = this.#limits;
    const isCrowded = this.#hands.size >= most && [...this.#hands].every(({ state }) => state === "busy");
    return new Promise((resolve) => {
      const patience = setTimeout(() => waiting.take(undefined), isCrowded ? crowdedMs : patienceMs);
      const waiting: Waiting = {
        project,
        take: (hand) => {
          clearTimeout(patience);
          this.#waiting.delete(waiting);
          resolve(hand);
        },
      };
      this.#waiting.add(waiting);
      this.#match();
    });
  }

  /** Whoever waits gets a hand that is free for him; for those who are left, others are started. */
  #match(): void {
    for (const { project, take } of this.#waiting) {
      const free = [...this.#hands].filter(({ state }) => state === "free");
      const hand = free.find((one) => one.project === project) ?? free.find((one) => one.project === undefined);
      if (hand === undefined) continue;
      hand.state = "busy";
      hand.project = project;
      take(hand);
    }
    const starting = [...this.#hands].filter(({ state }) => state === "starting").length;
    if (this.#waiting.size > starting) this.#addOne();
  }

  /** Where there are enough, one that is free for others makes room. */
  #addOne(): void {
    if (this.#isClosed || performance.now() - this.#failedAt < RETRY_MS) return;
    const free = [...this.#hands].find(({ state }) => state === "free");
    if (this.#hands.size >= this.#limits.most && free === undefined) return;
    if (this.#hands.size >= this.#limits.most && free !== undefined) this.#dismiss(free);
    const hand: Hand = {
      child: this.#start(),
      project: undefined,
      state: "starting",
      freeSince: 0,
      until: NEVER,
      done: () => {},
    };
    this.#hands.add(hand);
    hand.child.on("message", (said: FromHand) => this.#freed(hand, said));
    for (const end of ["exit", "error"]) hand.child.on(end, () => this.#lost(hand));
    hand.child.unref();
    hand.child.channel?.unref();
  }

  #freed(hand: Hand, { rss, answer }: FromHand): void {
    const isWorn = hand.state === "busy" && rss > this.#limits.mostMemory;
    hand.state = "free";
    hand.freeSince = performance.now();
    hand.until = NEVER;
    hand.done(answer ?? LOST);
    hand.done = () => {};
    if (isWorn) this.#dismiss(hand);
    if (!this.#isClosed) this.#match();
  }

  #lost(hand: Hand): void {
    if (hand.state === "starting") this.#failedAt = performance.now();
    hand.done(LOST);
    if (this.#hands.delete(hand) && !this.#isClosed) this.#match();
  }

  #sendHome(): void {
    for (const { child, until } of this.#hands) if (performance.now() > until) child.kill("SIGKILL");
    const free = [...this.#hands].filter(({ state }) => state === "free");
    const idle = free.filter(({ freeSince }) => performance.now() - freeSince > this.#limits.idleMs);
    for (const hand of idle.slice(this.#hands.size === idle.length ? 1 : 0)) this.#dismiss(hand);
  }

  /** One that has nothing to do and does not leave is kept by something that a plugin has left behind. */
  #dismiss(hand: Hand): void {
    const { child, state } = hand;
    this.#hands.delete(hand);
    if (child.connected) child.disconnect();
    if (state === "free") setTimeout(() => child.kill("SIGKILL"), FAREWELL_MS).unref();
  }
}

function tell({ child }: Hand, message: ToHand, client?: Socket): void {
  // A hand that is gone is missed when it ends; its client sees the end of the connection.
  child.send(message, client, {}, () => {});
}

/** What comes from now on is for the hand; node itself goes on reading until the hand has the socket. */
function stopReading(client: Socket): void {
  const { _handle: handle } = client as Socket & { readonly _handle?: { readStop?(): void } | null };
  handle?.readStop?.();
}

const LOST: Answer = { kind: "cold", usesNetwork: false, isLost: true };
const MIB = 1024 * 1024;
const LIMITS: Required<HandLimits> = {
  most: 8,
  mostMemory: 128 * MIB,
  patienceMs: 1000,
  crowdedMs: 50,
  idleMs: 60_000,
  overdueMs: 20_000,
};
const RETRY_MS = 500;
const FAREWELL_MS = 5000;
const NEVER = Number.POSITIVE_INFINITY;
