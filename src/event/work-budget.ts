import { milliseconds } from "./clock.ts";

/**
 * What one call may cost: one clock from the moment it is read, for all that is done until its gate is decided. It counts the
 * processor's time, so that a machine with other work decides no call otherwise.
 */
export class WorkBudget {
  /** When the call was read, by the clock. */
  readonly began: number;
  readonly #processor: () => number;
  readonly #clock: () => number;
  #left: number;
  #mark: number;
  #nextLook: number;
  /** When work was counted last, by the clock. */
  #counted: number;
  /** What was counted by the clock since the processor's time was asked for. */
  #byClock = 0;

  constructor(ms = CALL_MS, clocks: WorkClocks = {}) {
    this.#processor = clocks.processor ?? processorMs;
    this.#clock = clocks.clock ?? milliseconds;
    this.#left = ms;
    this.began = this.#clock();
    this.#mark = workedBefore(this.began, this.#processor);
    this.#nextLook = this.began + LOOK_MS;
    this.#counted = this.began;
  }

  /**
   * Whether all is used up; `now` is the time where it is known already. To ask for the processor's time takes longer than most
   * rules.
   */
  isSpent(now = this.#clock()): boolean {
    if (this.#left <= 0 || now < this.#nextLook) return this.#left <= 0;
    this.#nextLook = now + LOOK_MS;
    this.#spend(now, Number.POSITIVE_INFINITY);
    return this.#left <= 0;
  }

  /** Counts all that was done up to here, before something else is waited for. */
  pause(): void {
    this.#spend(this.#clock(), Number.POSITIVE_INFINITY);
  }

  /** Continues after a wait: what the process did meanwhile may have been for others, so little of it is counted. */
  resume(): void {
    this.#spend(this.#clock(), WAIT_MS);
  }

  /** What took a moment counts as work: the clock tells the time in a fraction of what the processor's time takes. */
  #spend(now: number, most: number): void {
    const passed = now - this.#counted;
    this.#counted = now;
    if (passed < MOMENT_MS) {
      this.#left -= passed;
      this.#byClock += passed;
      return;
    }
    const worked = this.#processor();
    this.#left -= Math.max(0, Math.min(worked - this.#mark - this.#byClock, most));
    this.#mark = worked;
    this.#byClock = 0;
  }
}

/** What a budget is measured with. */
export interface WorkClocks {
  /** Milliseconds that the processor has worked for this process. */
  readonly processor?: () => number;
  readonly clock?: () => number;
}

/** What is said where it is used up. */
export const TOO_MUCH_WORK =
  "deciding this call takes more than the 2 s that a call may take; make the call smaller, or the hooks and rules fewer";

/**
 * The processor's time when a call begins. Calls that follow one another ask for it once: what has passed since then counts as
 * work.
 */
function workedBefore(now: number, processor: () => number): number {
  const isRecent = asked.processor === processor && now >= asked.at && now < asked.at + LOOK_MS;
  if (!isRecent) asked = { processor, at: now, worked: processor() };
  return asked.worked + now - asked.at;
}

let asked = { processor: processorMs, at: Number.POSITIVE_INFINITY, worked: 0 };

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Of the two seconds, the rest is for what comes after the decision: the answer and its record. */
const CALL_MS = 1400;
const LOOK_MS = 20;
const MOMENT_MS = 1;
/** To start a hook and to read its answer takes about so long. */
const WAIT_MS = 2;
