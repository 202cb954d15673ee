import { userInfo } from "node:os";
import type { Decision } from "../decision/decision.ts";
import { commandLineOf } from "../effects/command-line.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField, namedPaths } from "../event/field.ts";
import { toJsonText } from "../event/json.ts";
import { newId } from "../trace/fingerprint.ts";
import { redactor, secretsIn } from "../trace/redact.ts";
import type { StatePlace } from "../trust/state-file.ts";
import { shapeText } from "./asked-call.ts";
import { callHash } from "./call-hash.ts";
import { type AskedCall, afterUse, type Grant, grantFor } from "./grants.ts";
import { type Approvals, changeApprovals, hasApprovals, type PendingRequest, readApprovals } from "./store.ts";

/** Uses an answer that a person gave for this call; undefined if there is none. */
export function useGrant(call: AskedCall, place: StatePlace, now = Date.now()): Grant | undefined {
  if (!hasApprovals(place)) return undefined;
  if (grantFor(readApprovals(place, now).grants, call, now) === undefined) return undefined;
  return changeApprovals(
    place,
    (known) => {
      // Another process may have used it meanwhile.
      const used = grantFor(known.grants, call, now);
      return used === undefined ? [known, undefined] : [{ ...known, grants: afterUse(known.grants, used) }, used];
    },
    now,
  );
}

/** Records that a call waits for an answer, and returns its request; a call that waits already keeps its id. */
export function addRequest(
  decision: Decision,
  call: AskedCall & { readonly isShown: boolean },
  place: StatePlace,
  now = Date.now(),
): PendingRequest | undefined {
  const { event, reasons } = decision;
  return changeApprovals(
    place,
    (known) => {
      const same = known.requests.find((one) => isSameCall(one, call));
      const others = known.requests.filter((one) => one !== same);
      const redact = redactor(secretsIn(place.env ?? process.env));
      const request: PendingRequest = {
        id: same?.id ?? freshId(known),
        at: same?.at ?? now,
        until: now + REQUEST_MS,
        root: call.root,
        agent: call.agent,
        session: call.session,
        tool: event.toolName ?? "",
        shape: redact.text(shapeText(decision)),
        text: shortened(redact.text(textOf(decision))),
        reasons: reasons.slice(0, MAX_REASONS).map((reason) => shortened(redact.text(reason))),
        askers: call.askers,
        policy: call.policy,
        input: call.input,
        ...(call.shape === undefined ? {} : { shapeKey: call.shape }),
        ...(call.isShown ? { isShown: true as const } : {}),
        ...(same?.shared === undefined ? {} : { shared: same.shared }),
        ...(same?.notified === undefined ? {} : { notified: same.notified, link: same.link }),
      };
      return [{ ...known, requests: [...others, request] }, request];
    },
    now,
  );
}

/** How a request is answered. */
export type RequestAnswer =
  | { readonly answer: "allow"; readonly on: "input" | "shape"; readonly forMs: number; readonly times: number }
  | { readonly answer: "deny"; readonly reason?: string | undefined };

/** Who answers, and from where. */
export interface Answerer {
  readonly by: string;
  readonly channel: string;
}

/** The user of this process, at a terminal. */
export function answererAt(channel: string): Answerer {
  try {
    return { by: userInfo().username, channel };
  } catch {
    return { by: "the user", channel };
  }
}

/**
 * Answers requests and returns those that were answered: each gets a grant for its own input, or one for their shape. A
 * request that is not pending any more is left out.
 */
export function answerRequests(
  ids: readonly string[],
  answer: RequestAnswer,
  { by, channel }: Answerer,
  place: StatePlace,
  now = Date.now(),
): readonly PendingRequest[] | undefined {
  return changeApprovals(
    place,
    (known) => {
      const answered = known.requests.filter(({ id }) => ids.includes(id));
      const given = answered.map((request) => grantOf(request, answer, { by, channel }, now));
      const isReplaced = (old: Grant) => given.some(({ id, answer: other }) => id === old.id && other !== old.answer);
      const grants = [...known.grants.filter((old) => !isReplaced(old)), ...given];
      return [{ requests: known.requests.filter((one) => !answered.includes(one)), grants }, answered];
    },
    now,
  );
}

/** What a request becomes with an answer. */
export function grantOf(request: PendingRequest, answer: RequestAnswer, { by, channel }: Answerer, now: number): Grant {
  const { id, root, agent, session, policy, input, shapeKey, shape, askers } = request;
  const common = { id, label: shape, root, agent, session, policy, at: now, by, channel };
  if (answer.answer === "deny") {
    const reason = answer.reason === undefined ? {} : { reason: answer.reason };
    const length = { until: now + DENIED_MS, left: MAX_TIMES };
    return { ...common, answer: "deny", on: "input", key: input, lifts: "ask", ...length, ...reason };
  }
  const isShape = answer.on === "shape" && shapeKey !== undefined;
  return {
    ...common,
    answer: "allow",
    on: isShape ? "shape" : "input",
    key: isShape ? shapeKey : input,
    lifts: "ask",
    askers,
    until: now + Math.min(answer.forMs, MAX_FOR_MS),
    left: Math.min(answer.times, MAX_TIMES),
    ...(request.isShown ? { isOpen: true as const } : {}),
  };
}

/** Lets exactly one denied call pass once: the answer to a denial that was recorded. */
export function grantOnce(
  {
    call,
    id,
    policy,
    label,
  }: { readonly call: string; readonly id: string; readonly policy?: string | undefined; readonly label: string },
  { by, channel }: Answerer,
  place: StatePlace,
  now = Date.now(),
): boolean {
  const grant: Grant = {
    ...{ id, answer: "allow", on: "input", key: call, label, lifts: "deny", policy },
    ...{ at: now, until: now + DENIAL_MS, left: 1, by, channel },
  };
  const isWritten = changeApprovals(place, (known) => [{ ...known, grants: [...known.grants, grant] }, true], now);
  return isWritten === true;
}

/** Ends grants and requests by id, or all; returns how many grants ended. */
export function revoke(id: string | "all", place: StatePlace): number | undefined {
  return changeApprovals(place, (known) => {
    const isMeant = (one: { readonly id: string }) => id === "all" || one.id === id;
    const ended = known.grants.filter(isMeant).length;
    return [{ ...known, grants: known.grants.filter((one) => !isMeant(one)) }, ended];
  });
}

/**
 * A call that has run was answered in the agent: its request does not wait any more, and is returned. An approval that came from elsewhere
 * while the agent still asked has let this call pass.
 */
export function settleInAgent(event: HookEvent, place: StatePlace, now = Date.now()): readonly PendingRequest[] {
  if (!hasApprovals(place)) return [];
  const input = callHash(event);
  const isThis = (one: PendingRequest) => one.input === input;
  const isOpen = (grant: Grant) => grant.isOpen === true && grant.on === "input" && grant.key === input;
  const { requests, grants } = readApprovals(place, now);
  const settled = requests.filter(isThis);
  if (settled.length === 0 && !grants.some(isOpen)) return [];
  changeApprovals(
    place,
    (known) => {
      const used = known.grants.find(isOpen);
      const left = used === undefined ? known.grants : afterUse(known.grants, used);
      return [{ requests: known.requests.filter((one) => !isThis(one)), grants: left }, true];
    },
    now,
  );
  return settled;
}

/** The requests that an answer to one of them also answers: those of the same shape, project and session. */
export function sameShape(request: PendingRequest, { requests }: Approvals): readonly PendingRequest[] {
  const { shapeKey, root, session, agent, policy, askers } = request;
  if (shapeKey === undefined) return [request];
  return requests.filter(
    (one) =>
      one.id === request.id ||
      (one.shapeKey === shapeKey &&
        one.root === root &&
        one.session === session &&
        one.agent === agent &&
        one.policy === policy &&
        one.askers.join() === askers.join()),
  );
}

function isSameCall(request: PendingRequest, { input, root, session, agent, policy, askers }: AskedCall): boolean {
  return (
    request.input === input &&
    request.root === root &&
    request.session === session &&
    request.agent === agent &&
    request.policy === policy &&
    request.askers.join() === askers.join()
  );
}

function freshId({ requests, grants }: Approvals): string {
  const used = new Set([...requests, ...grants].map(({ id }) => id));
  for (;;) {
    const id = newId();
    if (!used.has(id)) return id;
  }
}

/** The input as a person reads it: a command line, a file, or the arguments. */
function textOf({ event }: Decision): string {
  const line = commandLineOf(event);
  if (line !== undefined) return line;
  const [path] = namedPaths(event);
  if (path !== undefined) return `${event.toolName ?? ""} ${path}`;
  return `${event.toolName ?? ""} ${toJsonText(dataField(event, "tool_args") ?? {})}`;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

const MINUTE = 60_000;
/** How long a request waits. */
const REQUEST_MS = 24 * 60 * MINUTE;
/** How long a denial is repeated for the same call. */
const DENIED_MS = 30 * MINUTE;
/** How long a denial that was lifted once may be tried again. */
export const DENIAL_MS = 10 * MINUTE;
/** The longest approval. */
export const MAX_FOR_MS = 24 * 60 * MINUTE;
/** The most calls that one approval lets pass. */
export const MAX_TIMES = 100;
const MAX_TEXT = 2000;
const MAX_REASONS = 5;
