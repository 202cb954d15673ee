import { randomUUID } from "node:crypto";
import type { Redactor } from "../redact.ts";
import type { FileState } from "./file-state.ts";
import { changedRanges, type LineRange, wholeRange } from "./line-ranges.ts";

/** How a change relates to behaviour, found by comparing syntax trees. */
export const MUTATION_CLASSES = {
  FORMAT_ONLY: "the same code: only blanks, line breaks and comments differ",
  AST_REFACTOR: "the same behaviour as far as the tree shows: renamed locals, moved declarations, extracted parts",
  INTENT_EVOLUTION: "code that does something else",
  NON_CODE: "documents, data, images",
  UNKNOWN: "unknown: it cannot be parsed, is too large, or was not seen before",
} as const;

export type MutationClass = keyof typeof MUTATION_CLASSES;

/** The value for the commit without git, or without a commit yet. */
export const UNKNOWN_REVISION = "unknown";

/** One line of the trace: which call changed which lines, for which intent, and what was decided about it. */
export interface ChangeRecord {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  readonly intent_id: string | null;
  readonly mutation_class: MutationClass;
  /** The commit of the work tree, or `unknown`. */
  readonly vcs: { readonly revision_id: string };
  readonly files: readonly (FileChange & { readonly mutation_class?: MutationClass })[];
  readonly agent?: string;
  readonly session_id?: string;
  readonly tool?: string;
  readonly tool_use_id?: string;
  /** The tool reported that it failed; the changes it made before are here. */
  readonly failed?: true;
  readonly decision?: { readonly action: string; readonly reasons: readonly string[] };
  readonly hook_results?: readonly { readonly name: string; readonly action: string }[];
  /** More files may have changed than are named. */
  readonly is_open?: true;
  readonly engine_version?: string;
  /** Binds the record to the line before it. */
  readonly previous_hash?: string | null;
}

/** Everything about a record that does not make itself. */
export type RecordParts = Omit<ChangeRecord, "id" | "timestamp" | "previous_hash">;

/** Makes a record; texts lose their secrets first, hashes and numbers stay. */
export function changeRecord(parts: RecordParts, redact: Redactor, now = new Date()): ChangeRecord {
  const { mutation_class, vcs, files, ...texts } = parts;
  const { intent_id, ...rest } = redact.value(texts) as typeof texts;
  return {
    id: randomUUID(),
    timestamp: now.toISOString(),
    intent_id,
    mutation_class,
    vcs,
    files: files.map((file) => withoutSecrets(file, redact)),
    ...rest,
  };
}

function withoutSecrets<T extends FileChange>(file: T, redact: Redactor): T {
  const { relative_path, renamed_from } = file;
  return {
    ...file,
    relative_path: redact.text(relative_path),
    ...(renamed_from === undefined ? {} : { renamed_from: redact.text(renamed_from) }),
  };
}

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
  /** The state before is not known, so all lines are listed. */
  readonly before?: "unknown";
  /** No call named it; it changed while this one ran. */
  readonly inferred?: true;
  /** It was not there after the call, as when an editor has not saved it: the lines are those that the call was given. */
  readonly not_on_disk?: true;
  /** Nothing is different: it was only moved, or written as it was; the lines are those that were written again. */
  readonly unchanged?: true;
}

/** Describes a change by the states before and after; `before` is undefined if the state before is unknown. */
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
