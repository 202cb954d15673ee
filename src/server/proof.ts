/**
 * How two sides that share a secret show each other that they know it, and never say it. Anybody may have taken the name
 * of a pipe, so the engine proves itself first:
 *
 *     client  SLUICE-PIPE/1 <a number of the client's>\n
 *     engine  SLUICE-PIPE/1 <a number of the engine's> <the engine's proof>\n
 *     client  <the client's proof>\n
 *
 * A proof is an HMAC over the version, the side, the pipe's name and both numbers. Every number is new, so no proof is good
 * for a second time, in the other direction, at another pipe, or for another version.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Handshake } from "./handshake.ts";
import { isSame } from "./token.ts";

/** What both sides of a pipe know. */
export interface Shared {
  readonly secret: string;
  /** The name of the pipe. */
  readonly address: string;
}

/** The client's side: it believes nobody who cannot prove himself. */
export function proveToEngine(shared: Shared, number = newNumber()): Handshake {
  return {
    opening: `${PIPE_VERSION} ${number}\n`,
    steps: [
      (line) => {
        const [version, theirs = "", proof = "", more] = line.split(" ");
        const isWhole = version === PIPE_VERSION && NUMBER.test(theirs) && more === undefined;
        if (!isWhole || !isSame(proof, proofOf(shared, "engine", number, theirs))) return undefined;
        return `${proofOf(shared, "client", number, theirs)}\n`;
      },
    ],
  };
}

/** The engine's side: it says nothing to whoever has not spoken, and reads no request of whoever has not proven himself. */
export function proveToClient(shared: Shared, number = newNumber()): Handshake {
  let theirs = "";
  return {
    opening: "",
    steps: [
      (line) => {
        const [version, said = "", more] = line.split(" ");
        theirs = said;
        if (version !== PIPE_VERSION || !NUMBER.test(said) || more !== undefined) return undefined;
        return `${PIPE_VERSION} ${number} ${proofOf(shared, "engine", said, number)}\n`;
      },
      (line) => (isSame(line, proofOf(shared, "client", theirs, number)) ? "" : undefined),
    ],
  };
}

/** The name of the pipe: whoever cannot read the secret can neither guess it nor take it beforehand. */
export function pipeName(secret: string, prefix: string): string {
  const name = createHmac("sha256", secret).update(`${PIPE_VERSION} name`).digest("hex").slice(0, NAME_SIGNS);
  return `${prefix}${PIPE_VERSION.replace(/.*\//, "")}-${name}`;
}

/** A secret, or a number that was never used. */
export function newNumber(): string {
  return randomBytes(BYTES).toString("hex");
}

function proofOf(
  { secret, address }: Shared,
  side: "client" | "engine",
  clientNumber: string,
  engineNumber: string,
): string {
  const said = [PIPE_VERSION, side, address, clientNumber, engineNumber].join("\0");
  return createHmac("sha256", secret).update(said).digest("hex");
}

/** Another way to talk is another version, with other names and other proofs. */
const PIPE_VERSION = "SLUICE-PIPE/1";
const BYTES = 32;
const NAME_SIGNS = 32;
const NUMBER = /^[0-9a-f]{64}$/;
