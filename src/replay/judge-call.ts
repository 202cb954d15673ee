import { adapterNamed } from "../adapters/index.ts";
import {
  BUILT_IN_HOOKS,
  decideRecorded,
  isLeftToUndo,
  type RecordedCircumstances,
  type RecordedDecision,
  SELF_PROTECTION_HOOK,
} from "../decide/decide-recorded.ts";
import type { RecordedPolicy } from "../decide/recorded-policy.ts";
import { aggregate } from "../decision/aggregate.ts";
import { type Action, type HookResult, STRICTNESS } from "../decision/result.ts";
import { eventsDerivedFrom } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot, markRecorded, rootOfEvent } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { eventsOfTeam } from "../rule/recent.ts";
import type { Ran } from "../runners/runner.ts";
import { type CannotTell, type JudgedCall, type ReplayCall, recordedAnswer, resultOf, silent } from "./replay-call.ts";
import type { ReplaySession } from "./session.ts";

/** What judging may use besides the call and the policy. */
export interface JudgeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What came before in the same session, as far as this policy is concerned. */
  readonly session: ReplaySession;
  /** What rules said about this event in another policy. */
  readonly shared?: Map<string, Ran>;
  /** Whether the files that a hook runs are those that ran then, as far as is known; always when left out. */
  readonly isAsItWas?: ((hook: Hook) => boolean) | undefined;
  /** The policy under which a call may have been recorded: what both have in common decided what the record holds. */
  readonly older?: RecordedPolicy | undefined;
}

/** Judges one recorded call by a policy. Nothing is run: what would have to run is known from the record, or not at all. */
export async function judgeCall(
  call: ReplayCall,
  policy: RecordedPolicy,
  { env, session, shared, isAsItWas, older = policy }: JudgeOptions,
): Promise<JudgedCall> {
  const at = Date.parse(call.time);
  const kept = answersKept(call, policy, older);
  const circumstances: RecordedCircumstances = {
    env,
    history: session.history,
    denied: session.deniedBefore(call),
    at,
    canAsk: canAsk(call),
    answerOf: (hook, isChanged) =>
      isChanged || isAsItWas?.(hook) === false
        ? undefined
        : // What other machines had counted then is known by what was said.
          eventsOfTeam(hook).length > 0
          ? kept(hook)
          : answerOf(call, hook, policy),
    protection: recordedProtection(call),
    shared,
  };
  const isWhole = call.redacted.length === 0 && call.cut.length === 0;
  const judged = isWhole
    ? settled(call, policy, await decideRecorded(call.event, policy, circumstances), NOTHING)
    : await judgeRemoved(call, policy, circumstances, older);
  session.remember(call, judged);
  return judged;
}

function answerOf(call: ReplayCall, hook: Hook, policy: RecordedPolicy): HookResult | undefined {
  const known = policy.known.get(hook);
  return known === undefined ? undefined : recordedAnswer(call, hook, known.fingerprint);
}

/** What is certain comes to a verdict where nothing that is unknown could be stricter. */
function settled(
  call: ReplayCall,
  policy: RecordedPolicy,
  decided: RecordedDecision,
  removed: readonly RemovedAnswer[],
): JudgedCall {
  const { decision, unknown } = decided;
  const { action, results } = decision;
  const why = removed[0]?.why ?? (unknown.length > 0 ? "needs_run" : undefined);
  const open = [...unknown, ...removed.map(({ hook }) => hook)];
  const isCertain = isLeftToUndo(decided, policy)
    ? open.length === 0
    : !open.some((hook) => mayBeStricter(hook, action, policy));
  if (!isCertain && why !== undefined) return { kind: "cannot tell", why };
  if (isLeftToUndo(decided, policy)) {
    if (call.isKept) return { kind: "verdict", action: decision.input === undefined ? "continue" : "modify", said: [] };
    // Whether it could have been kept depends on what lay there then.
    if (STRICTNESS[call.recorded] < STRICTNESS.ask) return { kind: "cannot tell", why: "needs_run" };
  }
  return { kind: "verdict", action, said: results.filter((result) => result.action !== "continue").sort(byStrictness) };
}

function mayBeStricter(hook: Hook, action: Action, policy: RecordedPolicy): boolean {
  if (action === "deny") return false;
  const known = policy.known.get(hook);
  return known === undefined || known.mayModify || STRICTNESS[known.ceiling] > STRICTNESS[action];
}

function byStrictness(one: HookResult, other: HookResult): number {
  return STRICTNESS[other.action] - STRICTNESS[one.action];
}

/** A hook that read what is not there any more. */
interface RemovedAnswer {
  readonly hook: Hook;
  readonly why: CannotTell;
}

/**
 * Judges a call of which something was removed: every hook looks at an event of its own, which notices when that is read. The
 * recorded answer is used if the hook is written as it was, and the recorded verdict if all hooks are.
 */
async function judgeRemoved(
  call: ReplayCall,
  policy: RecordedPolicy,
  circumstances: RecordedCircumstances,
  older: RecordedPolicy,
): Promise<JudgedCall> {
  if (call.policy === policy.hash) return { kind: "verdict", action: call.recorded, said: [] };
  const watch = () => watchedEvent(call.event, call);
  const said = answersKept(call, policy, older);
  const found: FoundAnswers = { results: [], unknown: [], removed: [] };
  for (const hook of policy.registry.hooks) {
    if (!hook.patternMatches(call.event.type, call.event.toolName)) continue;
    const watched = watch();
    const isMatching = hook.matches(watched.event);
    const one = isMatching ? await decideRecorded(watched.event, policy, circumstances, hook) : undefined;
    const why = watched.touched();
    const kept = why === undefined ? undefined : said(hook);
    if (kept !== undefined) found.results.push(kept);
    else if (why !== undefined) found.removed.push({ hook, why });
    else if (one !== undefined) add(found, one);
  }
  // What the hooks after it made of a changed input is not known.
  const isChanged = found.results.some(({ action }) => action === "modify");
  if (isChanged && !found.results.some(({ action }) => action === "deny"))
    return { kind: "cannot tell", why: call.redacted.length > 0 ? "redacted" : "cut" };
  const rest = watch();
  const builtIn = await decideRecorded(rest.event, policy, circumstances, "built-ins");
  const why = rest.touched();
  // What comes with Sluice decided then what it decides now; a record does not separate what was derived from the call.
  if (why === undefined) add(found, builtIn);
  else if (derivedHooks(call, policy).length > 0)
    found.removed.push(...derivedHooks(call, policy).map((hook) => ({ hook, why })));
  else found.results.push(...recordedBuiltIns(call));
  const decision = aggregate({ event: call.event, results: found.results });
  return settled(call, policy, { decision, unknown: found.unknown }, found.removed);
}

/**
 * What hooks decided then, if they still decide it. A guard depends on what files state about guards, which a record does not hold:
 * its verdict is used if the call was recorded under the older policy, and that has the very same guard.
 */
function answersKept(
  call: ReplayCall,
  policy: RecordedPolicy,
  older: RecordedPolicy,
): (hook: Hook) => HookResult | undefined {
  const keys = call.policy === older.hash ? new Set([...older.known.values()].map(({ key }) => key)) : undefined;
  return (hook) => {
    const known = policy.known.get(hook);
    const said = isGuardHook(hook) && keys === undefined ? undefined : answerOf(call, hook, policy);
    if (known === undefined || keys?.has(known.key) !== true) return isGuardHook(hook) ? undefined : said;
    // The same hook without a result had no objection.
    const isSpoken = call.results.some((result) => result.hook === hook.name);
    return said ?? (isSpoken ? undefined : silent(hook));
  };
}

interface FoundAnswers {
  readonly results: HookResult[];
  readonly unknown: Hook[];
  readonly removed: RemovedAnswer[];
}

function add(found: FoundAnswers, { decision, unknown }: RecordedDecision): void {
  found.results.push(...decision.results);
  found.unknown.push(...unknown);
}

function derivedHooks({ event }: ReplayCall, { registry }: RecordedPolicy): Hook[] {
  const derived = eventsDerivedFrom(event.type);
  return registry.hooks.filter((hook) => derived.some((name) => hook.patternMatches(name, event.toolName)));
}

/** The journal has what self-protection said about a call whose input no hook changed. */
function recordedProtection(call: ReplayCall): RecordedCircumstances["protection"] {
  if (call.policy === undefined || call.input !== undefined) return undefined;
  return { said: recordedBuiltIns(call).find(({ hook }) => hook === SELF_PROTECTION_HOOK) };
}

function recordedBuiltIns(call: ReplayCall): readonly HookResult[] {
  if (call.results.length === 0) return NO_RESULTS;
  return BUILT_IN_HOOKS.flatMap((hook) => {
    const said = call.results.find((result) => result.hook === hook.name && result.layer === hook.layer);
    return said === undefined ? [] : [resultOf(hook, said)];
  });
}

/** Whether the agent can ask its user at such an event. */
function canAsk({ agent, event }: ReplayCall): boolean {
  const key = `${agent} ${event.type}`;
  const known = ASKING.get(key);
  if (known !== undefined) return known;
  const rows = Object.values(adapterNamed(agent ?? "")?.hookEvents ?? {}).filter(({ as }) => as === event.type);
  const is = rows.length === 0 || rows.some(({ can }) => can.includes("ask"));
  if (ASKING.size < MAX_KNOWN) ASKING.set(key, is);
  return is;
}

/** An event of which something was removed, made to notice when that is read. */
interface WatchedEvent {
  readonly event: HookEvent;
  /** The first place that was read and is not whole; nothing as long as none was. */
  readonly touched: () => "redacted" | "cut" | undefined;
}

/** Makes such an event anew: what was found out about another one of the same call is not known about it. */
export function watchedEvent(
  event: HookEvent,
  removed: { readonly redacted: readonly string[]; readonly cut: readonly string[] },
): WatchedEvent {
  let touched: "redacted" | "cut" | undefined;
  const note = (why: "redacted" | "cut") => {
    touched ??= why;
  };
  const places = new Map<string, "redacted" | "cut">();
  for (const pointer of removed.cut) places.set(pointer, "cut");
  for (const pointer of removed.redacted) places.set(pointer, "redacted");
  const data = watched(event.data, "/data", places, note) as object;
  const fields = { toolName: event.toolName, sessionId: event.sessionId, cwd: event.cwd, agent: event.agent };
  // A name, a session or a folder is read by everything; one that is not whole leaves nothing certain.
  for (const key of ["", "/data", "/tool_name", "/session_id", "/cwd", "/agent"]) {
    const why = places.get(key);
    if (why !== undefined) note(why);
  }
  const copy = markRecorded(new HookEvent({ type: event.type, timestamp: event.timestamp, data, ...fields }));
  attachRoot(copy, rootOfEvent(event));
  return { event: copy, touched: () => touched };
}

/** A copy whose removed places report when they are read; where a list or an object lost something, all of it is in doubt. */
function watched(
  value: unknown,
  pointer: string,
  places: ReadonlyMap<string, "redacted" | "cut">,
  note: (why: "redacted" | "cut") => void,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: object = Array.isArray(value) ? [] : {};
  for (const name of Object.keys(value)) {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const why = places.get(at);
    const inner = watched(value[name as keyof typeof value], at, places, note);
    const read = () => {
      if (why !== undefined) note(why);
      return inner;
    };
    const held = why === undefined ? { value: inner, writable: true } : { get: read };
    Object.defineProperty(copy, name, { enumerable: true, configurable: true, ...held });
  }
  return copy;
}

const ASKING = new Map<string, boolean>();
const MAX_KNOWN = 500;
const NO_RESULTS: readonly HookResult[] = [];

const NOTHING: readonly RemovedAnswer[] = [];
