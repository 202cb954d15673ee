import { eventNamed } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import type { StateHome } from "../../fs/state-dir.ts";
import { writeIntentMap } from "../../trace/change/intent-map.ts";
import { tracePaths } from "../../trace/change/trace-paths.ts";
import { journalFolder } from "../../trace/journal.ts";
import { records } from "../../trace/read.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { setStatus } from "./declare.ts";
import { intentCall, selectedId } from "./handshake.ts";
import { asLesson, recordLessons } from "./memory-file.ts";

/** What the end of an intent left behind; what there was nothing to write about is absent. */
export interface CompletedIntent {
  /** The intent map, and how many intents it has. */
  readonly map?: { readonly file: string; readonly intents: number };
  readonly lessons?: { readonly file: string; readonly lines: readonly string[] };
}

/** Completes an intent: its status, the intent map of the project, and what was learned on the way. Doing it again changes nothing. */
export function completeIntent(root: string, id: string, { env = process.env }: StateHome): CompletedIntent {
  setStatus(root, id, "COMPLETED");
  const map = writeIntentMap(tracePaths({ root, env }), "if any");
  const lines = lessonsOf(id, recordsOf(root, env));
  return {
    ...(map === undefined || map.intents.length === 0 ? {} : { map: { file: map.file, intents: map.intents.length } }),
    ...(lines.length === 0 ? {} : { lessons: { file: recordLessons(root, lines, "CLAUDE.md"), lines } }),
  };
}

/** This project's calls as far back as the journal is looked through, the oldest first. */
function recordsOf(root: string, env: NonNullable<StateHome["env"]>): DecisionRecord[] {
  const found: DecisionRecord[] = [];
  let looked = 0;
  for (const record of records(journalFolder(env))) {
    if (++looked > MAX_LOOKED_AT) break;
    if (record.root === root && record.kind === "decision" && !record.background) found.push(record);
  }
  return found.reverse();
}

/** What sessions came up against while they worked on an intent: checks that failed before they passed, and denials. */
function lessonsOf(id: string, calls: readonly DecisionRecord[]): string[] {
  const selected = new Map<string, string>();
  const failed = new Map<string, string>();
  const passed = new Map<string, string>();
  const denied = new Map<string, Set<string>>();
  for (const record of calls) {
    const session = `${record.agent}\0${record.session_id}`;
    const data = dataOf(record);
    const type = eventNamed(record.event);
    if (type === "tool:pre_execute" && record.action !== "deny") {
      const call = intentCall(
        new HookEvent({ type, data, ...(record.tool === undefined ? {} : { toolName: record.tool }) }),
      );
      if (call?.tool === "select_active_intent") selected.set(session, selectedId(call));
    }
    if (selected.get(session) !== id) continue;
    const { command } = Object(data.tool_args) as { readonly command?: unknown };
    if (type === "tool:pre_execute" && record.action === "deny" && isLesson(record))
      for (const reason of record.reasons) addReason(denied, reason);
    else if (typeof command !== "string") continue;
    else if (type === "tool:error" && !failed.has(command)) failed.set(command, firstLine(data.error));
    else if (type === "tool:post_execute" && failed.has(command)) passed.set(command, failed.get(command) ?? "");
  }
  const checks = [...passed].map(([command, error]) => {
    const why = error === "" ? "" : `: ${error}`;
    return `\`${shortened(command)}\` failed before it passed${why}`;
  });
  const objections = [...denied.values()].map(([reason, ...alike]) => {
    const more = alike.length === 0 ? "" : ` (and ${alike.length} more like it)`;
    return `denied: ${reason}${more}`;
  });
  return [...checks.slice(0, MAX_OF_A_KIND), ...objections.slice(0, MAX_OF_A_KIND)].map((text) =>
    asLesson(`${id}: ${text}`),
  );
}

/** Reasons that differ only in the files they name are one violation. */
function addReason(denied: Map<string, Set<string>>, reason: string): void {
  const violation = reason
    .replaceAll(/[^\s,;()"'`]*[/.][^\s,;()"'`]*\w/g, "<>")
    .replaceAll(/<>(?: \([^)]*\))?(?:, <>(?: \([^)]*\))?)*(?: and \d+ more)?/g, "<>");
  const known = denied.get(violation) ?? new Set<string>();
  denied.set(violation, known.add(reason));
}

/** Denials that only ask for the next step teach nothing. */
function isLesson({ results }: DecisionRecord): boolean {
  const codes = results.flatMap(({ action, code }) => (action === "deny" ? [code] : []));
  return codes.some((code) => code !== "INTENT_REQUIRED" && code !== "STALE_WRITE");
}

function dataOf({ event_json }: DecisionRecord): Readonly<Record<string, unknown>> {
  const { data } = Object(event_json) as { readonly data?: unknown };
  return Object(data) as Readonly<Record<string, unknown>>;
}

function firstLine(error: unknown): string {
  const lines = typeof error === "string" ? error.split("\n").map((line) => line.trim()) : [];
  return lines.find((line) => line !== "")?.slice(0, MAX_SIGNS) ?? "";
}

function shortened(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").replaceAll("`", "'").trim();
  return line.length > MAX_SIGNS ? `${line.slice(0, MAX_SIGNS - 1)}…` : line;
}

const MAX_LOOKED_AT = 50_000;
const MAX_OF_A_KIND = 5;
const MAX_SIGNS = 160;
