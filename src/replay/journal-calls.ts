import type { ReadCounts } from "../trace/file-lines.ts";
import { isCanary } from "../trace/outcome.ts";
import { records, recordsInOrder } from "../trace/read.ts";
import { callOfRecord, type ReplayCall } from "./replay-call.ts";

/** Which calls of the journal are meant. */
export interface JournalCallQuery {
  /** Calls before this are not judged; those of the day before are read all the same, for rules that ask about the past. */
  readonly since: string;
  /** Whether the calls of a project are meant. */
  readonly isHere: (project: { readonly root?: string; readonly cwd?: string }) => boolean;
  readonly counts?: ReadCounts | undefined;
}

/** The calls of a journal, oldest first; what `sluice doctor` made up is left out. */
export function* journalCalls(folder: string, { since, isHere, counts }: JournalCallQuery): Generator<ReplayCall> {
  const from = new Date(Date.parse(since) - PAST_MS).toISOString().slice(0, DATE);
  for (const record of recordsInOrder(folder, counts, (name) => name.slice(0, DATE) >= from)) {
    if (isCanary(record.results) || !isHere(record)) continue;
    const call = callOfRecord(record);
    if (call !== undefined) yield call;
  }
}

/** The latest calls of a project, oldest first; calls before them are not their past. */
export function latestCalls(folder: string, isHere: JournalCallQuery["isHere"], most: number): ReplayCall[] {
  const found: ReplayCall[] = [];
  let looked = 0;
  for (const record of records(folder)) {
    if (found.length >= most || ++looked > MAX_LOOKED) break;
    const call = isCanary(record.results) || !isHere(record) ? undefined : callOfRecord(record);
    if (call !== undefined) found.push(call);
  }
  return found.reverse();
}

/** How many records are looked at for calls of a project. */
const MAX_LOOKED = 5000;
const DATE = "2000-01-01".length;
const PAST_MS = 24 * 60 * 60 * 1000;
