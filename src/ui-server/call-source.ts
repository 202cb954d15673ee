import { setTimeout } from "node:timers/promises";
import { followRecords, journalEnds } from "../trace/follow.ts";
import { records } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";

/** A record with the machine that shipped it, where it comes from a database. */
export type SourceRecord = DecisionRecord & { readonly machine?: string };

/** Where the pages read calls from: the journal of this machine, or a database that many machines ship theirs to. */
export interface CallSource {
  /** Tells this source from others. */
  readonly name: string;
  /** Newest first; from `since` on, and a little before it. Lines that are not wanted may be left out. */
  records(since?: string, isWanted?: (line: string) => boolean): AsyncIterable<SourceRecord> | Iterable<SourceRecord>;
  /** One record: ids come up twice in a long journal, so its time is needed too. */
  find(id: string, at: number): Promise<SourceRecord | undefined>;
  /** What is recorded from now on; some of what was recorded just before may come, too. */
  follow(signal: AbortSignal): AsyncIterable<SourceRecord>;
}

/** The journal of this machine. */
export function journalSource(folder: string): CallSource {
  return {
    name: folder,
    records: (_, isWanted) => records(folder, undefined, () => isWanted ?? true),
    async find(id, at) {
      const oldest = Number.isFinite(at) ? new Date(at - DISORDER_MS).toISOString() : "";
      for (const record of records(folder)) {
        if (record.id === id && (!Number.isFinite(at) || Date.parse(record.time) === at)) return record;
        if (record.time < oldest) return undefined;
      }
      return undefined;
    },
    follow: (signal) => followRecords(folder, journalEnds(folder), { signal }),
  };
}

/** A database of calls; what `sluice log --store` reads, too. */
export function storeSource(url: string): CallSource {
  const store = () => import("../ship/postgres-read.ts");
  async function* stored(since?: string): AsyncGenerator<SourceRecord, void, void> {
    yield* (await store()).storedRecords(url, since);
  }
  return {
    name: url,
    records: stored,
    find: async (id, at) => (await store()).storedRecord(url, id, new Date(at).toISOString()),
    async *follow(signal) {
      // Machines ship what they recorded some time ago, so everything of late is looked at, and what was not seen is told.
      let seen: ReadonlySet<string> = new Set();
      while (!signal.aborted) {
        const now = new Map<string, SourceRecord>();
        try {
          for await (const record of stored(new Date(Date.now() - DISORDER_MS).toISOString())) {
            now.set(`${record.machine} ${record.time} ${record.id}`, record);
            if (now.size >= MAX_OF_LATE) break;
          }
          const before = seen;
          seen = new Set(now.keys());
          yield* [...now].flatMap(([key, one]) => (before.has(key) ? [] : [one])).reverse();
        } catch {
          // A database that is away for a moment is asked again.
        }
        await setTimeout(STORE_POLL_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** Several processes write a journal at once, each a moment after it has looked at its clock. */
const DISORDER_MS = 60 * 60 * 1000;
const STORE_POLL_MS = 2000;
const MAX_OF_LATE = 2000;
