import { isCanary } from "../trace/outcome.ts";
import { callRow } from "./call-row.ts";
import type { CallSource } from "./call-source.ts";

/** Follows what is recorded for every page that is open; while none is, nothing is read. */
export interface LiveRecords {
  /** What is recorded from now on, as server-sent events. */
  events(signal: AbortSignal): AsyncGenerator<string, void, void>;
  close(): void;
}

/** Makes the one follower of a source. */
export function followCalls(source: CallSource): LiveRecords {
  const listeners = new Set<(event: string) => void>();
  let following: AbortController | undefined;

  async function follow(stop: AbortController): Promise<void> {
    for await (const record of source.follow(stop.signal)) {
      if (isCanary(record.results)) continue;
      const event = `data: ${JSON.stringify(callRow(record))}\n\n`;
      for (const listener of listeners) listener(event);
    }
  }

  function listen(listener: (event: string) => void): () => void {
    listeners.add(listener);
    if (following === undefined) {
      following = new AbortController();
      void follow(following);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      following?.abort();
      following = undefined;
    };
  }

  return {
    async *events(signal) {
      const waiting: string[] = [];
      let wake = () => {};
      const end = listen((event) => {
        waiting.push(event);
        // A page that does not read is told once that it has missed something, instead of filling the memory.
        if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length, "event: missed\ndata: {}\n\n");
        wake();
      });
      signal.addEventListener("abort", () => wake(), { once: true });
      try {
        yield "event: open\ndata: {}\n\n";
        while (!signal.aborted) {
          if (waiting.length === 0) await resting((done) => (wake = done));
          yield waiting.length === 0 ? ": still here\n\n" : waiting.splice(0).join("");
        }
      } finally {
        end();
      }
    },
    close: () => {
      following?.abort();
      listeners.clear();
    },
  };
}

/** Waits until it is woken, or for so long that the other side may wonder. */
function resting(wakeBy: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HEARTBEAT_MS);
    wakeBy(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const MOST_WAITING = 5000;
const HEARTBEAT_MS = 15_000;
