import { isObject } from "../../event/json.ts";
import { objectAt, type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/**
 * `~/.local/share/opencode/opencode.db`: tables of sessions and of the parts of their messages. Versions before it have the same
 * objects in files of their own below `storage`, and `opencode export` writes a session as one object.
 */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".local/share/opencode"],
  home: { variable: "XDG_DATA_HOME", instead: ".local/share" },
  file: /[\\/]opencode[^\\/]*\.db$|[\\/]storage[\\/](?:session|part)[\\/].*\.json$/,
  first: /[\\/]storage[\\/]session[\\/]/,
  tables: ["session", "part"],
  recognises: (line) =>
    TRANSCRIPTS.tables?.includes(String(line.table)) === true ||
    (isObject(line.info) && Array.isArray(line.messages)) ||
    isCalledPart(line) ||
    isSession(line),
  reader: () => {
    const sessions = new Map<string, Session>();
    return () => (line) => {
      const { info, messages } = line;
      if (!isObject(info) || !Array.isArray(messages)) return callsIn(line, sessions);
      callsIn(info, sessions);
      return messages
        .filter(isObject)
        .flatMap(({ parts }) => (Array.isArray(parts) ? parts : []))
        .filter(isObject)
        .flatMap((part) => callsIn(part, sessions));
    };
  },
};

interface Session {
  readonly folder: string | undefined;
  /** The session whose sub-agent it is. */
  readonly parent: string | undefined;
}

/** Fields of a session apply to its parts. */
function callsIn(line: Payload, sessions: Map<string, Session>): TranscriptCall[] {
  const part = line.table === "part" ? partOfRow(line) : line;
  if (part !== undefined && isCalledPart(part)) return [callOf(part, sessions)];
  const id = textAt(line, "id");
  if (id !== undefined && (line.table === "session" || isSession(line)))
    sessions.set(id, { folder: textAt(line, "directory"), parent: textAt(line, "parent_id", "parentID") });
  return [];
}

/** A row has the names beside the part, which is JSON. */
function partOfRow({ id, session_id, time_created, data }: Payload): Payload | undefined {
  if (typeof data !== "string" || !data.includes('"tool"')) return undefined;
  try {
    const part: unknown = JSON.parse(data);
    return isObject(part) ? { ...part, id, sessionID: session_id, created: time_created } : undefined;
  } catch {
    return undefined;
  }
}

/** A pending call does not have an input yet. */
function isCalledPart(part: Payload): boolean {
  const { input, status } = objectAt(part, "state");
  return part.type === "tool" && textAt(part, "tool") !== undefined && isObject(input) && status !== "pending";
}

function isSession(line: Payload): boolean {
  return typeof line.directory === "string" && typeof line.projectID === "string" && textAt(line, "id") !== undefined;
}

function callOf(part: Payload, sessions: ReadonlyMap<string, Session>): TranscriptCall {
  const state = objectAt(part, "state");
  const own = textAt(part, "sessionID") ?? "";
  const parent = sessions.get(own)?.parent;
  const at = objectAt(state, "time").start ?? part.created;
  return {
    payload: {
      hook: "tool.execute.before",
      cwd: sessions.get(own)?.folder,
      input: { tool: textAt(part, "tool"), sessionID: firstOf(own, sessions), callID: textAt(part, "callID") },
      output: { args: objectAt(state, "input") },
    },
    id: textAt(part, "id") ?? "",
    time: typeof at === "number" && Math.abs(at) < LAST_MOMENT ? new Date(at).toISOString() : "",
    ...(parent === undefined ? {} : { made: "sub-agent" as const }),
  };
}

/** The session that a person began, of sub-agents of sub-agents too. */
function firstOf(id: string, sessions: ReadonlyMap<string, Session>): string {
  let first = id;
  for (let depth = 0; depth < DEEPEST; depth++) first = sessions.get(first)?.parent ?? first;
  return first;
}

const DEEPEST = 20;
/** The latest time that a date can express. */
const LAST_MOMENT = 8.64e15;
