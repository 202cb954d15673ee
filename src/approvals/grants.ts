import type { Action } from "../decision/result.ts";

/** A call that hooks object to, as far as an answer is bound to it. */
export interface AskedCall {
  readonly root: string;
  readonly agent: string;
  readonly session: string;
  /** Identifies the exact input, with what hooks have made of it. */
  readonly input: string;
  /** Identifies all calls of the same shape; undefined if the call cannot be read completely. */
  readonly shape: string | undefined;
  /** The hooks and rules that object. */
  readonly askers: readonly string[];
  /** The hash of the policy that objects. */
  readonly policy: string;
  readonly action: Extract<Action, "ask" | "deny">;
}

/** What a person has answered: until when it is valid, for how many calls, and for which. */
export interface Grant {
  /** The id of the request, or of the denial that it lifts. */
  readonly id: string;
  readonly answer: "allow" | "deny";
  readonly on: "input" | "shape";
  readonly key: string;
  /** The shape, for people who look at the list. */
  readonly label: string;
  /** The objections that it lifts: questions alone, or also denials. */
  readonly lifts: "ask" | "deny";
  /** The hooks and rules whose objections it lifts; all if left out. */
  readonly askers?: readonly string[] | undefined;
  readonly root?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  /** The policy under which it was given; any if left out. */
  readonly policy?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly until: number;
  /** How many more calls it lets pass. */
  readonly left: number;
  readonly by: string;
  readonly channel: string;
  /** What the person says to the model. */
  readonly reason?: string | undefined;
  /** The agent may still show the question to its user, who may answer it there as well. */
  readonly isOpen?: true;
}

/** The answer that applies to a call; a denial comes before an approval, an exact input before a shape. */
export function grantFor<G extends Grant>(grants: readonly G[], call: AskedCall, now: number): G | undefined {
  return grants
    .filter((grant) => isLive(grant, now) && covers(grant, call))
    .sort((one, other) => rank(one) - rank(other))[0];
}

/** Whether a grant has neither expired nor been used up; a grant from the future is one of a clock that was turned back. */
export function isLive({ at, until, left }: Grant, now: number): boolean {
  return left > 0 && now >= at && now < until;
}

/** The grants after one of them let a call pass. */
export function afterUse(grants: readonly Grant[], used: Grant): readonly Grant[] {
  return grants.flatMap((grant) => {
    if (grant !== used) return [grant];
    const { isOpen: _, ...rest } = grant;
    return grant.left > 1 ? [{ ...rest, left: grant.left - 1 }] : [];
  });
}

function covers(grant: Grant, call: AskedCall): boolean {
  const { answer, on, key, lifts, askers, root, agent, session, policy } = grant;
  if (key !== (on === "input" ? call.input : call.shape)) return false;
  const isBoundHere =
    isSame(root, call.root) &&
    isSame(agent, call.agent) &&
    isSame(session, call.session) &&
    isSame(policy, call.policy);
  if (!isBoundHere) return false;
  if (answer === "deny") return true;
  if (call.action === "deny" && lifts !== "deny") return false;
  return askers === undefined || call.askers.every((one) => askers.includes(one));
}

function isSame(stated: string | undefined, own: string): boolean {
  return stated === undefined || stated === own;
}

function rank({ answer, on }: Grant): number {
  return (answer === "deny" ? 0 : 2) + (on === "input" ? 0 : 1);
}
