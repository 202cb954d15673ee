import { join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { isInProject } from "../../fs/project-bounds.ts";
import { readEnd } from "../../fs/regular-file.ts";
import { INTENTS_FOLDER } from "./intents-file.ts";

/** A change that was made under an intent lately. */
export interface RecentChange {
  readonly time: string;
  readonly mutation: string;
  readonly files: readonly string[];
}

/** Where a project's changes are recorded. */
function tracePath(root: string): string {
  return join(root, INTENTS_FOLDER, "agent_trace.jsonl");
}

/** The latest changes of one intent, the newest last; none where nothing is recorded. */
export function recentChanges(root: string, intentId: string, most = 5): RecentChange[] {
  const path = tracePath(root);
  const lines = isInProject(root, path) ? tailOf(path).split("\n") : [];
  return lines.flatMap((line) => changeIn(line, intentId) ?? []).slice(-most);
}

function changeIn(line: string, intentId: string): RecentChange | undefined {
  try {
    const record = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (record.intent_id !== intentId) return undefined;
    const files = Array.isArray(record.files) ? record.files : [];
    const paths = files.map((file) => String((Object(file) as Record<string, unknown>).relative_path ?? "?"));
    return { time: String(record.timestamp ?? ""), mutation: String(record.mutation_class ?? ""), files: paths };
  } catch {
    return undefined;
  }
}

function tailOf(path: string): string {
  return attempt(() => readEnd(path, { maxBytes: TAIL }).toString("utf8")) ?? "";
}

const TAIL = 64 * 1024;
