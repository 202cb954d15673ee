import { setTimeout } from "node:timers/promises";
import { followRecords, journalEnds } from "../trace/follow.ts";
import { placedLines, readRecord, records } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";

/** A record with the machine that shipped it, where it comes from a database. */
export type SourceRecord = DecisionRecord & { readonly machine?: string };

/** Where the pages read calls from: the journal of this machine, or a database that many machines ship theirs to. */
export interface CallSource {
  /** Tells this source from others. */
  readonly name: string;
  /** Newest first; from `since` on, and a little before it. */
  records(since?: string): AsyncIterable<SourceRecord> | Iterable<SourceRecord>;
  /** Newest first. While a long journal is read, other requests are answered. */
  search(search: CallSearch): AsyncIterable<PlacedRecord>;
  /** One record: ids come up twice in a long journal, so its time is needed too. */
  find(id: string, at: number): Promise<SourceRecord | undefined>;
  /** What is recorded from now on; some of what was recorded just before may come, too. */
  follow(signal: AbortSignal): AsyncIterable<SourceRecord>;
}

/** Which records are looked for. More than these may come. */
interface CallSearch {
  /** The place after which the search continues. */
  readonly after?: string | undefined;
  /** In milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Whether a line of a journal may hold a record that is looked for. */
  readonly mayFit?: (line: string) => boolean;
  readonly signal?: AbortSignal;
}

/** A record, and its place in the source. */
interface PlacedRecord {
  readonly record: SourceRecord;
  readonly place: string;
}

/** The journal of this machine. */
export function journalSource(folder: string): CallSource {
  async function* search({
    after,
    from = 0,
    to,
    mayFit = () => true,
    signal,
  }: CallSearch): AsyncGenerator<PlacedRecord> {
    const oldest = timeText(from - DISORDER_MS);
    const latest = to === undefined ? "9" : timeText(to);
    let began = performance.now();
    for (const { text, place } of placedLines(folder, after, to === undefined ? undefined : to + DISORDER_MS)) {
      const busy = performance.now() - began;
      if (busy > MAX_BUSY_MS) {
        await setTimeout(busy / 2);
        if (signal?.aborted) return;
        began = performance.now();
      }
      const [, time = latest] = TIME.exec(text) ?? [];
      if (time < oldest) return;
      const record = time > latest || !mayFit(text) ? undefined : readRecord(text);
      if (record !== undefined) yield { record, place };
    }
  }
  return {
    name: folder,
    records: () => records(folder),
    search,
    async find(id, at) {
      const hasTime = Number.isFinite(at);
      // A record is in the file of its day, unless a clock was wrong.
      for (const times of hasTime ? [{ from: at, to: at }, {}] : [{}])
        for await (const { record } of search({ ...times, mayFit: (line) => line.includes(id) }))
          if (record.id === id && (!hasTime || Date.parse(record.time) === at)) return record;
      return undefined;
    },
    follow: (signal) => followRecords(folder, journalEnds(folder), { signal }),
  };
}

/** A time as records have it. */
function timeText(at: number): string {
  return new Date(Math.min(Math.max(at, 0), LATEST)).toISOString();
}

/** A database of calls; what `sluice log --store` reads, too. */
export function storeSource(url: string): CallSource {
  const store = () => import("../ship/postgres-read.ts");
  async function* stored(since?: string): AsyncGenerator<SourceRecord, void, void> {
    yield* (await store()).storedRecords(url, since);
  }
  async function* search({ after, from, to, signal }: CallSearch): AsyncGenerator<PlacedRecord> {
    const since = from === undefined ? undefined : timeText(from);
    const until = to === undefined ? undefined : timeText(to);
    const before = after === undefined ? undefined : (JSON.parse(after) as readonly unknown[]);
    for await (const record of (await store()).storedRecords(url, since, before)) {
      if (signal?.aborted) return;
      if (until === undefined || record.time <= until)
        yield { record, place: JSON.stringify([record.time, record.machine, record.id]) };
    }
  }
  return {
    name: url,
    records: stored,
    search,
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
/** The time of a record, which is at the beginning of its line. */
const TIME = /^.{0,60}?"time":"([^"]{24})"/;
/** The latest time that a `Date` has. */
const LATEST = 8.64e15 - DISORDER_MS;
/** How long a search keeps the server at most before it pauses. */
const MAX_BUSY_MS = 12;
const STORE_POLL_MS = 2000;
const MAX_OF_LATE = 2000;
