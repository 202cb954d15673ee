import type { IncomingMessage } from "node:http";
import type { HttpAddress } from "./http-address.ts";
import { isSame } from "./token.ts";

/** Why a request is not answered: the status and a sentence for whoever sent it. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly why: string;
}

type Asked = Pick<IncomingMessage, "method" | "headers">;

/**
 * Why a request to this address is refused before a byte of its body is read. Whoever is on this machine can reach the
 * port, pages in a browser too: so the name it was called by is looked at first, then whether a page sent it, then the
 * secret.
 */
export function refusalsAt({ port, secret }: HttpAddress): (request: Asked) => Refusal | undefined {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  const proof = `Bearer ${secret}`;
  return ({ method, headers }) => {
    const { host = "", origin, authorization = "", "content-type": type = "", "content-length": length = 0 } = headers;
    if (!names.includes(host.toLowerCase())) return { status: 403, why: "this is no name of this engine" };
    if (origin !== undefined) return { status: 403, why: "pages of a browser are not answered" };
    if (!isSame(authorization, proof)) return { status: 401, why: "the secret is missing, or another one" };
    if (method !== "POST") return { status: 405, why: "calls are posted" };
    if (type !== JSON_NAME && !JSON_TYPE.test(type)) return { status: 415, why: "a payload is JSON" };
    return Number(length) > LARGEST_BODY ? TOO_LARGE : undefined;
  };
}

/** What comes in pieces is counted while it comes. */
export const LARGEST_BODY = 16 * 1024 * 1024;
/** The refusal of what is longer. */
export const TOO_LARGE: Refusal = { status: 413, why: `a payload has at most ${LARGEST_BODY} bytes` };
const JSON_NAME = "application/json";
const JSON_TYPE = /^application\/json(?:\s*;.*)?$/i;
