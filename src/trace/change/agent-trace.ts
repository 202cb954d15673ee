import { type ChangeRecord, UNKNOWN_REVISION } from "./change-record.ts";

/** A record in the form of Agent Trace 0.1: files, conversations, ranges. Fields without an equivalent are in `metadata`. */
export function agentTraceRecord(record: ChangeRecord): object {
  const { id, timestamp, vcs, files, agent, engine_version } = record;
  return {
    version: "0.1.0",
    id,
    timestamp,
    ...(vcs?.revision_id && vcs.revision_id !== UNKNOWN_REVISION
      ? { vcs: { type: "git", revision: vcs.revision_id } }
      : {}),
    tool: {
      name: agent ?? "sluice",
      ...(agent === undefined && engine_version !== undefined ? { version: engine_version } : {}),
    },
    files: files.map(({ relative_path, ranges }) => ({
      path: relative_path,
      conversations: [{ contributor: { type: "ai" }, ranges }],
    })),
    metadata: { "dev.sluice": metadataOf(record) },
  };
}

function metadataOf(record: ChangeRecord): object {
  const { intent_id, mutation_class, session_id, tool, tool_use_id, decision, previous_hash, files } = record;
  const given = { intent_id, mutation_class, session_id, tool, tool_use_id, decision, previous_hash };
  const deleted = files.filter((file) => file.deleted).map(({ relative_path }) => relative_path);
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null)),
    ...(deleted.length === 0 ? {} : { deleted }),
  };
}
