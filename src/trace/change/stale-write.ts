import { resolve } from "node:path";
import type { Look } from "../../act/act.ts";
import type { EventFacts } from "../../event/field.ts";
import { stateOf } from "./file-state.ts";
import { tracePlace } from "./place.ts";
import { overwrittenFiles } from "./read-and-written.ts";
import { changesBackwards } from "./read-changes.ts";
import { seenBy, seenKey } from "./seen-files.ts";
import { relativeTo } from "./touched-files.ts";
import type { Traced } from "./traced.ts";

/**
 * Why a call would go over changes that its session has not seen; nothing when it would not. What the call itself reads
 * first does not count: the agent has not seen it when it decides what to write.
 */
export function whyStale(event: EventFacts, traced: Traced, look?: Look): string | undefined {
  if (event.sessionId === undefined) return undefined;
  const place = tracePlace(traced);
  const seen = seenBy(place.state, event);
  for (const path of overwrittenFiles(event, traced.root, look)) {
    const hash = seen[seenKey(resolve(path))];
    const now = hash === undefined ? undefined : stateOf(path);
    if (now === undefined || !("hash" in now) || now.hash === hash) continue;
    const name = relativeTo(traced.root, path);
    if (isScratch(path, name)) continue;
    return `${name} has changed since this session last read it: ${whoChanged(name, event, place)}. Read it again, then write.`;
  }
  return undefined;
}

/** Files for the moment, outside of the project, are written by many and belong to nobody. */
function isScratch(path: string, name: string): boolean {
  return name.startsWith("..") && /^\/(?:tmp|var\/tmp)\//.test(path);
}

function whoChanged(name: string, { sessionId, agent }: EventFacts, place: ReturnType<typeof tracePlace>): string {
  for (const record of changesBackwards(place, MOST_LOOKED_AT)) {
    const file = record.files.find(({ relative_path }) => relative_path === name);
    if (file === undefined || (record.session_id === sessionId && record.agent === agent)) continue;
    const lines = file.ranges.map(({ start_line, end_line }) => `${start_line}-${end_line}`).slice(0, 5);
    const where = lines.length === 0 ? "" : `, lines ${lines.join(", ")}`;
    const whose = record.intent_id === null ? "" : ` for ${record.intent_id}`;
    return `session ${record.session_id ?? "without a name"}${whose} changed it at ${record.timestamp}${where}`;
  }
  return "no recorded call did it";
}

const MOST_LOOKED_AT = 2000;
