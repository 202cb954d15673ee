import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalSettings } from "../config/approval-settings.ts";
import type { SharedSettings } from "../config/journal-settings.ts";
import { type Decision, refused, withParts } from "../decision/decision.ts";
import { milliseconds } from "../event/clock.ts";
import type { HookEvent } from "../event/event.ts";
import { StoreUnavailable } from "../stores/store.ts";
import type { StatePlace } from "../trust/state-file.ts";
import { askedCall, callElsewhere } from "./asked-call.ts";
import { callHash } from "./call-hash.ts";
import { type AskedCall, afterUse, type Grant } from "./grants.ts";
import { addRequest, settleInAgent, useGrant } from "./requests.ts";
import { settleShared, sharedApprovals, shareRequest, useSharedGrant } from "./shared-approvals.ts";
import { changeApprovals, hasApprovals, type PendingRequest, readApprovals } from "./store.ts";

/** Where a call is asked about. */
export interface ApprovalContext extends StatePlace {
  readonly policy: string;
  readonly settings?: ApprovalSettings | undefined;
  /** Whether the agent can show the question to its user. */
  readonly canAsk: boolean;
  /** Until when the answer of a person may be waited for, by the clock of `milliseconds`. */
  readonly waitUntil?: number | undefined;
  /** Tells the user about the request. */
  readonly notify?: ((id: string) => Promise<void>) | undefined;
  /** The store of several machines, if they share approvals. */
  readonly shared?: SharedSettings | undefined;
  /** Calls of which no request is made, such as those that a person fires. */
  readonly isOnlyAnswered?: boolean | undefined;
}

/**
 * The decision with what a person has answered: an approval lifts an objection to exactly its call or shape, a denial
 * replaces it. A question without an answer becomes a request, which is waited for where the agent cannot ask.
 */
export async function underApprovals(decision: Decision, context: ApprovalContext): Promise<Decision> {
  const call = askedCall(decision, context);
  if (call === undefined) return decision;
  const known = useGrant(call, context);
  if (known !== undefined) return answered(decision, known);
  if (decision.action !== "ask") return decision;
  const elsewhere = sharedOf(decision, call, context);
  try {
    const given = await elsewhere?.grant();
    if (given !== undefined) return answered(decision, given);
    return context.isOnlyAnswered ? decision : await asked(decision, call, context, elsewhere);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const alone = context.isOnlyAnswered ? decision : await asked(decision, call, context);
    return withParts(alone, { contexts: [...alone.contexts, notAsked(error)] });
  }
}

/** A request for the call, and the answer to it where that is waited for. */
async function asked(
  decision: Decision,
  call: AskedCall,
  context: ApprovalContext,
  elsewhere?: SharedAnswers,
): Promise<Decision> {
  const request = addRequest(decision, { ...call, isShown: context.canAsk }, context);
  if (request === undefined) return withParts(decision, { contexts: [...decision.contexts, NOT_RECORDED] });
  await elsewhere?.show(request);
  if (request.notified === undefined) await context.notify?.(request.id);
  if (!context.canAsk) {
    const answer = await answerTo(request.id, () => useGrant(call, context), context, elsewhere);
    if (answer !== undefined) return answered(decision, answer);
  }
  return withParts(decision, { request: { id: request.id } });
}

/** The answers to one call in the store of several machines. */
interface SharedAnswers {
  /** Uses one; throws `StoreUnavailable` if the store cannot be reached. */
  grant(): Promise<Grant | undefined>;
  show(request: PendingRequest): Promise<void>;
}

function sharedOf(decision: Decision, call: AskedCall, context: ApprovalContext): SharedAnswers | undefined {
  if (context.shared?.what.includes("approvals") !== true) return undefined;
  const there = callElsewhere(decision, call);
  const shared = there && sharedApprovals(context, context.shared);
  if (there === undefined || shared === undefined) return undefined;
  return {
    grant: () => useSharedGrant(there, shared),
    show: (request) =>
      request.shared === undefined
        ? shareRequest(request, { project: there.root, input: there.input }, shared)
        : Promise.resolve(),
  };
}

/** Ends the request of a call that has run, here and in the store of several machines. */
export async function settled(
  event: HookEvent,
  context: StatePlace & { readonly shared?: SharedSettings | undefined },
) {
  const requests = settleInAgent(event, context).filter((one) => one.shared !== undefined);
  const shared = requests.length === 0 ? undefined : sharedApprovals(context, context.shared);
  // Without the store, the next exchange of this machine removes the request there.
  await (shared && settleShared(requests, shared))?.catch(() => {});
}

/**
 * The decision about a call whose question the agent is showing to its user: the answer that a person gives elsewhere
 * meanwhile, if it comes first.
 */
export async function besideDialog(decision: Decision, context: ApprovalContext): Promise<Decision> {
  const { waitUntil, policy } = context;
  const input = callHash(decision.event);
  const shown = readApprovals(context).requests.find((one) => one.isShown === true && one.input === input);
  if (shown !== undefined && waitUntil !== undefined) await untilAnswered(shown.id, waitUntil, context);
  const isThis = ({ id, isOpen, answer, key }: Grant) =>
    id === shown?.id || (key === input && (isOpen === true || answer === "deny"));
  const given = changeApprovals(context, (known) => {
    const grant = known.grants.find((one) => one.policy === policy && isThis(one));
    return [grant?.answer === "allow" ? { ...known, grants: afterUse(known.grants, grant) } : known, grant];
  });
  return given === undefined ? decision : answered(decision, given);
}

/** Waits for the answer to a request, at most until the call has to be answered itself. */
async function answerTo(
  id: string,
  given: () => Grant | undefined,
  context: ApprovalContext,
  elsewhere?: SharedAnswers,
): Promise<Grant | undefined> {
  const { settings, waitUntil } = context;
  if (settings === undefined || settings.waitMs === 0 || waitUntil === undefined) return given();
  const until = Math.min(waitUntil, milliseconds() + settings.waitMs);
  for (;;) {
    const next = elsewhere === undefined ? until : Math.min(until, milliseconds() + LOOK_ELSEWHERE_MS);
    const isAnswered = await untilAnswered(id, next, context);
    const answer = given() ?? (await elsewhere?.grant());
    if (answer !== undefined || isAnswered || milliseconds() >= until) return answer;
  }
}

async function untilAnswered(id: string, until: number, place: StatePlace): Promise<boolean> {
  while (milliseconds() < until) {
    await sleep(Math.min(LOOK_MS, Math.max(1, until - milliseconds())));
    if (!hasApprovals(place) || !readApprovals(place).requests.some((one) => one.id === id)) return true;
  }
  return false;
}

function answered(decision: Decision, { id, answer, reason, by, channel, on, lifts }: Grant): Decision {
  if (answer === "deny") {
    const words = `${by} denied this call${reason === undefined ? "" : `: ${reason}`} (sluice deny ${id})`;
    return refused(decision, words, "DESTRUCTIVE_BLOCKED");
  }
  const note =
    lifts === "deny"
      ? `The user allowed this call once (sluice allow-once ${id}).`
      : `${by} approved ${on === "shape" ? "calls of this shape" : "this call"} through ${channel} (sluice approve ${id}).`;
  return withParts(decision, {
    action: decision.input === undefined ? "continue" : "modify",
    reasons: [],
    contexts: [...decision.contexts, note],
    // The person has answered the question that the agent would ask again.
    approved: lifts === "ask",
  });
}

const LOOK_MS = 200;
const LOOK_ELSEWHERE_MS = 2000;
function notAsked({ message }: Error): string {
  return `Answers of other machines do not apply now, because their store cannot be reached: ${message}. The question remains.`;
}
const NOT_RECORDED =
  "This question is not among the requests of `sluice approvals`: the folder for Sluice's state cannot be written.";
