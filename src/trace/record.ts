import type { Decision } from "../decision/decision.ts";
import type { Action, Code, HookResult } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { fingerprint, newId } from "./fingerprint.ts";
import type { Redactor } from "./redact.ts";
import { mayHaveRemoved, type RemovedFields, removedFields } from "./removed-fields.ts";
import { fits, isShortened, KEPT, LOOKED_AT, shortened } from "./shorten.ts";

/** What a record is about: a decision, or a call that came to none. */
type RecordKind = "decision" | "unknown_moment" | "unreadable" | "skipped";

/** One line of the journal: what happened, which hooks ran, what it came to. Secrets are taken out of it. */
export interface DecisionRecord {
  readonly v: 1;
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly kind: RecordKind;
  readonly agent?: string;
  readonly session_id?: string;
  /** The event's name; for a call that could not be understood, the agent's own name or undefined. */
  readonly event: string;
  readonly tool?: string;
  readonly cwd?: string;
  readonly root?: string;
  readonly action: Action;
  readonly reasons: readonly string[];
  readonly contexts?: readonly string[];
  readonly notes?: readonly string[];
  readonly approved?: true;
  /** The event as it came, long values shortened. */
  readonly event_json: unknown;
  /** What hooks made of the input, the prompt or the request. */
  readonly input?: unknown;
  /** What hooks made of the result. */
  readonly output?: unknown;
  readonly results: readonly ResultRecord[];
  /** Built-in guards without a result, and the milliseconds of each. */
  readonly quiet?: Readonly<Record<string, number>>;
  readonly duration_ms: number;
  /** What the agent could carry out instead of the action, and why it is stricter. */
  readonly fitted?: Fitted;
  readonly problems?: readonly string[];
  /** What the call destroys, kept first for `sluice undo`. */
  readonly kept?: Decision["kept"];
  /** The box in which the call runs or ran. */
  readonly contained?: Decision["contained"];
  /** The run of a call's `async` hooks, which is not a call of its own and decided nothing. */
  readonly background?: true;
  /** The daemon decided it: no process was started. */
  readonly resident?: true;
  /** Identifies a call without its text: what a person may allow once. */
  readonly call?: string;
  /** A hash of the hooks in force: it shows whether they are still the same. */
  readonly policy?: string;
  /** The folder of the project. */
  readonly project?: string;
  /** The session that started the sub-agent which called, if the agent reports it. */
  readonly parent_session?: string;
  /** What the agent was answered, where that is another thing than the action. */
  readonly told?: Action;
  /** JSON pointers to what a secret was taken out of. */
  readonly redacted?: readonly string[];
  /** JSON pointers to what was shortened or left out. */
  readonly cut?: readonly string[];
}

/** What an agent was answered instead of the decision. */
interface Fitted {
  readonly action: Action;
  readonly note: string;
}

/** One run of one hook, as it is kept. */
export interface ResultRecord {
  readonly hook: string;
  readonly layer: string;
  readonly file?: string;
  readonly line?: number;
  /** Which kind of hook it is. */
  readonly kind: string;
  /** Tells whether the hook is still written as it was. */
  readonly fingerprint: string;
  readonly action: Action;
  readonly reason?: string;
  /** The rule of a built-in guard that decided it. */
  readonly rule?: string;
  readonly code?: Code;
  readonly failure?: string;
  readonly error?: string;
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** What it would have decided outside of monitor mode. */
  readonly monitor?: Action;
  readonly async?: true;
}

/** What is known about a call besides its decision. */
export interface Extras {
  /** The id of the record; one is made if it is left out. */
  readonly id?: string | undefined;
  readonly kind?: RecordKind;
  readonly agent?: string | undefined;
  readonly root?: string | undefined;
  /** Results of hooks that ran in the background. */
  readonly background?: readonly HookResult[];
  readonly notes?: readonly string[];
  readonly fitted?: Fitted | undefined;
  /** What the agent was answered, where it is neither the action nor `fitted`. */
  readonly told?: Action;
  readonly problems?: readonly string[];
  /** The identity of this call. */
  readonly call?: string | undefined;
  /** Whether the daemon decided. */
  readonly isResident?: boolean;
  /** Whether a person fired it: no agent called, so the record names none. */
  readonly isFired?: boolean;
  /** A hash of the hooks in force. */
  readonly policy?: string | undefined;
  /** From the beginning of the call to its end; the sum of the hooks when left out. */
  readonly durationMs?: number;
}

/** The record of a decision. */
export function decisionRecord(decision: Decision, extras: Extras, redact: Redactor): DecisionRecord {
  return withoutSecrets(decisionFields(decision, extras), redact);
}

/** The same before redaction. */
export function decisionFields(decision: Decision, extras: Extras): Fields {
  const { event, action, reasons, contexts, input, output, approved } = decision;
  const all = extras.background === undefined ? decision.results : [...decision.results, ...extras.background];
  const results = all.length > MAX_RESULTS ? spokenFirst(all) : all;
  const [notes, spoken, quiet]: [string[], ResultRecord[], Record<string, number>] = [[], [], {}];
  let isAnyQuiet = false;
  for (const result of results) {
    if (isQuietGuard(result)) {
      quiet[result.hook.name] = rounded(result.durationMs);
      isAnyQuiet = true;
      continue;
    }
    if (result.notes !== undefined) notes.push(...result.notes);
    spoken.push(resultRecord(result));
  }
  if (extras.notes !== undefined) notes.push(...extras.notes);
  return {
    v: 1,
    id: extras.id ?? newId(),
    time: new Date().toISOString(),
    kind: extras.kind ?? "decision",
    agent: extras.isFired ? undefined : (extras.agent ?? event.agent),
    session_id: event.sessionId,
    event: event.type,
    tool: event.toolName,
    cwd: event.cwd,
    root: extras.root,
    action,
    reasons,
    contexts: filled(contexts),
    notes: filled(notes),
    approved: approved || undefined,
    event_json: event,
    input,
    output,
    results: spoken,
    quiet: isAnyQuiet ? quiet : undefined,
    duration_ms: rounded(extras.durationMs ?? all.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    fitted: extras.fitted,
    problems: filled(extras.problems),
    call: extras.call,
    kept: decision.kept,
    contained: decision.contained,
    background: undefined,
    resident: extras.isResident || undefined,
    policy: extras.policy,
    project: extras.root,
    parent_session: parentOf(event),
    told: extras.told ?? extras.fitted?.action,
    redacted: undefined,
    cut: undefined,
  };
}

/** If an agent reports a sub-agent, its calls come in the session that started it, unless another one is named. */
function parentOf({ data, sessionId }: HookEvent): string | undefined {
  for (const name of PARENT_KEYS) {
    const { [name]: stated } = data;
    if (typeof stated === "string" && stated !== "") return stated;
  }
  return typeof data.agent_id === "string" && data.agent_id !== "" ? sessionId : undefined;
}

const PARENT_KEYS = ["parent_session", "parent_session_id"] as const;

/** A record before it is looked through: what is not there is named and left out later. */
export type Fields = { readonly [Name in keyof Required<DecisionRecord>]: DecisionRecord[Name] | undefined };

/** A call that no hook was asked about: its payload, and what was done with it. */
export interface UndecidedCall extends Extras {
  readonly kind: Exclude<RecordKind, "decision">;
  readonly event?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly action: Action;
  readonly reasons?: readonly string[];
  /** What came from the agent. */
  readonly payload?: unknown;
}

/** The record of a call that came to no decision. */
export function hookEventRecord(hookEvent: UndecidedCall, redact: Redactor): DecisionRecord {
  const fields: Partial<Fields> = {
    v: 1,
    id: newId(),
    time: new Date().toISOString(),
    kind: hookEvent.kind,
    agent: hookEvent.agent,
    session_id: hookEvent.sessionId,
    event: hookEvent.event ?? "",
    cwd: hookEvent.cwd,
    root: hookEvent.root,
    action: hookEvent.action,
    reasons: hookEvent.reasons ?? [],
    notes: filled(hookEvent.notes),
    event_json: hookEvent.payload ?? null,
    results: [],
    duration_ms: rounded(hookEvent.durationMs ?? 0),
    fitted: hookEvent.fitted,
    problems: filled(hookEvent.problems),
    told: hookEvent.fitted?.action,
  };
  return withoutSecrets(fields, redact);
}

/** The record without secrets, and where something was taken out of it. */
function withoutSecrets(fields: Partial<Fields>, redact: Redactor): DecisionRecord {
  const record = redactedRecord(fields, redact);
  return mayHaveRemoved(JSON.stringify(record)) ? { ...record, ...placesIn(fields, record) } : record;
}

/** The same as a line. */
export function lineWithoutSecrets(fields: Partial<Fields>, redact: Redactor): string {
  const record = redactedRecord(fields, redact);
  const line = JSON.stringify(record);
  if (!mayHaveRemoved(line)) return line;
  const places = JSON.stringify(placesIn(fields, record));
  return places === "{}" ? line : `${line.slice(0, -1)},${places.slice(1)}`;
}

function placesIn(fields: Partial<Fields>, record: DecisionRecord): Partial<RemovedFields> {
  const { redacted, cut } = removedFields(fields, record);
  return { ...(redacted.length > 0 ? { redacted } : {}), ...(cut.length > 0 ? { cut } : {}) };
}

/** Redacts a long stretch of each field, then keeps less of it: a secret that the first cut splits is removed by the second. */
function redactedRecord(fields: Partial<Fields>, redact: Redactor): DecisionRecord {
  const foreign: Record<string, unknown> = {};
  const given = (Object.keys(fields) as (keyof Fields)[]).filter((name) => fields[name] !== undefined);
  for (const name of given) {
    const { [name]: value } = fields;
    if (!OWN_WORDS.has(name)) foreign[name] = isShort(value) ? value : shortened(value, LOOKED_AT);
  }
  const clean = redact.value(foreign) as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const name of given) {
    const kept = OWN_WORDS.has(name) ? fields[name] : clean[name];
    // Most are short enough as they are.
    record[name] = isShort(kept) || fits(kept, KEPT) ? kept : shortened(kept, KEPT);
  }
  // The folder of the project is in it twice, and was checked once.
  if (record.root !== undefined) record.project = record.root;
  return record as unknown as DecisionRecord;
}

/** Names and folders need no copy. */
function isShort(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value.length <= NAME_LENGTH && !isShortened(value));
}

const NAME_LENGTH = 200;

/** Fields that cannot contain a secret: Sluice builds them from its own texts and numbers. */
const OWN_WORDS: ReadonlySet<string> = new Set<keyof DecisionRecord>([
  "v",
  "id",
  "time",
  "kind",
  "action",
  "quiet",
  "duration_ms",
  "call",
  "kept",
  "contained",
  "background",
  "resident",
  "policy",
  "told",
  "project",
]);

/** There are dozens of guards, and most have no result. */
function isQuietGuard({ hook, action, failure, reason, context, notes }: HookResult): boolean {
  if (action !== "continue" || failure !== undefined || notes !== undefined) return false;
  const isSilent = reason === undefined && context === undefined;
  return isSilent && hook.origin === undefined && hook.name.startsWith("guard:");
}

/** More results than a record has room for: those with a message first, then the others. */
function spokenFirst(results: readonly HookResult[]): readonly HookResult[] {
  const weight = ({ action, failure, wouldBe }: HookResult) =>
    action === "deny" || action === "ask" ? 0 : failure !== undefined || wouldBe !== undefined ? 1 : 2;
  return results.toSorted((one, other) => weight(one) - weight(other)).slice(0, MAX_RESULTS);
}

/** More than ever fit, so that the record notes that some were left out. */
const MAX_RESULTS = 1000;

function resultRecord(result: HookResult): ResultRecord {
  const { hook, action, reason, rule, code, failure, error, exitCode, durationMs, wouldBe } = result;
  const { file, line } = hook.origin?.place ?? {};
  return {
    hook: hook.name,
    layer: hook.layer,
    ...given("file", file),
    ...given("line", line),
    kind: hook.type,
    fingerprint: fingerprintOf(hook),
    action,
    ...given("reason", reason),
    ...given("rule", rule),
    ...given("code", code),
    ...given("failure", failure?.why),
    ...given("error", error),
    exit_code: exitCode,
    duration_ms: rounded(durationMs),
    ...given("monitor", wouldBe),
    ...(hook.async ? { async: true } : {}),
  };
}

/** A hook is read once and recorded often; only whether it is enabled can change. */
function fingerprintOf(hook: Hook): string {
  const known = FINGERPRINTS.get(hook);
  if (known?.enabled === hook.enabled) return known.text;
  const text = fingerprint(JSON.stringify(hook));
  FINGERPRINTS.set(hook, { enabled: hook.enabled, text });
  return text;
}

const FINGERPRINTS = new WeakMap<Hook, { readonly enabled: boolean; readonly text: string }>();

function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
}

function filled<T>(values: readonly T[] = []): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
