import type { FileState } from "./file-state.ts";
import { changedRanges, type LineRange, wholeRange } from "./line-ranges.ts";

/** What happened to one file, as records keep it. */
export interface FileChange {
  readonly relative_path: string;
  /** Lines of the file as it is now. */
  readonly ranges: readonly LineRange[];
  readonly created?: true;
  readonly deleted?: true;
  readonly renamed_from?: string;
  /** Lines that are no longer there. */
  readonly removed_lines?: number;
  /** No lines: the hash of all bytes. */
  readonly binary?: true;
  readonly content_hash?: string;
  /** What was there before is not known, so all lines count. */
  readonly before?: "unknown";
  /** No call named it; it changed while this one ran. */
  readonly inferred?: true;
  /** It was not there after the call, as when an editor holds it unsaved: the lines are those that the call was given. */
  readonly not_on_disk?: true;
  /** Nothing is different: it was only moved, or written as it was; the lines are those that were written again. */
  readonly unchanged?: true;
}

/** Describes a change by what was there before and what is there now; `before` is nothing where nobody looked. */
export function changeOf(path: string, before: FileState | undefined, after: FileState): FileChange {
  switch (after.kind) {
    case "missing":
    case "other":
      return { relative_path: path, ranges: [], ...(after.kind === "missing" ? { deleted: true } : {}) };
    case "bytes": {
      const isNew = before?.kind === "missing";
      return {
        relative_path: path,
        ranges: [],
        ...(isNew ? { created: true } : {}),
        binary: true,
        content_hash: after.hash,
        ...(isSame(before, after) ? { unchanged: true } : {}),
      };
    }
    case "text": {
      if (before?.kind === "text") {
        const { ranges, removed } = changedRanges(before.text, after.text);
        const removed_lines = removed === 0 ? {} : { removed_lines: removed };
        return { relative_path: path, ranges, ...removed_lines, ...(isSame(before, after) ? { unchanged: true } : {}) };
      }
      const ranges = wholeRange(after.text);
      if (before?.kind === "missing") return { relative_path: path, ranges, created: true };
      return { relative_path: path, ranges, before: "unknown" };
    }
  }
}

/** Whether two looks at a file saw the same. */
export function isSame(before: FileState | undefined, after: FileState): boolean {
  if (before === undefined || before.kind !== after.kind) return false;
  return before.kind === "missing" || ("hash" in before && "hash" in after ? before.hash === after.hash : false);
}
