import type { IncomingMessage } from "node:http";
import type { HttpAddress } from "./http-address.ts";
import { isSame } from "./token.ts";

/** Why a request is not answered: the status and a sentence for whoever sent it. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly why: string;
}

/**
 * Why this request is refused before a byte of its body is read. Whoever is on this machine can reach the port, pages in
 * a browser too: so the name it was called by is looked at first, then whether a page sent it, then the secret.
 */
export function refusalOf(
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  address: HttpAddress,
): Refusal | undefined {
  const host = headers.host?.toLowerCase();
  if (host !== `127.0.0.1:${address.port}` && host !== `localhost:${address.port}`)
    return { status: 403, why: "this is no name of this engine" };
  if (headers.origin !== undefined) return { status: 403, why: "pages of a browser are not answered" };
  if (!isSame(headers.authorization ?? "", `Bearer ${address.secret}`))
    return { status: 401, why: "the secret is missing, or another one" };
  if (method !== "POST") return { status: 405, why: "calls are posted" };
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return { status: 415, why: "a payload is JSON" };
  if (Number(headers["content-length"] ?? 0) > LARGEST_BODY) return TOO_LARGE;
  return undefined;
}

/** What comes in pieces is counted while it comes. */
export const LARGEST_BODY = 16 * 1024 * 1024;
/** The refusal of what is longer. */
export const TOO_LARGE: Refusal = { status: 413, why: `a payload has at most ${LARGEST_BODY} bytes` };
const JSON_TYPE = /^application\/json(?:\s*;.*)?$/i;
