import { sha256Text } from "../fs/late-builtins.ts";
import { type DraftReplay, NO_SUMMARY, type ReplayDraft } from "./draft-replay.ts";
import type { ReplaySummary } from "./wire-policy.ts";

/** Replays that pages have asked for. One continues in the background while no page looks at it, until another is asked for. */
export class ReplayJobs {
  readonly #replayDraft: ReplayDraft;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #jobs = new Map<string, Job>();
  #newest: Job | undefined;

  constructor(replayDraft: ReplayDraft, env: Readonly<Record<string, string | undefined>>) {
    this.#replayDraft = replayDraft;
    this.#env = env;
  }

  /** Every summary of a replay from now on, until it is done or the page goes away. */
  async *summaries(replay: DraftReplay, saved: string, gone: AbortSignal): AsyncGenerator<ReplaySummary> {
    const key = sha256Text(JSON.stringify([replay.drafts, replay.root, saved]));
    const job = this.#jobOf(key, replay);
    let wake = () => {};
    const listener = () => wake();
    job.listeners.add(listener);
    gone.addEventListener("abort", listener, { once: true });
    try {
      for (let shown = 0; !gone.aborted; ) {
        if (shown === job.version) {
          if (job.isOver) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        shown = job.version;
        if (job.error !== undefined) throw job.error;
        yield job.latest;
      }
    } finally {
      job.listeners.delete(listener);
      if (job !== this.#newest) this.#endUnwatched();
    }
  }

  close(): void {
    for (const { stop } of this.#jobs.values()) stop.abort();
  }

  #jobOf(key: string, replay: DraftReplay): Job {
    const known = this.#jobs.get(key);
    if (known !== undefined && !known.stop.signal.aborted && Date.now() - known.began < MAX_AGE_MS) return known;
    const job: Job = {
      // The page shows at once that work has begun.
      latest: { ...NO_SUMMARY, next: { days: 1, part: 0 } },
      version: 1,
      isOver: false,
      began: Date.now(),
      listeners: new Set(),
      stop: new AbortController(),
    };
    this.#newest = job;
    this.#endUnwatched();
    this.#jobs.set(key, job);
    void this.#run(job, replay);
    return job;
  }

  /** Ends what no page looks at any more, except the newest. */
  #endUnwatched(): void {
    for (const [name, job] of this.#jobs) {
      if (job.listeners.size > 0 || job === this.#newest) continue;
      job.stop.abort();
      this.#jobs.delete(name);
    }
  }

  async #run(job: Job, replay: DraftReplay): Promise<void> {
    const tell = () => {
      job.version++;
      for (const listener of job.listeners) listener();
    };
    try {
      for await (const summary of this.#replayDraft(replay, this.#env, job.stop.signal)) {
        job.latest = summary;
        tell();
      }
      if (job.latest.state === "more") job.latest = { ...job.latest, state: "cut" };
      else return;
    } catch (error) {
      job.error = error;
      job.stop.abort();
    } finally {
      job.isOver = true;
      tell();
    }
  }
}

/** One replay, and the pages that look at it. */
interface Job {
  latest: ReplaySummary;
  version: number;
  isOver: boolean;
  error?: unknown;
  readonly began: number;
  readonly listeners: Set<() => void>;
  readonly stop: AbortController;
}

/** A result that is older than this is made again: calls have been recorded since. */
const MAX_AGE_MS = 5 * 60 * 1000;
