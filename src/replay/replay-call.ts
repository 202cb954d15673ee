import { type Action, type HookResult, STRICTNESS } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { recordedEvent } from "../trace/recorded-event.ts";
import { markedFields } from "../trace/removed-fields.ts";

/** How a call came about, if it was not in a person's session. */
export type CallOrigin = "sub-agent" | "sdk";

/** A call of the past, wherever it was found: the journal, a transcript of an agent, a file of payloads. */
export interface ReplayCall {
  readonly event: HookEvent;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** How `sluice why` finds it; nothing for a call that the journal does not have. */
  readonly id?: string | undefined;
  readonly agent?: string | undefined;
  /** The session; that of the parent for a call of a sub-agent. */
  readonly session?: string | undefined;
  readonly root?: string | undefined;
  /** What was decided then; what a transcript has was carried out. */
  readonly recorded: Action;
  /** What hooks said then. */
  readonly results: readonly ResultRecord[];
  /** The hash of the hooks that counted then. */
  readonly policy?: string | undefined;
  /** What hooks made of the input then. */
  readonly input?: unknown;
  /** Whether what the call destroyed was kept first. */
  readonly isKept: boolean;
  /** JSON pointers into the event: what is not there any more. */
  readonly redacted: readonly string[];
  readonly cut: readonly string[];
  readonly made?: CallOrigin | undefined;
}

/** The call of a record of the journal; undefined for what came to no decision, or was not a call of its own. */
export function callOfRecord(record: DecisionRecord): ReplayCall | undefined {
  if (record.kind !== "decision" || record.background || !Object.hasOwn(STRICTNESS, record.action)) return undefined;
  const event = recordedEvent(record);
  if (event === undefined) return undefined;
  const { redacted, cut } = removedIn(record);
  return {
    event,
    time: record.time,
    id: record.id,
    agent: record.agent ?? event.agent,
    session: record.parent_session ?? event.sessionId,
    root: record.root ?? event.cwd,
    recorded: record.action,
    results: record.results,
    policy: record.policy,
    input: record.input,
    isKept: record.kept !== undefined,
    redacted: redacted.flatMap(inEvent),
    cut: cut.flatMap(inEvent),
    ...(record.parent_session === undefined ? {} : { made: "sub-agent" }),
  };
}

/** Records say where something was removed since they name their policy; older ones are read by their marks. */
function removedIn(record: DecisionRecord): { readonly redacted: readonly string[]; readonly cut: readonly string[] } {
  if (record.policy !== undefined) return { redacted: record.redacted ?? [], cut: record.cut ?? [] };
  const { redacted, cut } = markedFields({ event_json: record.event_json });
  return { redacted, cut };
}

/** A pointer to the whole record means the whole event. */
function inEvent(pointer: string): string[] {
  if (pointer === "" || pointer === EVENT) return [""];
  return pointer.startsWith(`${EVENT}/`) ? [pointer.slice(EVENT.length)] : [];
}

const EVENT = "/event_json";

/**
 * What a hook said then: where it is written as it was, and was asked about this very input. A hook that changed the input is
 * known by what became of it, where it alone changed it.
 */
export function recordedAnswer(call: ReplayCall, hook: Hook, fingerprint: string): HookResult | undefined {
  const index = call.results.findIndex(
    (one) => one.hook === hook.name && one.fingerprint === fingerprint && !one.async,
  );
  const said = call.results[index];
  if (said === undefined || call.results.slice(0, index).some(changes)) return undefined;
  const isAlone = call.results.filter(changes).length === 1;
  if (changes(said) && (!isAlone || call.input === undefined || call.event.type !== "tool:pre_execute"))
    return undefined;
  return { ...resultOf(hook, said), ...(changes(said) ? { modifiedData: { args: call.input } } : {}) };
}

/** The result of a hook that had nothing to say. */
export function silent(hook: Hook): HookResult {
  return resultOf(hook, SILENCE);
}

const SILENCE: Pick<ResultRecord, "action" | "exit_code"> = { action: "continue", exit_code: null };

/** What a record holds about a hook, as its result. */
export function resultOf(hook: Hook, said: Partial<ResultRecord> & typeof SILENCE): HookResult {
  return {
    hook,
    action: said.action,
    reason: said.reason,
    code: said.code,
    success: said.failure === undefined,
    shouldContinue: said.action !== "deny",
    timedOut: said.failure === "timeout",
    error: said.error,
    exitCode: said.exit_code,
    stdout: "",
    stderr: "",
    duration: 0,
    durationMs: 0,
  };
}

function changes({ action }: ResultRecord): boolean {
  return action === "modify";
}

/** Why the decision of a policy about a call is not known. */
export type CannotTell = "redacted" | "cut" | "needs_run";

/** What a policy comes to about a recorded call. */
export type JudgedCall =
  | {
      readonly kind: "verdict";
      readonly action: Action;
      /** What said so, the strictest first; empty where nothing did. */
      readonly said: readonly HookResult[];
    }
  | { readonly kind: "cannot tell"; readonly why: CannotTell };

/** The verdicts of an older policy and of newer ones about a call. */
export interface CallVerdicts {
  readonly before: JudgedCall;
  readonly afters: readonly JudgedCall[];
}
