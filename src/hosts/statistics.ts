import type { HookResult } from "../decision/result.ts";

/** What is known about one hook's runs so far. */
export interface HookStats {
  readonly calls: number;
  /** Runs that broke, whatever that came to mean. */
  readonly errors: number;
  readonly denials: number;
  readonly totalMs: number;
  /** Half of the latest runs took no longer. */
  readonly p50Ms: number;
  /** All but one in a hundred of the latest runs took no longer. */
  readonly p99Ms: number;
}

/** Counts runs per hook, in bounded memory. */
export class Statistics {
  readonly #byHook = new Map<string, Tally>();

  add({ hook: { name }, durationMs, failure, action }: HookResult): void {
    const tally = this.#byHook.get(name) ?? this.#begin(name);
    tally.recent[tally.calls % MAX_RECENT] = durationMs;
    tally.calls++;
    tally.totalMs += durationMs;
    if (failure !== undefined) tally.errors++;
    if (action === "deny") tally.denials++;
  }

  /** Hooks that ran, and those named here even when they did not. */
  all(names: Iterable<string>): Record<string, HookStats> {
    const all = new Set([...names, ...this.#byHook.keys()]);
    return Object.fromEntries([...all].map((name) => [name, summary(this.#byHook.get(name) ?? newTally())]));
  }

  #begin(name: string): Tally {
    const tally = newTally();
    this.#byHook.set(name, tally);
    return tally;
  }
}

interface Tally {
  calls: number;
  errors: number;
  denials: number;
  totalMs: number;
  /** A ring of the latest durations. */
  readonly recent: number[];
}

function newTally(): Tally {
  return { calls: 0, errors: 0, denials: 0, totalMs: 0, recent: [] };
}

function summary({ recent, ...counts }: Tally): HookStats {
  const sorted = recent.toSorted((one, other) => one - other);
  const within = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { ...counts, p50Ms: within(0.5), p99Ms: within(0.99) };
}

/** Percentiles are those of the latest runs. */
const MAX_RECENT = 1000;
