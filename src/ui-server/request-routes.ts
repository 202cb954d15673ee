import type { Grant } from "../approvals/grants.ts";
import { opensRequest } from "../approvals/link.ts";
import { type Answerer, answererAt, type RequestAnswer, sameShape } from "../approvals/requests.ts";
import {
  answerEverywhere,
  exchangeApprovals,
  revokeEverywhere,
  sharedApprovals,
} from "../approvals/shared-approvals.ts";
import { type PendingRequest, readApprovals } from "../approvals/store.ts";
import { StoreUnavailable } from "../stores/store.ts";
import { rememberHookEvent } from "../trace/remember.ts";
import { asksOf, type Confirmed, passkeyQuestion, placeOf, whyNotProven } from "./person-proof.ts";
import { refusedReply, type UiContext, type UiReply, type UiRoute } from "./route.ts";
import type { RequestList, WireRequest } from "./wire-summary.ts";

/** What waits for an answer, and what was answered. */
export const listRequests: UiRoute = async (_, context) => ({
  json: requestList(context, await grantsElsewhere(context)),
});

/** The grants of other machines, at most five seconds old; as long as their store is away, what was known last. */
async function grantsElsewhere(context: UiContext): Promise<readonly Grant[]> {
  const known = ELSEWHERE.get(context);
  if (known !== undefined && Date.now() - known.at < EXCHANGE_MS) return known.grants;
  ELSEWHERE.set(context, { at: Date.now(), grants: known?.grants ?? [] });
  const shared = sharedApprovals(placeOf(context));
  const grants = (await (shared && exchangeApprovals(shared))?.catch(() => known?.grants)) ?? [];
  ELSEWHERE.set(context, { at: Date.now(), grants });
  return grants;
}

const ELSEWHERE = new WeakMap<UiContext, { readonly at: number; readonly grants: readonly Grant[] }>();
const EXCHANGE_MS = 5000;

/** Ends an answer. That only tightens, so it needs no confirmation. */
export const revokeGrant: UiRoute = async ({ body }, context) => {
  const { id } = Object(body) as { readonly id?: unknown };
  if (typeof id !== "string") return refusedReply(400, "The answer to end is not named.");
  const place = placeOf(context);
  const ended = await inStore(() => revokeEverywhere(id, place, sharedApprovals(place)));
  ELSEWHERE.delete(context);
  if (ended === "away") return storeAway();
  return ended === undefined ? unwritable() : { json: { revoked: ended } };
};

/** Answers a request from a browser that is logged in. */
export const answerRequest: UiRoute = async ({ body, origin, signal }, context) => {
  const found = requestIn(body, context);
  if (found === undefined) return gone();
  return settled(found, body, answererAt("the page"), context, { origin, signal });
};

/** Asks for a passkey that confirms one answer to one request, and those that it answers too. */
export const askForProof: UiRoute = async ({ body }, context) => {
  const found = requestIn(body, context);
  const answer = answerOf(body);
  if (found === undefined || answer === undefined) return gone();
  return passkeyQuestion(aboutAnswer(together(found, answer, context), answer), context);
};

/**
 * Shows and answers a request for the link of a notification: without a login, with a token that is for this request alone.
 * Approving takes the PIN; denying does not.
 */
export const useLink: UiRoute = async ({ body }, context) => {
  const found = requestIn(body, context);
  const { token, answer } = Object(body) as { readonly token?: unknown; readonly answer?: unknown };
  // An unknown request and a wrong token get the same answer.
  if (found === undefined || !opensRequest(token, found)) return gone();
  const { pin } = asksOf(context);
  if (answer === undefined) return { json: { request: shown(found, context), pin, passkey: false } };
  if (answer !== "deny" && !pin)
    return refusedReply(
      403,
      "Approving through a link needs a PIN.",
      "Set one up with `sluice approve setup`, or answer at the machine.",
    );
  return settled(found, body, answererAt("the link of a notification"), context);
};

async function settled(
  request: PendingRequest,
  body: unknown,
  answerer: Answerer,
  context: UiContext,
  page?: Confirmed["page"],
): Promise<UiReply> {
  const answer = answerOf(body);
  if (answer === undefined) return refusedReply(400, "The answer is none that is known.");
  const place = placeOf(context);
  const meant = together(request, answer, context);
  if (answer.answer === "allow") {
    const question = `Approve ${meant.map(({ text }) => text).join(" and ")}?`;
    const why = await whyNotProven(body, context, { about: aboutAnswer(meant, answer), question, page });
    if (why !== undefined) return why;
  }
  // Only what was shown is answered, and only if it still waits.
  const ids = meant.map(({ id }) => id);
  const answered = await inStore(() => answerEverywhere(ids, answer, answerer, place, sharedApprovals(place)));
  ELSEWHERE.delete(context);
  if (answered === "away") return storeAway();
  if (answered === undefined) return unwritable();
  const { by, channel } = answerer;
  const verb = answer.answer === "allow" ? "approved" : "denied";
  for (const { id, session } of answered)
    rememberHookEvent({
      ...{ env: context.env, kind: "skipped", event: verb === "approved" ? "approve" : "deny", action: "continue" },
      notes: [`${by} ${verb} request ${id} through ${channel}.`],
      ...(session === "" ? {} : { sessionId: session }),
    });
  if (answered.length === 0) return gone();
  return { json: { answered: answered.map(({ id }) => id) } };
}

/** The requests that one answer is for. */
function together(request: PendingRequest, answer: RequestAnswer, context: UiContext): readonly PendingRequest[] {
  const isShape = answer.answer === "allow" && answer.on === "shape";
  return isShape ? [request] : sameShape(request, readApprovals(placeOf(context)));
}

function aboutAnswer(meant: readonly PendingRequest[], answer: RequestAnswer): string {
  return JSON.stringify([answer, meant.map(({ id, input }) => [id, input])]);
}

function answerOf(body: unknown): RequestAnswer | undefined {
  const { answer, reason } = Object(body) as { readonly answer?: unknown; readonly reason?: unknown };
  if (answer === "deny")
    return {
      answer: "deny",
      reason: typeof reason === "string" && reason !== "" ? reason.slice(0, MAX_REASON) : undefined,
    };
  return typeof answer === "string" && Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined;
}

const MINUTE = 60_000;
const ANSWERS: Readonly<Record<string, RequestAnswer>> = {
  once: { answer: "allow", on: "input", forMs: 30 * MINUTE, times: 1 },
  "30m": { answer: "allow", on: "input", forMs: 30 * MINUTE, times: 100 },
  "3 times": { answer: "allow", on: "input", forMs: 480 * MINUTE, times: 3 },
  shape: { answer: "allow", on: "shape", forMs: 480 * MINUTE, times: 100 },
};

function requestIn(body: unknown, context: UiContext): PendingRequest | undefined {
  const { id } = Object(body) as { readonly id?: unknown };
  return readApprovals(placeOf(context)).requests.find((one) => one.id === id);
}

function requestList(context: UiContext, elsewhere: readonly Grant[]): RequestList {
  const { requests, grants: own } = readApprovals(placeOf(context));
  const grants = [...own, ...elsewhere];
  return {
    pending: requests.map((one) => shown(one, context)),
    grants: grants.map(({ id, answer, on, label, left, until, by, channel }) => ({
      id,
      answer,
      on,
      shape: label,
      left,
      until,
      by,
      channel,
    })),
    ...asksOf(context),
  };
}

function shown(request: PendingRequest, context: UiContext): WireRequest {
  const { id, at, until, agent, root, text, reasons, shapeKey, isShown = false, notified = [] } = request;
  const others = sameShape(request, readApprovals(placeOf(context))).filter((one) => one.id !== id);
  return {
    ...{ id, at, until, agent, root, text, reasons, isShown },
    mayShape: shapeKey !== undefined,
    together: others.map((one) => one.text),
    failed: notified.flatMap(({ via, state, why = "" }) => (state === "failed" ? [`${via}: ${why}`] : [])),
  };
}

function gone(): UiReply {
  return refusedReply(
    404,
    "This request waits no more, or the link is not for it.",
    "`sluice approvals` lists those that wait.",
  );
}

/** What an act gives that needs the store of shared approvals, or that this store is away. */
async function inStore<T>(act: () => Promise<T>): Promise<T | "away"> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StoreUnavailable) return "away";
    throw error;
  }
}

function storeAway(): UiReply {
  return refusedReply(
    503,
    "Nothing was changed: the store of shared approvals cannot be reached.",
    "`sluice doctor` shows why.",
  );
}

function unwritable(): UiReply {
  return refusedReply(
    500,
    "Nothing was changed: the folder for Sluice's state cannot be written.",
    "`sluice doctor` shows why.",
  );
}

const MAX_REASON = 2000;
