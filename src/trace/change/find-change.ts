import { resolve } from "node:path";
import type { ChangeRecord } from "./change-record.ts";
import { stateOf } from "./file-state.ts";
import { hashOfLines, linesOf } from "./line-ranges.ts";
import { type Project, tracePlace } from "./place.ts";
import { changes } from "./read-changes.ts";
import { relativeTo } from "./touched-files.ts";

/** A record that wrote something, and how sure that is. */
export interface FoundChange {
  readonly record: ChangeRecord;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** `intact`: the lines still are what it wrote. `moved`: they are, elsewhere. `rewritten`: it wrote at this place, and the lines changed since. */
  readonly state: "intact" | "moved" | "rewritten" | "recorded";
}

/** The records that wrote lines with this hash, or the record with this id, newest first. */
export function findByHash(project: Project, hash: string): FoundChange[] {
  const wanted = hash.toLowerCase().replace(/^sha256:/, "");
  const found: FoundChange[] = [];
  for (const record of changes(tracePlace(project))) {
    for (const { relative_path: path, ranges } of record.files) {
      for (const { start_line, end_line, content_hash } of ranges) {
        const isWanted = content_hash.slice("sha256:".length).startsWith(wanted) || record.id.startsWith(wanted);
        if (isWanted) found.push({ record, path, start_line, end_line, state: "recorded" });
      }
    }
  }
  return found.reverse();
}

/** The records that wrote a line of a file as it is now, the surest and newest first; lines may have moved since, also from other files. */
export function findByLine(project: Project, file: string, line: number): FoundChange[] {
  const path = relativeTo(project.root, resolve(project.root, file));
  const now = stateOf(resolve(project.root, file));
  const lines = now.kind === "text" ? linesOf(now.text) : [];
  const windows = new Windows(lines, line);
  const found: FoundChange[] = [];
  for (const record of changes(tracePlace(project))) {
    for (const { relative_path, renamed_from, ranges } of record.files) {
      for (const { start_line, end_line, content_hash } of ranges) {
        const length = end_line - start_line + 1;
        const isHere = relative_path === path || renamed_from === path;
        const isCovered = isHere && start_line <= line && line <= end_line;
        if (isCovered && hashOfLines(lines.slice(start_line - 1, end_line)) === content_hash)
          found.push({ record, path: relative_path, start_line, end_line, state: "intact" });
        else {
          const start = windows.startOf(content_hash, length);
          if (start !== undefined)
            found.push({
              record,
              path: relative_path,
              start_line: start,
              end_line: start + length - 1,
              state: "moved",
            });
          else if (isCovered) found.push({ record, path: relative_path, start_line, end_line, state: "rewritten" });
        }
      }
    }
  }
  const newest = found.reverse();
  return [
    ...newest.filter(({ state }) => state !== "rewritten"),
    ...newest.filter(({ state }) => state === "rewritten"),
  ];
}

/** All stretches of lines around one line, by their hash; each length is worked out once. */
class Windows {
  readonly #lines: readonly string[];
  readonly #line: number;
  readonly #byLength = new Map<number, ReadonlyMap<string, number>>();
  #left = MOST_HASHED_LINES;

  constructor(lines: readonly string[], line: number) {
    this.#lines = lines;
    this.#line = line;
  }

  startOf(hash: string, length: number): number | undefined {
    const known = this.#byLength.get(length) ?? this.#hashed(length);
    this.#byLength.set(length, known);
    return known.get(hash);
  }

  #hashed(length: number): Map<string, number> {
    const found = new Map<string, number>();
    const first = Math.max(1, this.#line - length + 1);
    const last = Math.min(this.#line, this.#lines.length - length + 1);
    for (let start = first; start <= last && this.#left > 0; start++) {
      this.#left -= length;
      found.set(hashOfLines(this.#lines.slice(start - 1, start - 1 + length)), start);
    }
    return found;
  }
}

const MOST_HASHED_LINES = 2_000_000;
