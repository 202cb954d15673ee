import { randomBytes } from "node:crypto";

/** A passkey as it is stored: nothing of it is secret. */
export interface Passkey {
  readonly id: string;
  /** The public key as the authenticator encodes it, in base64url. */
  readonly publicKey: string;
  /** How often it was used, where the authenticator counts that. */
  readonly counter: number;
}

/** What a browser is asked, and how its answer is checked: once, by a challenge that ends with it. */
export interface PasskeyQuestion<Result> {
  /** The options for `navigator.credentials`, as JSON. */
  readonly options: object;
  /** The verified result; undefined if the answer is wrong, late, or the second one. */
  check(answer: unknown, origin: string): Promise<Result | undefined>;
}

/** Asks for a new passkey of this user. */
export async function newPasskey(known: readonly Passkey[], user: string): Promise<PasskeyQuestion<Passkey>> {
  const { generateRegistrationOptions, verifyRegistrationResponse } = await library();
  const options = await generateRegistrationOptions({
    ...{ rpName: "Sluice", rpID: PASSKEY_HOST, userName: user, attestationType: "none" },
    ...{ challenge: challenge(), timeout: ANSWER_MS },
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
  return once(options, async (response, origin) => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"] },
      ...{ expectedChallenge: options.challenge, expectedOrigin: origin, expectedRPID: PASSKEY_HOST },
      requireUserVerification: true,
    });
    if (!verified || registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
  });
}

/** Asks for proof by one of these passkeys; the result is the passkey with its new counter. */
export async function passkeyProof(known: readonly Passkey[]): Promise<PasskeyQuestion<Passkey>> {
  const { generateAuthenticationOptions, verifyAuthenticationResponse } = await library();
  const options = await generateAuthenticationOptions({
    ...{ rpID: PASSKEY_HOST, challenge: challenge(), timeout: ANSWER_MS, userVerification: "required" },
    allowCredentials: known.map(({ id }) => ({ id })),
  });
  return once(options, async (response, origin) => {
    const { id } = Object(response) as { readonly id?: unknown };
    const used = known.find((one) => one.id === id);
    if (used === undefined) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response: response as Parameters<typeof verifyAuthenticationResponse>[0]["response"] },
      ...{ expectedChallenge: options.challenge, expectedOrigin: origin, expectedRPID: PASSKEY_HOST },
      credential: { id: used.id, publicKey: Buffer.from(used.publicKey, "base64url"), counter: used.counter },
      requireUserVerification: true,
    });
    return verified ? { ...used, counter: authenticationInfo.newCounter } : undefined;
  });
}

/** Whether a value is a passkey as it is stored. */
export function isPasskey(value: unknown): value is Passkey {
  const { id, publicKey, counter } = Object(value);
  return [id, publicKey].every((text) => typeof text === "string" && text !== "") && Number.isInteger(counter);
}

function once<Result>(
  options: object,
  verify: (answer: unknown, origin: string) => Promise<Result | undefined>,
): PasskeyQuestion<Result> {
  const end = Date.now() + ANSWER_MS;
  let isOpen = true;
  return {
    options,
    check: async (answer, origin) => {
      const isInTime = isOpen && Date.now() < end;
      isOpen = false;
      // The library throws for everything that is wrong with an answer.
      return isInTime ? verify(answer, origin).catch(() => undefined) : undefined;
    },
  };
}

/** Loaded when a passkey is used, and never for a call. The built command has it as a file of its own. */
function library() {
  return import("@simplewebauthn/server");
}

function challenge() {
  return new Uint8Array(randomBytes(32));
}

/** The host that passkeys are bound to: browsers accept no address of numbers. */
export const PASSKEY_HOST = "localhost";
const ANSWER_MS = 120_000;
