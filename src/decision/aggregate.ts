import { eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { type Decision, hookDecision } from "./decision.ts";
import { type Action, type HookResult, STRICTNESS } from "./result.ts";

/** The results of all hooks, and what else the decision depends on. */
export interface HooksOutcome {
  /** The event as it happened. */
  readonly event: HookEvent;
  readonly results: readonly HookResult[];
  /** The changed input, prompt or result; absent if nothing changed. */
  readonly changed?: { readonly value: unknown };
  /** Whether the hooks were ended before each had a result: the reason, or true if the caller gave up. */
  readonly aborted?: boolean | string;
  /** What the agent should know besides, such as guards that could not be read. */
  readonly notices?: readonly string[];
}

/** Combines results: any deny denies, then ask, then modify, then continue. All contexts are kept. */
export function aggregate({ event, results, changed, aborted = false, notices = [] }: HooksOutcome): Decision {
  const { gate, modifies } = eventSpec(event.type);
  const isAsked = gate && (aborted || notices.length > 0);
  if (!isAsked && changed === undefined && results.every(isQuiet)) return passed(event, results);
  const said = strictest(gate ? results : results.filter((result) => result.action === "modify"));
  const action = aborted !== false && gate ? "deny" : said;
  // Hooks that were ended or never begun are reported once, however many they are.
  const ended = aborted === false ? [] : results.filter(wasAborted);
  const spoke = ended.length === 0 ? results : results.filter((result) => !wasAborted(result));
  const agreeing = spoke.filter((result) => result.action === action);
  const objections = spoke.filter((result) => STRICTNESS[result.action] >= STRICTNESS.ask);
  const giveUp = ended.length === 0 && action === said ? [] : [abortWords(aborted, ended)];
  const contexts = results.flatMap(({ context }) => context || []);
  const feedback = gate ? [] : unique([...(ended.length === 0 ? [] : giveUp), ...objections.map(objectionOf)]);
  const part = modifies === "output" ? "output" : "input";
  const decision = {
    event,
    action,
    reasons: action === "continue" ? [] : unique([...giveUp, ...agreeing.flatMap(({ reason }) => reason || [])]),
    contexts: unique([...feedback, ...contexts, ...(gate ? notices : [])]),
    ...(feedback.length === 0 ? {} : { feedback }),
    approved: isApproved(action, results),
    results,
    ...(changed && STRICTNESS[action] < STRICTNESS.deny ? { [part]: changed.value } : {}),
  };
  return { ...decision, toHookDecision: () => hookDecision(decision) };
}

/** The strictest action of all results; no result continues. */
function strictest(results: readonly HookResult[]): Action {
  return results.reduce<Action>(
    (worst, { action }) => (STRICTNESS[action] > STRICTNESS[worst] ? action : worst),
    "continue",
  );
}

/** `continue` is not an approval: only a hook of the user or of the administrator can approve, and any objection ends that. */
function isApproved(action: Action, results: readonly HookResult[]): boolean {
  const objected = STRICTNESS[action] >= STRICTNESS.ask;
  return !objected && results.some(({ approves, hook }) => approves && APPROVING.has(hook.layer));
}

/** After the fact a denial is only a message, so there always is one. */
function objectionOf({ reason, action, hook }: HookResult): string {
  return reason?.trim() ? reason : `hook "${hook.name}" says ${action}`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function wasAborted({ failure }: HookResult): boolean {
  return failure?.why === "signal" && failure.aborted === true;
}

/** Why not every hook has spoken, and which have not. */
function abortWords(aborted: boolean | string, ended: readonly HookResult[]): string {
  const why = typeof aborted === "string" ? aborted : "aborted before every hook had spoken";
  if (ended.length === 0) return why;
  const names = ended.slice(0, MAX_NAMES).map(({ hook }) => `"${hook.name}"`);
  const more = ended.length - names.length;
  return `${why}. Without an answer: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const MAX_NAMES = 5;
const APPROVING: ReadonlySet<string> = new Set(["managed", "user"]);

/** By far the most frequent result: every hook continues without a message. */
function passed(event: HookEvent, results: readonly HookResult[]): Decision {
  const approved = isApproved("continue", results);
  return { event, action: "continue", reasons: NONE, contexts: NONE, approved, results, toHookDecision: ALLOWED };
}

function isQuiet({ action, context }: HookResult): boolean {
  return action === "continue" && !context;
}
const NONE: readonly string[] = Object.freeze([]);
const ALLOWED = () => ({ allow: true }) as const;

/** A decision with one more result. */
export function withResult(decision: Decision, result: HookResult | undefined): Decision {
  return result === undefined ? decision : joined(decision, aggregate({ event: decision.event, results: [result] }));
}

/** Two decisions about the same call as one: the stricter action, with the messages of both. */
export function joined(first: Decision, second: Decision): Decision {
  const strictness = STRICTNESS[first.action] - STRICTNESS[second.action];
  const stricter = strictness >= 0 ? first : second;
  const reasons = strictness === 0 ? [...first.reasons, ...second.reasons] : stricter.reasons;
  const { input: _, output: __, toHookDecision: ___, ...rest } = first;
  const input = first.input ?? second.input;
  const feedback = unique([...(first.feedback ?? []), ...(second.feedback ?? [])]);
  const decision = {
    ...rest,
    action: stricter.action,
    reasons: [...new Set(reasons)],
    contexts: [...new Set([...first.contexts, ...second.contexts])],
    ...(feedback.length === 0 ? {} : { feedback }),
    approved: first.approved && STRICTNESS[stricter.action] < STRICTNESS.ask,
    results: [...first.results, ...second.results],
    ...(input !== undefined && stricter.action !== "deny" ? { input } : {}),
    ...(first.output === undefined ? {} : { output: first.output }),
  };
  return { ...decision, toHookDecision: () => hookDecision(decision) };
}
