import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalSettings } from "../config/approval-settings.ts";
import { type Decision, refused, withParts } from "../decision/decision.ts";
import { milliseconds } from "../event/clock.ts";
import type { StatePlace } from "../trust/state-file.ts";
import { askedCall } from "./asked-call.ts";
import { callHash } from "./call-hash.ts";
import { afterUse, type Grant } from "./grants.ts";
import { addRequest, useGrant } from "./requests.ts";

export { settleInAgent } from "./requests.ts";

import { changeApprovals, hasApprovals, readApprovals } from "./store.ts";

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
  if (decision.action !== "ask" || context.isOnlyAnswered) return decision;
  const request = addRequest(decision, { ...call, isShown: context.canAsk }, context);
  if (request === undefined) return withParts(decision, { contexts: [...decision.contexts, NOT_RECORDED] });
  if (request.notified === undefined) await context.notify?.(request.id);
  if (!context.canAsk) {
    await answerTo(request.id, context);
    const answer = useGrant(call, context);
    if (answer !== undefined) return answered(decision, answer);
  }
  return withParts(decision, { request: { id: request.id } });
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

/** Waits until a request is answered, or until the call has to be answered itself. */
async function answerTo(id: string, context: ApprovalContext): Promise<void> {
  const { settings, waitUntil } = context;
  if (settings === undefined || settings.waitMs === 0 || waitUntil === undefined) return;
  await untilAnswered(id, Math.min(waitUntil, milliseconds() + settings.waitMs), context);
}

async function untilAnswered(id: string, until: number, place: StatePlace): Promise<void> {
  while (milliseconds() < until) {
    await sleep(Math.min(LOOK_MS, Math.max(1, until - milliseconds())));
    if (!hasApprovals(place) || !readApprovals(place).requests.some((one) => one.id === id)) return;
  }
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
const NOT_RECORDED =
  "This question is not among the requests of `sluice approvals`: the folder for Sluice's state cannot be written.";
