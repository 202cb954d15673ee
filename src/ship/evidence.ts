import { existsSync } from "node:fs";
import { isSignedBy, type SigningKey } from "../bundle/keys.ts";
import { type CurrentBundle, readCurrentBundle } from "../config/managed-bundle.ts";
import type { Action } from "../decision/result.ts";
import { canonicalJson } from "../event/json.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { verifyTrace } from "../trace/change/verify.ts";
import type { ReadCounts } from "../trace/file-lines.ts";
import { journalFolder } from "../trace/journal.ts";
import { recordsInOrder } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { CONTROLS } from "./evidence-controls.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** An act of a person that let something pass, or forbade it. */
interface PersonAct {
  readonly time: string;
  readonly act: string;
  readonly record: string;
  readonly session?: string;
  /** Who did what, as it was recorded. */
  readonly text: readonly string[];
}

/** How long one policy decided calls. */
interface PolicySpan {
  /** The hash of all hooks and settings that were in force. */
  readonly policy: string;
  readonly first: string;
  readonly last: string;
  readonly calls: number;
}

/** The state of one project's trace of changes. */
interface TraceState {
  readonly project: string;
  readonly records: number;
  readonly verifies: boolean;
  readonly why?: string;
}

/** What happened on this machine in a stretch of time, for an auditor. */
export interface Evidence {
  readonly format: "sluice-evidence/1";
  readonly created: string;
  readonly since: string;
  readonly version: string;
  readonly user: string;
  readonly machine: string;
  readonly calls: { readonly total: number; readonly by_action: Readonly<Record<string, number>> };
  /** Lines of the journal that could not be read: what they said is unknown. */
  readonly unreadable_lines: number;
  readonly approvals: readonly PersonAct[];
  readonly policies: readonly PolicySpan[];
  /** The signed bundle that is in force now; null if the machine has none. */
  readonly bundle: Pick<CurrentBundle, "version" | "hash" | "key"> | null;
  readonly traces: readonly TraceState[];
  readonly controls: typeof CONTROLS;
}

/** Evidence with its signature: the signed bytes are the canonical JSON of `evidence`. */
export interface SignedEvidence {
  readonly evidence: Evidence;
  readonly public_key: string;
  readonly signature: string;
}

/** Who asks for evidence, and of what. */
export interface EvidenceRequest {
  readonly env: Env;
  /** ISO 8601, in UTC. */
  readonly since: string;
  readonly now: Date;
  readonly version: string;
  readonly user: string;
  readonly machine: string;
}

/** Reads the journal, the traces and the state of the bundle. */
export function collectEvidence({ env, since, now, version, user, machine }: EvidenceRequest): Evidence {
  const counts: ReadCounts = { broken: 0 };
  const actions: Partial<Record<Action, number>> = {};
  const approvals: PersonAct[] = [];
  const policies = new Map<string, { first: string; last: string; calls: number }>();
  const roots = new Set<string>();
  let total = 0;
  for (const record of recordsInOrder(journalFolder(env), counts)) {
    if (record.time < since) continue;
    if (record.project !== undefined) roots.add(record.project);
    if (isPersonAct(record)) approvals.push(actOf(record));
    if (record.kind !== "decision" || record.background) continue;
    total++;
    actions[record.action] = (actions[record.action] ?? 0) + 1;
    if (record.policy === undefined) continue;
    const { first = record.time, calls = 0 } = policies.get(record.policy) ?? {};
    policies.set(record.policy, { first, last: record.time, calls: calls + 1 });
  }
  const bundle = readCurrentBundle({ env });
  return {
    format: "sluice-evidence/1",
    created: now.toISOString(),
    since,
    version,
    user,
    machine,
    calls: { total, by_action: actions },
    unreadable_lines: counts.broken,
    approvals,
    policies: [...policies].map(([policy, span]) => ({ policy, ...span })),
    bundle: bundle === undefined ? null : { version: bundle.version, hash: bundle.hash, key: bundle.key },
    traces: [...roots].sort().flatMap((root) => traceOf(root, env)),
    controls: CONTROLS,
  };
}

/** Evidence with the signature of a key. */
export function signEvidence(evidence: Evidence, key: SigningKey): SignedEvidence {
  return { evidence, public_key: key.publicKey, signature: key.sign(bytesOf(evidence)) };
}

/** Why a file of evidence is not what was signed; undefined if it is. */
export function whyNotSigned(file: unknown, expectedKey: string | undefined): string | undefined {
  const { evidence, public_key: key, signature } = Object(file) as Partial<SignedEvidence>;
  if (evidence?.format !== "sluice-evidence/1" || typeof key !== "string" || typeof signature !== "string")
    return "it is not a file of evidence";
  if (expectedKey !== undefined && key !== expectedKey) return `it was signed with another key, ${key}`;
  return isSignedBy(key, bytesOf(evidence), signature) ? undefined : "its content is not what was signed";
}

function bytesOf(evidence: Evidence): Buffer {
  return Buffer.from(canonicalJson(evidence));
}

/** A person's act is a record that no agent made, with a note about who did it. */
function isPersonAct({ kind, event, notes = [] }: DecisionRecord): boolean {
  return kind === "skipped" && ACTS.has(event) && notes.length > 0;
}

const ACTS: ReadonlySet<string> = new Set(["allow", "allow-once", "approve", "deny", "pause", "revoke", "approvals"]);

function actOf({ time, event, id, session_id, notes = [] }: DecisionRecord): PersonAct {
  return { time, act: event, record: id, ...(session_id === undefined ? {} : { session: session_id }), text: notes };
}

function traceOf(project: string, env: Env): TraceState[] {
  const place = tracePaths({ root: project, env });
  if (!existsSync(place.file) && !existsSync(place.state)) return [];
  const { records, broken } = verifyTrace(place);
  if (broken === undefined) return [{ project, records, verifies: true }];
  return [{ project, records, verifies: false, why: `${broken.file}:${broken.line}: ${broken.why}` }];
}
