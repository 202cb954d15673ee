import type { IncomingMessage } from "node:http";
import type { HttpAddress } from "./http-address.ts";
import { isEqualInConstantTime } from "../token.ts";

/** Why a request is not answered: the status, and a sentence for the sender. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly why: string;
}

type Asked = Pick<IncomingMessage, "method" | "headers" | "rawHeaders">;

/**
 * Why a request to this address is refused before a byte of its body is read. Every program on this machine can reach the
 * port, pages in a browser too: so the host name is checked first, then whether a page sent it, then the secret.
 */
export function refusalsAt({ port, secret }: HttpAddress): (request: Asked) => Refusal | undefined {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  const proof = `Bearer ${secret}`;
  return ({ method, headers, rawHeaders }) => {
    const twice = doubled(rawHeaders);
    if (twice !== undefined) return { status: 400, why: `the header ${twice} is there twice` };
    const { host = "", origin, authorization = "", "content-type": type = "", "content-length": length = 0 } = headers;
    if (!names.includes(host.toLowerCase())) return { status: 403, why: "this is not a name of this daemon" };
    if (origin !== undefined) return { status: 403, why: "pages of a browser are not answered" };
    if (!isEqualInConstantTime(authorization, proof))
      return { status: 401, why: "the secret is missing, or another one" };
    if (method !== "POST") return { status: 405, why: "calls are posted" };
    if (type !== JSON_NAME && !JSON_TYPE.test(type)) return { status: 415, why: "a payload is JSON" };
    return Number(length) > MAX_BODY ? TOO_LARGE : undefined;
  };
}

/** A header that decides and is there twice: of two, another reader may take the other one. */
function doubled(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (!DECIDING.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

const DECIDING: ReadonlySet<string> = new Set(["host", "origin", "authorization", "content-type", "content-length"]);

/** The length of a chunked body is counted while it arrives. */
export const MAX_BODY = 16 * 1024 * 1024;
/** The refusal of a longer body. */
export const TOO_LARGE: Refusal = { status: 413, why: `a payload has at most ${MAX_BODY} bytes` };
const JSON_NAME = "application/json";
const JSON_TYPE = /^application\/json(?:\s*;.*)?$/i;
