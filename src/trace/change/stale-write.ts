import { resolve } from "node:path";
import type { LookupsFor } from "../../effects/effect.ts";
import type { EventFacts } from "../../event/field.ts";
import { stateOf } from "./file-state.ts";
import { type TracePaths, tracePaths } from "./trace-paths.ts";
import { overwrittenFiles, seenBy, seenKey } from "./seen-files.ts";
import { changesBackwards } from "./read-changes.ts";
import { relativeTo } from "./touched-files.ts";
import type { Traced } from "./traced.ts";

/** Changes that a call would go over and that its session has not seen. */
export interface Stale {
  /** Whether a recorded call of somebody else made them; a person or a program may write as they please. */
  readonly isRecorded: boolean;
  readonly reason: string;
}

/**
 * What a call would go over without having seen it; nothing when there is nothing. What the call itself reads first
 * does not count: the agent has not seen it when it decides what to write.
 */
export function staleWrite(event: EventFacts, traced: Traced, look?: LookupsFor): Stale | undefined {
  if (event.sessionId === undefined) return undefined;
  const place = tracePaths(traced);
  const seen = seenBy(place.state, event);
  const changed = new Map<string, number>();
  for (const path of overwrittenFiles(event, traced.root, look)) {
    const known = seen[seenKey(resolve(path))];
    const now = known?.hash === undefined ? undefined : stateOf(path);
    if (known === undefined || now === undefined || !("hash" in now) || now.hash === known.hash) continue;
    const name = relativeTo(traced.root, path);
    if (!isScratch(path, name)) changed.set(name, known.at);
  }
  const [first] = changed.keys();
  if (first === undefined) return undefined;
  const another = changeOfAnother(changed, event, place);
  if (another !== undefined) return { isRecorded: true, reason: another };
  return {
    isRecorded: false,
    reason: `${first} ${SINCE}, and no recorded call did it. Read it again to see what it says.`,
  };
}

/** Files for the moment, outside of the project, are written by many and belong to nobody. */
function isScratch(path: string, name: string): boolean {
  return name.startsWith("..") && /^\/(?:tmp|var\/tmp)\//.test(path);
}

/** The latest recorded change of one of these files by another session, made after this one looked. */
function changeOfAnother(
  changed: ReadonlyMap<string, number>,
  { sessionId, agent }: EventFacts,
  place: TracePaths,
): string | undefined {
  for (const record of changesBackwards(place, MOST_LOOKED_AT)) {
    if (record.session_id === sessionId && record.agent === agent) continue;
    const when = Date.parse(record.timestamp);
    const file = record.files.find(
      ({ relative_path, unchanged, renamed_from }) =>
        !(unchanged && renamed_from === undefined) && when >= (changed.get(relative_path) ?? Number.POSITIVE_INFINITY),
    );
    if (file === undefined) continue;
    const lines = file.ranges.map(({ start_line, end_line }) => `${start_line}-${end_line}`).slice(0, 5);
    const where = lines.length === 0 ? "" : `, lines ${lines.join(", ")}`;
    const whose = record.intent_id === null ? "" : ` for ${record.intent_id}`;
    const who = `session ${record.session_id ?? "without a name"}${whose} changed it at ${record.timestamp}${where}`;
    return `${file.relative_path} ${SINCE}: ${who}. Read it again, then write.`;
  }
  return undefined;
}

const SINCE = "has changed since this session last read it";
const MOST_LOOKED_AT = 2000;
