import { basename } from "node:path";
import { eventNamed } from "../event/catalogue.ts";
import { sha256 } from "../fs/read-once.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import type { Redactor } from "../trace/redact.ts";

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
  /** Sends a batch; rejects with `StoreUnavailable` when the same batch may succeed later. */
  send(batch: readonly ShippedRecord[]): Promise<SinkReceipt>;
  /** Tells how this machine is, where the target keeps that. */
  report?(machine: MachineReport): Promise<void>;
  close(): Promise<void>;
}

/** What a machine tells about itself. */
export interface MachineReport {
  readonly machine: string;
  readonly at: string;
  readonly sluice: string;
  /** The bundle that is in force there. */
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
  // Our own words and hashes look like secrets, and are not.
  const { quiet: _, call: __, policy: ___, ...foreign } = kept;
  const clean = redact.isPlain(JSON.stringify(foreign)) ? kept : (redact.value(kept) as DecisionRecord);
  return { key: `${record.time}/${machine}/${record.id}`, machine, record: clean };
}

/**
 * What leaves the machine of a record without its arguments: a list of what may leave, so that a new field stays at home until it
 * is written here. Names of hooks and rules come from the policy. Texts that hooks made may quote the call, so a reason leaves as
 * the id of its rule, and folders leave as the name of the project.
 */
function withoutArguments(record: DecisionRecord): DecisionRecord {
  const callId = callIdOf(record.event_json);
  const project = record.root === undefined ? undefined : basename(record.root);
  return defined({
    v: record.v,
    id: record.id,
    time: record.time,
    kind: record.kind,
    agent: nameIn(record.agent),
    session_id: idIn(record.session_id),
    parent_session: idIn(record.parent_session),
    event: eventNamed(record.event) ?? "",
    tool: nameIn(record.tool),
    root: project,
    project,
    action: record.action,
    told: record.told,
    approved: record.approved,
    reasons: reasonIds(record),
    event_json: callId === undefined ? null : { tool_call_id: callId },
    results: record.results.map(withoutText),
    quiet: record.quiet,
    duration_ms: record.duration_ms,
    fitted: record.fitted && { action: record.fitted.action, note: "" },
    kept: record.kept,
    background: record.background,
    resident: record.resident,
    policy: record.policy,
  });
}

/** One reason for each hook that made the decision: its name and rule, with a mark for the text that stays on the machine. */
function reasonIds({ reasons, results, action }: DecisionRecord): string[] {
  if (reasons.length === 0) return [];
  const made = results.filter((result) => result.action === action && action !== "continue");
  const ids = made.map(({ hook, rule, code }) =>
    [hook, rule === undefined ? "" : `/${rule}`, code === undefined ? "" : ` ${code}`, `: ${REDACTED}`].join(""),
  );
  return ids.length === 0 ? [REDACTED] : [...new Set(ids)];
}

/** A result without what the hook wrote, and without the folder of its file. */
function withoutText({ reason: _, error: __, file, ...result }: ResultRecord): ResultRecord {
  return file === undefined ? result : { ...result, file: basename(file) };
}

/** A name that an agent gives a tool or itself; undefined for a text that cannot be one. */
function nameIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.:/@-]{1,128}$/.test(text) ? text : undefined;
}

/** An id of a session or call as it is; another text only as its hash, which still tells one session from others. */
function idIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return /^[\w.:-]{1,128}$/.test(text) ? text : sha256(text).slice(0, HASH_DIGITS);
}

function defined<T extends object>(fields: { readonly [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const REDACTED = "[redacted]";
const HASH_DIGITS = 32;

/** The agent's own id of the call, with which its telemetry can be joined. */
export function callIdOf(event: unknown): string | undefined {
  const { data, tool_call_id } = Object(event) as Readonly<Record<string, unknown>>;
  const held = Object(data) as Readonly<Record<string, unknown>>;
  const found = [tool_call_id, ...CALL_IDS.map((name) => held[name])].find((id) => typeof id === "string" && id !== "");
  return idIn(found as string | undefined);
}

const CALL_IDS = ["tool_use_id", "tool_call_id", "call_id"] as const;
