import { randomUUID } from "node:crypto";
import { UNKNOWN_REVISION } from "./change-record.ts";

/** The record that says that the end of the trace was put in order. */
export function recoveryRecord({ lost }: { readonly lost: string | null }, now = new Date()): object {
  return {
    id: randomUUID(),
    timestamp: now.toISOString(),
    intent_id: null,
    mutation_class: "UNKNOWN",
    vcs: { revision_id: UNKNOWN_REVISION },
    files: [],
    recovered: { torn_line: true, lost_hash: lost },
  };
}
