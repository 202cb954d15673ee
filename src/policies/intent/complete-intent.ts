import type { StateHome } from "../../fs/state-dir.ts";
import { writeIntentMap } from "../../trace/change/intent-map.ts";
import { tracePaths } from "../../trace/change/trace-paths.ts";
import { setStatus } from "./declare.ts";
import { type IntentWork, intentWork } from "./intent-work.ts";
import { asLesson, recordLessons } from "./memory-file.ts";

/** What the end of an intent has written; a part without content is absent. */
export interface CompletedIntent {
  /** The intent map, and how many intents it has. */
  readonly map?: { readonly file: string; readonly intents: number };
  readonly lessons?: { readonly file: string; readonly lines: readonly string[] };
}

/**
 * Completes an intent: its status, the intent map of the project, and what was learned on the way. Doing it again changes
 * nothing.
 */
export function completeIntent(root: string, id: string, { env = process.env }: StateHome): CompletedIntent {
  setStatus(root, id, "COMPLETED");
  const map = writeIntentMap(tracePaths({ root, env }), "if any");
  const work = intentWork(root, env).get(id);
  const lines = work === undefined ? [] : lessonsOf(work).map((text) => asLesson(`${id}: ${text}`));
  return {
    ...(map === undefined || map.intents.length === 0 ? {} : { map: { file: map.file, intents: map.intents.length } }),
    ...(lines.length === 0 ? {} : { lessons: { file: recordLessons(root, lines, "CLAUDE.md"), lines } }),
  };
}

/** What sessions came up against: checks that failed before they passed, and each violation once. */
function lessonsOf({ commands, violations }: IntentWork): string[] {
  const checks = [...commands]
    .filter(([, { isMended }]) => isMended)
    .map(([command, { failure }]) => {
      const why = failure ? `: ${failure}` : "";
      return `\`${shortened(command)}\` failed before it passed${why}`;
    });
  const denials = [...violations.values()].map(({ reason, paths }) =>
    paths.size === 0
      ? `denied: ${withoutOwners(reason)}`
      : `changes of ${some([...paths])} were denied, outside of its scope`,
  );
  return [...checks.slice(0, MAX_OF_A_KIND), ...denials.slice(0, MAX_OF_A_KIND)];
}

/** A closed intent owns nothing: what it owned, and how to add to it, would mislead the agents that read the lesson later. */
function withoutOwners(reason: string): string {
  const kept = reason.split(/(?<=\.)\s+/).filter((sentence) => !/\bowns\b|\bsluice intents scope add\b/.test(sentence));
  return kept.join(" ");
}

function some(paths: readonly string[]): string {
  const more = paths.length > MAX_OF_A_KIND ? ` and ${paths.length - MAX_OF_A_KIND} more` : "";
  return paths.slice(0, MAX_OF_A_KIND).join(", ") + more;
}

function shortened(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").replaceAll("`", "'").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

const MAX_OF_A_KIND = 5;
const MAX_TEXT = 160;
