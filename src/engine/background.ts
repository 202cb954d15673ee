import type { HookResult } from "../decision/result.ts";

/** The hooks that nobody waits for, and what they gave. */
export class Background {
  readonly #running = new Set<Promise<HookResult>>();
  #ended: HookResult[] = [];

  /** Never rejects, like every run of a hook. */
  add(run: Promise<HookResult>): void {
    this.#running.add(run);
    void run.then((result) => {
      this.#running.delete(run);
      this.#ended.push(result);
      // Most programs never ask.
      if (this.#ended.length > MOST_ENDED) this.#ended.shift();
    });
  }

  /** Waits for those that still run, and gives what all gave since the last time. */
  async idle(): Promise<HookResult[]> {
    await Promise.all(this.#running);
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }
}

const MOST_ENDED = 1000;
