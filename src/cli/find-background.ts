import { backgroundNote } from "../decide/journal.ts";
import { records } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";

/** The run of `async` hooks that the record of a call speaks of, once it has ended. */
export function backgroundOf({ time, notes }: DecisionRecord, folder: string): DecisionRecord | undefined {
  if (notes === undefined) return undefined;
  // A hook that ends at once is written down before a call that others keep waiting.
  const oldest = new Date(Date.parse(time) - LONGEST_CALL_MS).toISOString();
  for (const record of records(folder)) {
    if (record.time < oldest) break;
    if (record.background && notes.includes(backgroundNote(record.id))) return record;
  }
  return undefined;
}

const LONGEST_CALL_MS = 60 * 60 * 1000;
