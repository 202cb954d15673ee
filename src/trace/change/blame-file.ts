import { resolve } from "node:path";
import type { ChangeRecord } from "./change-record.ts";
import { stateOf } from "./file-state.ts";
import { hashOfLines, type LineRange, linesOf } from "./line-ranges.ts";
import { ROW, textNumber } from "./record-index.ts";
import { likelyRecords } from "./record-index-store.ts";
import { type TracedProject, tracePaths } from "./trace-paths.ts";

/** A file as it is now, and which record wrote each of its lines. */
export interface BlamedFile {
  readonly lines: readonly BlamedLine[];
  /** The records that wrote one of them. */
  readonly records: readonly ChangeRecord[];
}

/** A line, and who wrote it. */
interface BlamedLine {
  readonly text: string;
  /** The index of its record in the list; undefined if no recorded call wrote it. */
  readonly record?: number;
  /** The line was changed after this record, and nothing is known about that change. */
  readonly isRewritten?: true;
}

/** Finds for every line of a file which call wrote it; undefined for a file that is not text. */
export function blameFile(project: TracedProject, path: string): BlamedFile | undefined {
  const now = stateOf(resolve(project.root, path));
  if (now.kind !== "text") return undefined;
  const text = linesOf(now.text);
  const { owners: blamed } = blameLines(text, path, recordsAbout(project, [path]).get(path) ?? []);
  const records = [...new Set(blamed.flatMap((line) => line?.record ?? []))];
  return {
    records,
    lines: text.map((line, at) => {
      const found = blamed[at];
      if (found === undefined) return { text: line };
      return { text: line, record: records.indexOf(found.record), ...(found.isSure ? {} : { isRewritten: true }) };
    }),
  };
}

/** The records of the lines of a text. */
export interface BlamedLines {
  /** For each line the record that wrote it; not sure where the lines of the record have changed since. */
  readonly owners: readonly ({ readonly record: ChangeRecord; readonly isSure: boolean } | undefined)[];
  /** Whether all lines of all records were found as they were written. */
  readonly isExact: boolean;
}

/** Finds the record of each line of a text. */
export function blameLines(text: readonly string[], path: string, newestFirst: readonly ChangeRecord[]): BlamedLines {
  const sure: (ChangeRecord | undefined)[] = text.map(() => undefined);
  const weak: (ChangeRecord | undefined)[] = text.map(() => undefined);
  let left = MAX_HASHED_LINES;
  let isExact = true;
  for (const record of newestFirst) {
    for (const { relative_path, renamed_from, unchanged, ranges } of record.files) {
      if (unchanged || (relative_path !== path && renamed_from !== path)) continue;
      for (const range of ranges) {
        const start = placeOf(range);
        if (start !== undefined) claim(sure, record, start, range.end_line - range.start_line + 1);
        else {
          isExact = false;
          claim(weak, record, range.start_line, range.end_line - range.start_line + 1);
        }
      }
    }
    if (!sure.includes(undefined)) break;
  }
  const owners = text.map((_, at) => {
    const record = sure[at] ?? weak[at];
    return record === undefined ? undefined : { record, isSure: sure[at] !== undefined };
  });
  return { owners, isExact };

  /** Where the lines of a range are now: at their place, or elsewhere in the file. */
  function placeOf({ start_line, end_line, content_hash }: LineRange): number | undefined {
    const length = end_line - start_line + 1;
    const isAt = (start: number) => {
      left -= length;
      return hashOfLines(text.slice(start - 1, start - 1 + length)) === content_hash;
    };
    if (end_line <= text.length && isAt(start_line)) return start_line;
    for (let start = 1; start + length - 1 <= text.length && left > 0; start++)
      if (sure[start - 1] === undefined && isAt(start)) return start;
    return undefined;
  }

  function claim(owners: (ChangeRecord | undefined)[], record: ChangeRecord, start: number, length: number): void {
    for (let at = start - 1; at < Math.min(owners.length, start - 1 + length); at++) owners[at] ??= record;
  }
}

/** The records about each of these files, newest first, read in one pass. */
export function recordsAbout(project: TracedProject, paths: readonly string[]): Map<string, ChangeRecord[]> {
  const found = new Map<string, ChangeRecord[]>(paths.map((path) => [path, []]));
  const numbers = new Set(paths.map(textNumber));
  if (paths.length === 0) return found;
  const isAbout = (rows: Uint32Array, at: number) =>
    numbers.has(rows[at + ROW.path] ?? 0) || numbers.has(rows[at + ROW.earlierPath] ?? 0);
  for (const record of likelyRecords(tracePaths(project), isAbout))
    for (const { relative_path, renamed_from = "" } of record.files)
      for (const path of new Set([relative_path, renamed_from])) {
        const known = found.get(path);
        if (known !== undefined && known.at(-1) !== record) known.push(record);
      }
  return found;
}

const MAX_HASHED_LINES = 2_000_000;
