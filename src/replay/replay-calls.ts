import { setImmediate } from "node:timers/promises";
import { inputShape } from "../approvals/input-shape.ts";
import type { RecordedPolicy } from "../decide/recorded-policy.ts";
import type { Action, HookResult } from "../decision/result.ts";
import { STRICTNESS } from "../decision/result.ts";
import { SessionHistory } from "../engine/history.ts";
import { dataField } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import type { Problem } from "../problem/problem.ts";
import type { Ran } from "../runners/runner.ts";
import { judgeCall } from "./judge-call.ts";
import { PolicyPairs } from "./policy-pairs.ts";
import type { CallVerdicts, JudgedCall, ReplayCall } from "./replay-call.ts";
import { hashOf, inOrder, type ReplayChange, type ReplayReport, type ReplayRule } from "./replay-report.ts";
import { ReplaySession } from "./session.ts";
import { type ReplayPolicies, VerdictCache } from "./verdict-cache.ts";

/** A policy that recorded calls are judged by, project by project. */
export interface ReplayPolicy {
  /** Its name in a report. */
  readonly name: string;
  /** What holds in a project. */
  readonly at: (root: string) => RecordedPolicy;
  /** The folder of another policy that judges the calls of a project instead; undefined where this one judges them. */
  readonly otherFor?: ((root: string) => string | undefined) | undefined;
  /** Where a file of the policy is, as a person finds it. */
  readonly fileOf?: ((file: string, root: string) => string) | undefined;
  /** Whether it is the user's own, and applies in every project. */
  readonly isUsers?: boolean;
  /** What costs it a file, a hook or a setting: what was lost is judged as if it had never been written. */
  readonly unread?: readonly Problem[] | undefined;
  /** Removes what was made to read it; nothing needs it once calls are judged. */
  readonly close?: (() => void) | undefined;
}

/** Which calls are judged, and by what. */
export interface ReplayRequest {
  /** Oldest first, so that what rules ask about the past of a session is known. */
  readonly calls: Iterable<ReplayCall> | AsyncIterable<ReplayCall>;
  /** The older policy; `recorded` if what was decided then is used instead. */
  readonly before: ReplayPolicy | "recorded";
  readonly after: ReplayPolicy;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Calls before this are not judged; they are only the past of later ones. ISO 8601, in UTC. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Which calls are judged; the others are only what came before. All of them if left out. */
  readonly isJudged?: ((call: ReplayCall) => boolean) | undefined;
  /** Called with every call and the three verdicts about it. */
  readonly onCall?: ((call: ReplayCall, before: JudgedCall, after: JudgedCall) => void) | undefined;
}

/** Judges recorded calls by an older and a newer policy. Nothing is run and nothing is written. */
export async function replayCalls({ after, ...request }: ReplayRequest): Promise<ReplayReport> {
  const [report] = await replayEach(request, [after]);
  if (report === undefined) throw new Error("a replay by one policy has one report");
  return report;
}

/** The same by several newer policies in one pass over the calls: one report for each. */
export async function replayEach(
  request: Omit<ReplayRequest, "after">,
  afters: readonly ReplayPolicy[],
): Promise<ReplayReport[]> {
  const { before, env = process.env, since = "", signal, onCall, isJudged } = request;
  const history = new SessionHistory();
  const sessions = [undefined, ...afters].map(() => new ReplaySession(history));
  const cache = new VerdictCache();
  const pairs = new PolicyPairs();
  const collected = afters.map((after) => new CollectedReport(before, after));
  let seen = 0;
  for await (const call of request.calls) {
    if (signal?.aborted) break;
    // Long work gives way to other work of the same process from time to time.
    if (++seen % BREATH === 0) await setImmediate();
    history.record(call.event);
    if (isJudged?.(call) === false) continue;
    const root = call.root ?? call.event.cwd ?? "/";
    const policies = {
      before: before === "recorded" ? undefined : before.at(root),
      afters: afters.map((after) => after.at(root)),
    };
    const known = cache.find(call, root, policies, sessions);
    const verdicts = known ?? (await judgeAll(call, policies, sessions, env, pairs));
    if (known === undefined) cache.keep(call, verdicts);
    else
      for (const [index, session] of sessions.entries())
        session.remember(call, verdicts.afters[index - 1] ?? verdicts.before);
    if (call.time < since) continue;
    for (const [index, report] of collected.entries()) {
      const verdict = verdicts.afters[index] ?? verdicts.before;
      if (index === 0) onCall?.(call, verdicts.before, verdict);
      report.add(call, root, { before: verdicts.before, after: verdict }, policies.afters[index]?.hash ?? "");
    }
  }
  return collected.map((report) => report.finished(signal?.aborted !== true));
}

const BREATH = 500;

/** What is found out about the calls for one of the newer policies. */
class CollectedReport {
  readonly #policies: Pick<ReplayRequest, "before" | "after">;
  readonly #groups = new Map<string, Group>();
  readonly #counts = { total: 0, judged: 0, redacted: 0, cut: 0, needs_run: 0 };
  readonly #made = { "sub-agent": 0, sdk: 0 };
  readonly #judgedBy: PolicyCounts = new Map();

  constructor(before: ReplayRequest["before"], after: ReplayPolicy) {
    this.#policies = { before, after };
  }

  add(call: ReplayCall, root: string, verdicts: BothVerdicts, hash: string): void {
    const { before, after } = this.#policies;
    this.#counts.total++;
    countPolicy(this.#judgedBy, hash, after, root);
    if (call.made !== undefined) this.#made[call.made]++;
    const unclear = [verdicts.before, verdicts.after].find((one) => one.kind === "cannot tell");
    if (unclear?.kind === "cannot tell") this.#counts[unclear.why]++;
    else this.#counts.judged++;
    for (const one of differences(call, verdicts, before === "recorded"))
      collect(this.#groups, call, root, one, this.#policies);
  }

  finished(isToTheEnd: boolean): ReplayReport {
    const { total, judged, ...cannot_tell } = this.#counts;
    const { before, after } = this.#policies;
    const changes = inOrder([...this.#groups.values()].map(finished));
    const isUnread = [before, after].some((policy) => policy !== "recorded" && (policy.unread?.length ?? 0) > 0);
    return {
      total,
      judged,
      cannot_tell,
      made: this.#made,
      changes,
      hash: hashOf(changes),
      policies: [...this.#judgedBy.values()],
      isWhole: isToTheEnd && !isUnread,
    };
  }
}

type PolicyCounts = Map<string, { hash: string; from: string; isNamed: boolean; calls: number }>;

/** Counts a call for the policy that judged it. */
function countPolicy(judgedBy: PolicyCounts, hash: string, { name, otherFor }: ReplayPolicy, root: string): void {
  const other = otherFor?.(root);
  const from = other ?? name;
  const known = judgedBy.get(`${hash} ${from}`) ?? { hash, from, isNamed: other === undefined, calls: 0 };
  known.calls++;
  judgedBy.set(`${hash} ${from}`, known);
}

/** The verdicts about one call. */
interface BothVerdicts {
  readonly before: JudgedCall;
  readonly after: JudgedCall;
}

async function judgeAll(
  call: ReplayCall,
  policies: ReplayPolicies,
  [sessionBefore = new ReplaySession(), ...sessions]: readonly ReplaySession[],
  env: NonNullable<ReplayRequest["env"]>,
  pairs: PolicyPairs,
): Promise<CallVerdicts> {
  const shared = new Map<string, Ran>();
  const { before: older } = policies;
  const isCalm = [sessionBefore, ...sessions].every((session) => session.deniedBefore(call).length === 0);
  const recorded: JudgedCall = { kind: "verdict", action: call.recorded, said: [] };
  const before = older === undefined ? recorded : await judgeCall(call, older, { env, session: sessionBefore, shared });
  const afters: JudgedCall[] = [];
  for (const [index, policy] of policies.afters.entries()) {
    const session = sessions[index] ?? new ReplaySession();
    const isSame =
      older !== undefined && isCalm && (await pairs.isUnaffected(call, before, older, policy, env, shared));
    if (isSame) {
      session.remember(call, before);
      afters.push(before);
      continue;
    }
    const isAsItWas = older && sameFiles(older, policy);
    afters.push(await judgeCall(call, policy, { env, session, shared, isAsItWas, older }));
  }
  return { before, afters };
}

/** Whether the files of a hook are the same as in the older policy: otherwise its run may decide otherwise. */
function sameFiles(before: RecordedPolicy, after: RecordedPolicy): (hook: Hook) => boolean {
  return (hook) => {
    const known = after.known.get(hook);
    const twin = [...before.known].find(([, one]) => one.fingerprint === known?.fingerprint);
    return known === undefined || twin === undefined || before.bytesOf(twin[0]) === after.bytesOf(hook);
  };
}

interface Difference {
  readonly from: Action;
  readonly to: Action;
  readonly cause: ReplayChange["cause"];
  /** What said the stricter of the two, if that is known. */
  readonly said: HookResult | undefined;
}

/** What differs between what was recorded, the older policy and the newer one. */
function differences(call: ReplayCall, { before, after }: BothVerdicts, isRecorded: boolean): Difference[] {
  const found: Difference[] = [];
  if (before.kind === "verdict" && after.kind === "verdict" && before.action !== after.action) {
    const stricter = STRICTNESS[before.action] > STRICTNESS[after.action] ? before : after;
    found.push({ from: before.action, to: after.action, cause: "change", said: stricter.said[0] });
  }
  if (!isRecorded && before.kind === "verdict" && before.action !== call.recorded)
    found.push({ from: call.recorded, to: before.action, cause: "drift", said: before.said[0] });
  return found;
}

interface Group extends Omit<ReplayChange, "count" | "sessions" | "agents" | "first" | "last" | "example" | "isWhole"> {
  count: number;
  example: ReplayChange["example"];
  isWhole: boolean;
  readonly sessionIds: Set<string>;
  readonly agentIds: Set<string>;
  first: string;
  last: string;
}

function collect(
  groups: Map<string, Group>,
  call: ReplayCall,
  root: string,
  { from, to, cause, said }: Difference,
  request: Pick<ReplayRequest, "before" | "after">,
): void {
  const shape = inputShape(call.event);
  const rule = ruleOf(call, root, from, said, request);
  const name = nameOf(rule, said);
  const key = [from, to, cause, name, rule?.file ?? "", shape].join("\0");
  const known = groups.get(key);
  const group: Group = known ?? {
    from,
    to,
    cause,
    rule,
    said: name,
    shape,
    example: exampleOf(call),
    isWhole: isWhole(call),
    count: 0,
    sessionIds: new Set(),
    agentIds: new Set(),
    first: call.time,
    last: call.time,
  };
  if (known === undefined) groups.set(key, group);
  group.count++;
  if (!group.isWhole && isWhole(call)) Object.assign(group, { example: exampleOf(call), isWhole: true });
  group.sessionIds.add(call.session ?? "");
  if (call.agent !== undefined) group.agentIds.add(call.agent);
  if (call.time < group.first) group.first = call.time;
  if (call.time > group.last) group.last = call.time;
}

function isWhole({ redacted, cut }: ReplayCall): boolean {
  return redacted.length === 0 && cut.length === 0;
}

/** A guard has many rules, and each is worth a line of its own. */
function nameOf(rule: ReplayRule | null, said: HookResult | undefined): string {
  if (rule === null) return "";
  return said?.rule === undefined ? rule.hook : `${rule.hook}/${said.rule}`;
}

function finished({ sessionIds, agentIds, ...group }: Group): ReplayChange {
  return { ...group, sessions: sessionIds.size, agents: [...agentIds].sort() };
}

function exampleOf({ id, time, agent, session, event, made }: ReplayCall): ReplayChange["example"] {
  return {
    ...(id === undefined ? {} : { id }),
    time,
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session_id: session }),
    event: event.type,
    ...(event.toolName === undefined ? {} : { tool: event.toolName }),
    ...(event.cwd === undefined ? {} : { cwd: event.cwd }),
    ...(made === undefined ? {} : { made }),
    input: dataField(event, "tool_args") ?? dataField(event, "prompt") ?? event.data,
  };
}

/** What decided it: a hook of a policy, or if only the record knows it, the hook in the record. */
function ruleOf(
  call: ReplayCall,
  root: string,
  from: Action,
  said: HookResult | undefined,
  { before, after }: Pick<ReplayRequest, "before" | "after">,
): ReplayRule | null {
  const shown = (path: string, policy: ReplayPolicy | "recorded") =>
    policy === "recorded" ? path : (policy.fileOf?.(path, root) ?? path);
  const fileOf = (path: string | undefined) => (path === undefined ? null : [before, after].reduce(shown, path));
  if (said !== undefined) {
    const { hook } = said;
    const { file, line } = hook.origin?.place ?? {};
    return { hook: hook.name, file: fileOf(file), line: line ?? null };
  }
  const recorded = call.results.find(({ action }) => action === from && action !== "continue");
  if (recorded === undefined) return null;
  return { hook: recorded.hook, file: fileOf(recorded.file), line: recorded.line ?? null };
}
