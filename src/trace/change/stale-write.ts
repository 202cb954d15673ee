import { resolve } from "node:path";
import type { EventFacts } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { stateOf } from "./file-state.ts";
import { tracePlace } from "./place.ts";
import { changesBackwards } from "./read-changes.ts";
import { seenBy, seenKey } from "./seen-files.ts";
import { relativeTo } from "./touched-files.ts";
import type { Traced } from "./traced.ts";

/** Why a write would go over changes that its session has not seen; nothing when it would not. */
export function whyStale(event: EventFacts, paths: readonly string[], traced: Traced): string | undefined {
  if (isOfKind(event.toolName ?? "", "@shell") || event.sessionId === undefined) return undefined;
  const place = tracePlace(traced);
  const seen = seenBy(place.state, event);
  for (const path of paths) {
    const hash = seen[seenKey(resolve(path))];
    const now = hash === undefined ? undefined : stateOf(path);
    if (now === undefined || !("hash" in now) || now.hash === hash) continue;
    const name = relativeTo(traced.root, path);
    return `${name} has changed since this session last read it: ${whoChanged(name, event, place)}. Read it again, then write.`;
  }
  return undefined;
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
