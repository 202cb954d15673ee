import type { Redactor } from "../trace/redact.ts";
import type { DecisionRecord } from "../trace/record.ts";

/** A record as it leaves the machine. */
export interface ShippedRecord {
  /** Tells it from every record of every machine; a record that is sent twice has the same key. */
  readonly key: string;
  readonly machine: string;
  /** Without arguments where they were not asked for, and without secrets. */
  readonly record: DecisionRecord;
}

/** What a target did with a batch. */
export interface SinkReceipt {
  /** The keys of records that the target has for good, or that it had already. */
  readonly acknowledged: readonly string[];
  /** Records that the target will never take, and why. */
  readonly dropped: readonly { readonly key: string; readonly why: string }[];
}

/** A place that records are shipped to. */
export interface Sink {
  /** Sends a batch; rejects with `SinkUnavailable` when the same batch may succeed later. */
  send(batch: readonly ShippedRecord[]): Promise<SinkReceipt>;
  /** Tells how this machine is, where the target keeps that. */
  report?(machine: MachineReport): Promise<void>;
  close(): Promise<void>;
}

/** The target cannot be reached or is overloaded; nothing is lost by waiting. */
export class SinkUnavailable extends Error {
  override readonly name = "SinkUnavailable";
  /** What the target asked to wait, in milliseconds. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** What a machine tells about itself. */
export interface MachineReport {
  readonly machine: string;
  readonly at: string;
  readonly sluice: string;
  /** The bundle that counts there. */
  readonly bundle: number | undefined;
  readonly confirmed: string | undefined;
  /** Why its bundle's approvals have ended, or its last fetch failed. */
  readonly problem: string | undefined;
}

/** Makes records ready to leave: without arguments unless they are wanted, and looked through for secrets once more. */
export function shippedRecord(
  record: DecisionRecord,
  machine: string,
  { redact, withArguments }: { readonly redact: Redactor; readonly withArguments: boolean },
): ShippedRecord {
  const kept = withArguments ? record : withoutArguments(record);
  // Our own words and hashes are no secrets, and look like some.
  const { quiet: _, call: __, policy: ___, ...foreign } = kept;
  const clean = redact.isPlain(JSON.stringify(foreign)) ? kept : (redact.value(kept) as DecisionRecord);
  return { key: `${record.time}/${machine}/${record.id}`, machine, record: clean };
}

/** What was asked for stays on the machine, its hash too; that it was asked, by which tool and what came of it, does not. */
function withoutArguments({ input: _, output: __, call: ___, event_json, ...record }: DecisionRecord): DecisionRecord {
  const callId = callIdOf(event_json);
  return { ...record, event_json: callId === undefined ? null : { tool_call_id: callId } };
}

/** The agent's own id of the call, with which its telemetry can be joined. */
export function callIdOf(event: unknown): string | undefined {
  const { data, tool_call_id } = Object(event) as Readonly<Record<string, unknown>>;
  const held = Object(data) as Readonly<Record<string, unknown>>;
  const found = [tool_call_id, ...CALL_IDS.map((name) => held[name])].find((id) => typeof id === "string" && id !== "");
  return found as string | undefined;
}

const CALL_IDS = ["tool_use_id", "tool_call_id", "call_id"] as const;
