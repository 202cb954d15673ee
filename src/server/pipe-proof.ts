/**
 * How two sides that share a secret show each other that they know it, without sending it. Any program may have taken the
 * name of a pipe, so the daemon proves itself first:
 *
 *     client  SLUICE-PIPE/1 <a nonce of the client's>\n
 *     daemon  SLUICE-PIPE/1 <a nonce of the daemon's> <the daemon's proof>\n
 *     client  <the client's proof>\n
 *
 * A proof is an HMAC over the version, the side, the pipe's name and both nonces, so no proof is good for a second time,
 * in the other direction, at another pipe, or for another version.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Handshake } from "./handshake.ts";
import { isEqualInConstantTime } from "./token.ts";

/** What both sides of a pipe know. */
export interface PipeSecret {
  readonly secret: string;
  /** The name of the pipe. */
  readonly address: string;
}

/** The client's side: it continues only with a daemon that proves itself. */
export function proveToDaemon(shared: PipeSecret, nonce = newNonce()): Handshake {
  return {
    opening: `${PIPE_VERSION} ${nonce}\n`,
    steps: [
      (line) => {
        const [version, theirs = "", proof = "", more] = line.split(" ");
        const isWhole = version === PIPE_VERSION && NONCE.test(theirs) && more === undefined;
        if (!isWhole || !isEqualInConstantTime(proof, proofOf(shared, "engine", nonce, theirs))) return undefined;
        return `${proofOf(shared, "client", nonce, theirs)}\n`;
      },
    ],
  };
}

/** The daemon's side: it sends nothing before the client has, and reads no request before the client has proven itself. */
export function proveToClient(shared: PipeSecret, nonce = newNonce()): Handshake {
  let theirs = "";
  return {
    opening: "",
    steps: [
      (line) => {
        const [version, said = "", more] = line.split(" ");
        theirs = said;
        if (version !== PIPE_VERSION || !NONCE.test(said) || more !== undefined) return undefined;
        return `${PIPE_VERSION} ${nonce} ${proofOf(shared, "engine", said, nonce)}\n`;
      },
      (line) => (isEqualInConstantTime(line, proofOf(shared, "client", theirs, nonce)) ? "" : undefined),
    ],
  };
}

/** The name of the pipe: a program that cannot read the secret can neither guess it nor take it beforehand. */
export function pipeName(secret: string, prefix: string): string {
  const name = createHmac("sha256", secret).update(`${PIPE_VERSION} name`).digest("hex").slice(0, NAME_LENGTH);
  return `${prefix}${PIPE_VERSION.replace(/.*\//, "")}-${name}`;
}

/** A secret, or a nonce. */
export function newNonce(): string {
  return randomBytes(BYTES).toString("hex");
}

/** Version 1 of the protocol calls the daemon the engine. */
function proofOf(
  { secret, address }: PipeSecret,
  side: "client" | "engine",
  clientNonce: string,
  daemonNonce: string,
): string {
  const said = [PIPE_VERSION, side, address, clientNonce, daemonNonce].join("\0");
  return createHmac("sha256", secret).update(said).digest("hex");
}

/** Another protocol is another version, with other names and other proofs. */
const PIPE_VERSION = "SLUICE-PIPE/1";
const BYTES = 32;
const NAME_LENGTH = 32;
const NONCE = /^[0-9a-f]{64}$/;
