import type { Passkey } from "../approvals/passkey.ts";
import { notePasskeyUse, personChannel, pinDelay, tryPin } from "../approvals/person-channel.ts";
import { refusedReply, type UiContext, type UiReply } from "./route.ts";
import type { PersonAsks } from "./wire-summary.ts";

/** What a person is to confirm. */
export interface Confirmed {
  /** Exactly what is confirmed: a passkey for one text is none for another. */
  readonly about: string;
  /** The question at the terminal of `sluice ui`. */
  readonly question: string;
  /** The page that asks; undefined for a link without a login, which only a PIN opens. */
  readonly page?: { readonly origin: string; readonly signal: AbortSignal } | undefined;
}

/** Why a person has not proven to be one: the PIN or the passkey that is set up, otherwise a yes in the terminal of `sluice ui`. */
export async function whyNotProven(
  body: unknown,
  context: UiContext,
  { about, question, page }: Confirmed,
): Promise<UiReply | undefined> {
  const place = placeOf(context);
  const channel = personChannel(place);
  if (channel === "lost")
    return refusedReply(
      403,
      "A PIN or a passkey was set up, and its file is missing.",
      "Run `sluice approve setup` in a terminal of your own.",
    );
  if (channel === "none") {
    const isSure = page !== undefined && (await context.acts.confirm(question, page.signal));
    return isSure ? undefined : refusedReply(403, "No person confirmed it in the terminal of `sluice ui`.");
  }
  const { pin, proof } = Object(body) as { readonly pin?: unknown; readonly proof?: unknown };
  if (proof !== undefined && page !== undefined) {
    const used = await provenBy(proof, about, page.origin, context);
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

/** What the browser needs to ask for a passkey that confirms exactly this. */
export async function passkeyQuestion(about: string, context: UiContext): Promise<UiReply> {
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
  proofs.set(challenge, { question, about });
  const [oldest] = proofs.keys();
  if (proofs.size > MAX_PROOFS && oldest !== undefined) proofs.delete(oldest);
  return { json: { options: question.options } };
}

/** The passkey that confirms exactly this; each challenge is valid once. */
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

/** What the page asks the person for. */
export function asksOf(context: UiContext): PersonAsks {
  const channel = personChannel(placeOf(context));
  if (typeof channel !== "object") return { pin: false, passkey: false };
  return { pin: channel.pin !== undefined, passkey: channel.passkeys.length > 0 };
}

/** Where the state of this user is; no project contains it. */
export function placeOf({ env }: UiContext) {
  return { env, root: "/nonexistent/sluice-no-project" };
}

const MAX_PROOFS = 32;
