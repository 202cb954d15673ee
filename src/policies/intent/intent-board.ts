import { changes } from "../../trace/change/read-changes.ts";
import { tracePaths } from "../../trace/change/trace-paths.ts";
import type { BoardCriterion, BoardIntent } from "./intent.ts";
import { type IntentWork, intentWork } from "./intent-work.ts";
import { knownIntents } from "./intents-file.ts";
import { compileScope } from "./scope.ts";
import { Workspace } from "./workspace.ts";

/** Every intent of a project with what was done for it, by the trace of changes and the journal. */
export function intentBoard(root: string, env: Readonly<Record<string, string | undefined>>): BoardIntent[] {
  const read = knownIntents(root);
  if (read.state !== "read" || read.intents.length === 0) return [];
  const workspace = new Workspace(root);
  const done = changesOf(root, env);
  const work = intentWork(root, env);
  return read.intents.map(({ id, name, status, ownedScope, acceptanceCriteria }) => {
    const { sessions, files, count, last } = done.get(id) ?? noChanges();
    const own = work.get(id);
    const scope = compileScope(ownedScope, workspace);
    const isOwned = (path: string) => {
      const place = workspace.locate(path, root);
      return place.kind === "inside" && scope.owns(place);
    };
    return {
      id,
      name,
      status,
      scope: ownedScope,
      criteria: acceptanceCriteria.map((text) => ({ text, progress: progressOf(text, own) })),
      sessions: [...new Set([...(own?.sessions ?? []), ...sessions])].reverse().slice(0, MAX_SESSIONS),
      changes: count,
      lastChange: last,
      violations: [...(own?.violations.values() ?? [])].map(({ code, reason, count: times }) => ({
        code,
        reason,
        count: times,
      })),
      outside: [...files].filter((path) => !isOwned(path)),
    };
  });
}

function progressOf(text: string, work: IntentWork | undefined): BoardCriterion["progress"] {
  const [, tick] = /^\s*\[([ xX])\]/.exec(text) ?? [];
  if (tick !== undefined) return tick === " " ? "open" : "met";
  const commands = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
  const runs = commands.flatMap((command) => work?.commands.get(command)?.last ?? []);
  if (runs.length === 0) return "unknown";
  return runs.length === commands.length && runs.every((last) => last === "passed") ? "met" : "open";
}

interface Changes {
  readonly sessions: Set<string>;
  readonly files: Set<string>;
  count: number;
  last: string | null;
}

/** What the trace holds about each intent; files that were deleted since are left out. */
function changesOf(root: string, env: Readonly<Record<string, string | undefined>>): Map<string, Changes> {
  const found = new Map<string, Changes>();
  for (const { timestamp, intent_id, session_id, files } of changes(tracePaths({ root, env }))) {
    for (const { relative_path: path, deleted } of files)
      if (deleted) for (const one of found.values()) one.files.delete(path);
    if (intent_id === null) continue;
    const known = found.get(intent_id) ?? noChanges();
    found.set(intent_id, known);
    known.count++;
    known.last = timestamp;
    if (session_id !== undefined) known.sessions.add(session_id);
    for (const { relative_path: path, deleted } of files) if (!deleted) known.files.add(path);
  }
  return found;
}

function noChanges(): Changes {
  return { sessions: new Set(), files: new Set(), count: 0, last: null };
}

const MAX_SESSIONS = 50;
