import type { ChangeRecord } from "./change-record.ts";
import { RECORD, ROW } from "./outline.ts";
import { type OutlinedPart, outlinedParts } from "./outline-store.ts";
import type { TracePlace } from "./place.ts";
import { readChange } from "./read-changes.ts";
import { linesOfStretch, stretchAt } from "./stretch.ts";

/** Whether a record may be worth reading, by one row of its outline, which begins at `at`, and by the number of its id. */
export type IsLikely = (rows: Uint32Array, at: number, id: number) => boolean;

/** The records that may be worth reading, newest first; only these are read. */
export function* likelyRecords(place: TracePlace, isLikely: IsLikely): Generator<ChangeRecord, void, void> {
  for (const part of outlinedParts(place)) {
    const { records, rows } = part.outline;
    let last = -1;
    for (let at = rows.length - ROW.width; at >= 0; at -= ROW.width) {
      const record = rows[at + ROW.record] ?? 0;
      if (record === last || !isLikely(rows, at, records[record * RECORD.width + RECORD.id] ?? 0)) continue;
      last = record;
      const found = recordIn(part, record);
      if (found !== undefined) yield found;
    }
  }
}

function recordIn({ file, from, to, outline }: OutlinedPart, number: number): ChangeRecord | undefined {
  const { records } = outline;
  const begin = from + (records[number * RECORD.width + RECORD.begin] ?? 0);
  const next = records[(number + 1) * RECORD.width + RECORD.begin];
  const end = next === undefined ? to : from + next;
  const [line] = linesOfStretch(stretchAt(file, begin, end, end - begin));
  return line === undefined ? undefined : readChange(line.text);
}
