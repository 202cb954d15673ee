import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ChangeRecord } from "./change-record.ts";
import { earlierNames, nameToday } from "./file-names.ts";
import { stateOf } from "./file-state.ts";
import { hashOfLines, linesOf } from "./line-ranges.ts";
import { contentNumber, contentNumbers, ID_LENGTH, idNumber, ROW, textNumber } from "./record-index.ts";
import { likelyRecords } from "./record-index-store.ts";
import { relativeTo } from "./touched-files.ts";
import { type TracedProject, tracePaths } from "./trace-paths.ts";

/** A record that wrote something, and how sure that is. */
export interface FoundChange {
  readonly record: ChangeRecord;
  /** The name of the file today. */
  readonly path: string;
  /** The name that the record has for it, if that is another one. */
  readonly recorded_path?: string;
  /** Both are zero for a file that was changed without writing lines. */
  readonly start_line: number;
  readonly end_line: number;
  /**
   * `intact`: the lines still are what it wrote. `again`: they are, and were before it. `moved`: they are, elsewhere.
   * `rewritten`: it wrote at this place, and the lines changed since.
   */
  readonly state: "intact" | "again" | "moved" | "rewritten" | "recorded";
}

/** The records that wrote lines with this hash, or the record with this id, newest first, up to a number. */
export function findByHash(project: TracedProject, hash: string): FoundChange[] {
  const wanted = hash.toLowerCase().replace(/^sha256:/, "");
  const [least, most] = contentNumbers(wanted);
  const id = wanted.length < ID_LENGTH ? undefined : idNumber(wanted);
  const found: FoundChange[] = [];
  const records = likelyRecords(tracePaths(project), (rows, at, recordId) => {
    const content = rows[at + ROW.content] ?? 0;
    return (content >= least && content <= most) || id === undefined || id === recordId;
  });
  for (const record of records) {
    found.push(...withHash(record, wanted).reverse());
    if (found.length >= MAX_FOUND) break;
  }
  const names = new Map<string, string>();
  return found.map((one) => {
    const today = names.get(one.path) ?? nameToday(project, one.path);
    names.set(one.path, today);
    return named(one, today);
  });
}

function named(found: FoundChange, path: string): FoundChange {
  return found.path === path ? found : { ...found, path, recorded_path: found.path };
}

/** The records that wrote a line of a file as it is now, the surest and newest first; lines may have moved since, also from other files. */
export function findByLine(project: TracedProject, file: string, line: number): FoundChange[] {
  const path = nameToday(project, relativeTo(project.root, resolve(project.root, file)));
  const now = stateOf(resolve(project.root, path));
  const windows = new LineWindows(now.kind === "text" ? linesOf(now.text) : [], line);
  const names = new Set([path, ...earlierNames(project, path)]);
  const wanted: Wanted = { names, line, windows };
  const numbers = new Set([...names].map(textNumber));
  const isNamed = (name: number | undefined) => name !== undefined && name !== 0 && numbers.has(name);
  const [sure, again, rewritten]: [FoundChange[], FoundChange[], FoundChange[]] = [[], [], []];
  const listFor = ({ state }: FoundChange) => (state === "again" ? again : state === "rewritten" ? rewritten : sure);
  const records = likelyRecords(tracePaths(project), (rows, at) => {
    const [start = 0, end = 0, content = 0] = [rows[at + ROW.start], rows[at + ROW.end], rows[at + ROW.content]];
    if (start === 0) return false;
    if (wanted.windows.mayHold(content, end - start + 1)) return true;
    if (line < start || line > end || !(isNamed(rows[at + ROW.path]) || isNamed(rows[at + ROW.earlierPath])))
      return false;
    return rewritten.length < MAX_FOUND || contentNumber(wanted.windows.hashAt(start, end)) === content;
  });
  for (const record of records) {
    for (const one of around(record, wanted).reverse()) listFor(one).push(one);
    if (sure.length >= MAX_FOUND) break;
  }
  return [...sure, ...again, ...rewritten].slice(0, MAX_FOUND).map((one) => {
    // Lines that came from another file that is still there keep the name of that file.
    const isElsewhere = !names.has(one.path) && existsSync(resolve(project.root, one.path));
    return isElsewhere ? one : named(one, path);
  });
}

function withHash(record: ChangeRecord, wanted: string): FoundChange[] {
  const isWhole = record.id.startsWith(wanted);
  return record.files.flatMap(({ relative_path: path, ranges }): FoundChange[] => {
    if (ranges.length === 0) return isWhole ? [{ record, path, start_line: 0, end_line: 0, state: "recorded" }] : [];
    return ranges
      .filter(({ content_hash }) => isWhole || content_hash.slice("sha256:".length).startsWith(wanted))
      .map(({ start_line, end_line }) => ({ record, path, start_line, end_line, state: "recorded" }));
  });
}

interface Wanted {
  /** Today's name of the file and its earlier ones. */
  readonly names: ReadonlySet<string>;
  readonly line: number;
  readonly windows: LineWindows;
}

function around(record: ChangeRecord, { names, line, windows }: Wanted): FoundChange[] {
  return record.files.flatMap(({ relative_path, renamed_from, unchanged, ranges }) =>
    ranges.flatMap(({ start_line, end_line, content_hash }): FoundChange[] => {
      const isHere = names.has(relative_path) || (renamed_from !== undefined && names.has(renamed_from));
      const isCovered = isHere && start_line <= line && line <= end_line;
      const place = { record, path: relative_path, start_line, end_line };
      if (isCovered && windows.hashAt(start_line, end_line) === content_hash)
        return [{ ...place, state: unchanged ? "again" : "intact" }];
      const length = end_line - start_line + 1;
      const start = windows.startOf(content_hash, length);
      if (start !== undefined) return [{ ...place, start_line: start, end_line: start + length - 1, state: "moved" }];
      return isCovered ? [{ ...place, state: "rewritten" }] : [];
    }),
  );
}

/** The most changes that are listed, the newest ones. */
const MAX_FOUND = 1000;

/** All chunks of lines around one line of a text, by their hash; each length is worked out once, up to a bound. */
class LineWindows {
  readonly #lines: readonly string[];
  readonly #line: number;
  readonly #byLength = new Map<number, Windows>();
  readonly #own = new Map<string, string>();
  #left = MAX_HASHED_LINES;
  #leftOfOwn = MAX_HASHED_LINES;

  constructor(lines: readonly string[], line: number) {
    this.#lines = lines;
    this.#line = line;
  }

  /** Where the chunk of this length with this hash begins. */
  startOf(hash: string, length: number): number | undefined {
    return this.#windows(length).starts.get(hash);
  }

  /** Whether there may be one, by the number of the hash alone. */
  mayHold(content: number, length: number): boolean {
    return this.#windows(length).contents.has(content);
  }

  /** The hash of the lines from one to another, as they are now. */
  hashAt(start: number, end: number): string {
    const key = `${start}-${end}`;
    const known = this.#own.get(key);
    if (known !== undefined) return known;
    this.#leftOfOwn -= end - start + 1;
    const hash = this.#leftOfOwn < 0 ? "" : hashOfLines(this.#lines.slice(start - 1, end));
    this.#own.set(key, hash);
    return hash;
  }

  #windows(length: number): Windows {
    const known = this.#byLength.get(length) ?? this.#hashed(length);
    this.#byLength.set(length, known);
    return known;
  }

  #hashed(length: number): Windows {
    const starts = new Map<string, number>();
    const first = Math.max(1, this.#line - length + 1);
    const last = Math.min(this.#line, this.#lines.length - length + 1);
    for (let start = first; start <= last && this.#left > 0; start++) {
      this.#left -= length;
      starts.set(hashOfLines(this.#lines.slice(start - 1, start - 1 + length)), start);
    }
    return { starts, contents: new Set([...starts.keys()].map(contentNumber)) };
  }
}

interface Windows {
  readonly starts: ReadonlyMap<string, number>;
  readonly contents: ReadonlySet<number>;
}

const MAX_HASHED_LINES = 2_000_000;
