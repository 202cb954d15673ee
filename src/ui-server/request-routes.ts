import { opensRequest } from "../approvals/link.ts";
import type { Passkey } from "../approvals/passkey.ts";
import { notePasskeyUse, personChannel, pinDelay, tryPin } from "../approvals/person-channel.ts";
import {
  type Answerer,
  answererAt,
  answerRequests,
  type RequestAnswer,
  revoke,
  sameShape,
} from "../approvals/requests.ts";
import { type PendingRequest, readApprovals } from "../approvals/store.ts";
import { rememberHookEvent } from "../trace/remember.ts";
import { refusedReply, type UiContext, type UiReply, type UiRoute } from "./route.ts";
import type { RequestList, WireRequest } from "./wire-summary.ts";

/** What waits for an answer, and what was answered. */
export const listRequests: UiRoute = (_, context) => ({ json: requestList(context) });

/** Ends an answer. That only tightens, so it needs no confirmation. */
export const revokeGrant: UiRoute = ({ body }, context) => {
  const { id } = Object(body) as { readonly id?: unknown };
  if (typeof id !== "string") return refusedReply(400, "The answer to end is not named.");
  const ended = revoke(id, placeOf(context));
  return ended === undefined ? unwritable() : { json: { revoked: ended } };
};

/** Answers a request from a browser that is logged in. */
export const answerRequest: UiRoute = async ({ body, origin, signal }, context) => {
  const found = requestIn(body, context);
  if (found === undefined) return gone();
  const confirm = (question: string) => context.acts.confirm(question, signal);
  return settled(found, body, answererAt("the page"), context, { confirm, origin });
};

/** Asks for a passkey that confirms one answer to one request, and those that it answers too. */
export const askForProof: UiRoute = async ({ body }, context) => {
  const found = requestIn(body, context);
  const answer = answerOf(body);
  if (found === undefined || answer === undefined) return gone();
  const { passkeyProof } = await import("../approvals/passkey.ts");
  const channel = personChannel(placeOf(context));
  if (typeof channel !== "object" || channel.passkeys.length === 0)
    return refusedReply(
      403,
      "No passkey is set up.",
      "Run `sluice approve setup --passkey` in a terminal of your own.",
    );
  const question = await passkeyProof(channel.passkeys);
  const { challenge } = Object(question.options) as { readonly challenge: string };
  const { proofs } = context;
  proofs.set(challenge, { question, about: aboutAnswer(together(found, answer, context), answer) });
  const [oldest] = proofs.keys();
  if (proofs.size > MAX_PROOFS && oldest !== undefined) proofs.delete(oldest);
  return { json: { options: question.options } };
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
  const { pin } = channelOf(context);
  if (answer === undefined) return { json: { request: shown(found, context), pin, passkey: false } };
  if (answer !== "deny" && !pin)
    return refusedReply(
      403,
      "Approving through a link needs a PIN.",
      "Set one up with `sluice approve setup`, or answer at the machine.",
    );
  return settled(found, body, answererAt("the link of a notification"), context);
};

/** How a page confirms without a PIN. */
interface PageProof {
  readonly confirm: (question: string) => Promise<boolean>;
  readonly origin: string;
}

async function settled(
  request: PendingRequest,
  body: unknown,
  answerer: Answerer,
  context: UiContext,
  page?: PageProof,
): Promise<UiReply> {
  const answer = answerOf(body);
  if (answer === undefined) return refusedReply(400, "The answer is none that is known.");
  const place = placeOf(context);
  const meant = together(request, answer, context);
  if (answer.answer === "allow") {
    const why = await whyNotProven(body, context, { meant, answer, page });
    if (why !== undefined) return why;
  }
  // Only what was shown is answered, and only if it still waits.
  const answered = answerRequests(
    meant.map(({ id }) => id),
    answer,
    answerer,
    place,
  );
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

/** Why a person has not proven to be one: the PIN or the passkey that is set up, otherwise a yes in the terminal of `sluice ui`. */
async function whyNotProven(
  body: unknown,
  context: UiContext,
  about: {
    readonly meant: readonly PendingRequest[];
    readonly answer: RequestAnswer;
    readonly page: PageProof | undefined;
  },
): Promise<UiReply | undefined> {
  const { meant, answer, page } = about;
  const place = placeOf(context);
  const channel = personChannel(place);
  if (channel === "lost")
    return refusedReply(
      403,
      "A PIN or a passkey was set up, and its file is missing.",
      "Run `sluice approve setup` in a terminal of your own.",
    );
  if (channel === "none") {
    const question = `Approve ${meant.map(({ text }) => text).join(" and ")}?`;
    return (await page?.confirm(question)) === true
      ? undefined
      : refusedReply(403, "No person confirmed it in the terminal of `sluice ui`.");
  }
  const { pin, proof } = Object(body) as { readonly pin?: unknown; readonly proof?: unknown };
  if (proof !== undefined && page !== undefined) {
    const used = await provenBy(proof, aboutAnswer(meant, answer), page.origin, context);
    if (used === undefined) return refusedReply(403, "The passkey was not accepted for this answer.");
    notePasskeyUse(used, place);
    return undefined;
  }
  if (channel.pin === undefined) return refusedReply(403, "The passkey is missing.");
  const waitMs = pinDelay(place);
  const late = (ms: number) =>
    refusedReply(429, `A wrong PIN was entered before. Try again in ${Math.ceil(ms / 1000)} s.`);
  if (waitMs > 0) return late(waitMs);
  if (typeof pin !== "string" || pin === "") return refusedReply(403, "The PIN is missing.");
  const tried = tryPin(pin, place);
  if (tried.is === "right") return undefined;
  return tried.is === "late" ? late(tried.waitMs) : refusedReply(403, "That is not the PIN.");
}

/** The passkey that confirms exactly this answer; each challenge is valid once. */
async function provenBy(
  proof: unknown,
  about: string,
  origin: string,
  { proofs }: UiContext,
): Promise<Passkey | undefined> {
  const { challenge, answer } = Object(proof) as { readonly challenge?: unknown; readonly answer?: unknown };
  const open = typeof challenge === "string" ? proofs.get(challenge) : undefined;
  if (open === undefined) return undefined;
  proofs.delete(String(challenge));
  return open.about === about ? open.question.check(answer, origin) : undefined;
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

function requestList(context: UiContext): RequestList {
  const { requests, grants } = readApprovals(placeOf(context));
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
    ...channelOf(context),
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

function channelOf(context: UiContext): Pick<RequestList, "pin" | "passkey"> {
  const channel = personChannel(placeOf(context));
  if (typeof channel !== "object") return { pin: false, passkey: false };
  return { pin: channel.pin !== undefined, passkey: channel.passkeys.length > 0 };
}

function placeOf({ env }: UiContext) {
  return { env, root: "/nonexistent/sluice-no-project" };
}

function gone(): UiReply {
  return refusedReply(
    404,
    "This request waits no more, or the link is not for it.",
    "`sluice approvals` lists those that wait.",
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
const MAX_PROOFS = 32;
