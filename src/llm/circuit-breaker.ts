import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { learned } from "./learned.ts";

/** Stops asking a model that keeps failing: hooks that ask meanwhile get that answer at once. */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures: number[] = [];
  #openUntil: number | undefined;

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
  }

  /** Why the model is not asked now; `undefined` when the circuit is closed. */
  get refusal(): string | undefined {
    const left = (this.#openUntil ?? 0) - this.#clock.steady();
    if (this.#openUntil === undefined || left <= 0) return undefined;
    return `the model failed ${FAILURES} times within ${WITHIN / 1000} s; it is asked again in ${Math.ceil(left / 1000)} s`;
  }

  succeeded(): void {
    this.#failures = [];
    this.#openUntil = undefined;
  }

  /** After a pause the first failure is enough for the next one. */
  failed(): void {
    const now = this.#clock.steady();
    this.#failures = [...this.#failures.filter((at) => now - at < WITHIN), now];
    if (this.#openUntil !== undefined || this.#failures.length >= FAILURES) this.#openUntil = now + PAUSE;
  }
}

/** The one breaker of a model in this process. */
export function breakerOf(model: string): CircuitBreaker {
  const breaker = breakers.get(model) ?? new CircuitBreaker();
  breakers.set(model, breaker);
  return breaker;
}

const breakers = learned<CircuitBreaker>();
const FAILURES = 5;
const WITHIN = 30_000;
const PAUSE = 30_000;
