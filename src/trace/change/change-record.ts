import { randomUUID } from "node:crypto";
import type { Redactor } from "../redact.ts";
import type { FileChange } from "./file-change.ts";

/** How a change relates to behaviour, told from syntax trees. */
export const MUTATION_CLASSES = {
  FORMAT_ONLY: "the same code: only blanks, line breaks and comments differ",
  AST_REFACTOR: "the same behaviour as far as the tree shows: renamed locals, moved declarations, extracted parts",
  INTENT_EVOLUTION: "code that does something else",
  NON_CODE: "documents, data, images",
  UNKNOWN: "nobody could tell: it cannot be parsed, is too large, or was not seen before",
} as const;

export type MutationClass = keyof typeof MUTATION_CLASSES;

/** What stands for the commit where there is no git, or no commit yet. */
export const UNKNOWN_REVISION = "unknown";

/** One line of the trace: which call changed which lines, for which intent, and what was decided about it. */
export interface ChangeRecord {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  readonly intent_id: string | null;
  readonly mutation_class: MutationClass;
  /** The commit that the work tree stood on, or `unknown`. */
  readonly vcs: { readonly revision_id: string };
  readonly files: readonly (FileChange & { readonly mutation_class?: MutationClass })[];
  readonly agent?: string;
  readonly session_id?: string;
  readonly tool?: string;
  readonly tool_use_id?: string;
  /** The tool said that it failed; what it changed before is here. */
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
