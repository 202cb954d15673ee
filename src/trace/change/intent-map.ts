import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../../fs/write-atomic.ts";
import type { ChangeRecord } from "./change-record.ts";
import { changes } from "./read-changes.ts";
import type { TracePaths } from "./trace-paths.ts";

/** What was done for one intent, file by file. */
export interface MappedIntent {
  /** Nothing for changes without an intent. */
  readonly id: string | null;
  readonly changes: number;
  readonly sessions: number;
  readonly last: string;
  readonly files: readonly {
    readonly path: string;
    readonly changes: number;
    readonly lines: number;
    readonly classes: readonly string[];
  }[];
}

/** Adds up a trace by intents, the one that was worked on last first. */
export function mappedIntents(records: Iterable<ChangeRecord>): MappedIntent[] {
  const found = new Map<string | null, Collected>();
  for (const record of records) {
    if (record.files.length === 0) continue;
    const intent: Collected = found.get(record.intent_id) ?? {
      changes: 0,
      sessions: new Set(),
      last: "",
      files: new Map(),
    };
    found.set(record.intent_id, intent);
    intent.changes++;
    intent.sessions.add(record.session_id);
    if (record.timestamp > intent.last) intent.last = record.timestamp;
    for (const { relative_path, ranges, mutation_class } of record.files) {
      const file = intent.files.get(relative_path) ?? { changes: 0, lines: 0, classes: new Set<string>() };
      intent.files.set(relative_path, file);
      file.changes++;
      file.lines += ranges.reduce((sum, { start_line, end_line }) => sum + end_line - start_line + 1, 0);
      file.classes.add(mutation_class ?? record.mutation_class);
    }
  }
  const mapped = [...found].map(
    ([id, intent]): MappedIntent => ({
      id,
      changes: intent.changes,
      sessions: intent.sessions.size,
      last: intent.last,
      files: [...intent.files]
        .map(([path, { changes, lines, classes }]) => ({ path, changes, lines, classes: [...classes].sort() }))
        .sort((one, other) => (one.path < other.path ? -1 : 1)),
    }),
  );
  return mapped.sort((one, other) => (one.last < other.last ? 1 : -1));
}

interface Collected {
  changes: number;
  readonly sessions: Set<string | undefined>;
  last: string;
  readonly files: Map<string, { changes: number; lines: number; classes: Set<string> }>;
}

/** Writes `intent_map.md` again, always or only if there is something to map; undefined if there is no trace. */
export function writeIntentMap(
  place: TracePaths,
  when: "always" | "if any",
): { readonly file: string; readonly intents: readonly MappedIntent[] } | undefined {
  // The folder itself would turn tracing on.
  if (!existsSync(place.folder)) return undefined;
  const file = join(place.folder, "intent_map.md");
  const intents = mappedIntents(changes(place));
  if (when === "always" || intents.length > 0) writeAtomic(file, intentMapText(intents), "replace");
  return { file, intents };
}

/** The same as a page for people. It is written again each time; manual changes are lost. */
export function intentMapText(intents: readonly MappedIntent[]): string {
  const head = [
    "# Intent map",
    "",
    "Made by `sluice trace map` and `sluice intents done` from `agent_trace.jsonl`: which intent changed which files.",
    "",
  ];
  if (intents.length === 0) return [...head, "trace OK: nothing is recorded yet.", ""].join("\n");
  const parts = intents.flatMap(({ id, changes, sessions, last, files }) => [
    `## ${id === null ? "Without an intent" : plain(id)}`,
    "",
    `${counted(changes, "change")} in ${counted(sessions, "session")}, the last one at ${plain(last)}.`,
    "",
    "| file | changes | lines written | kinds of change |",
    "|---|---:|---:|---|",
    ...files.map(
      (file) => `| ${plain(file.path)} | ${file.changes} | ${file.lines} | ${file.classes.map(plain).join(", ")} |`,
    ),
    "",
  ]);
  return [...head, ...parts].join("\n");
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** A name cannot become markup. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>|#]/g, (sign) => `\\${sign}`);
}
