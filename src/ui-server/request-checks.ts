import type { IncomingMessage } from "node:http";

/** Who may see an answer: pages and their parts show nothing of the user's, data does. */
export type Audience = "page" | "asset" | "login" | "data";

/** Why a request is not answered. */
export interface RefusedRequest {
  readonly status: number;
  readonly why: string;
}

/** One check of a request, before anything is done for it. */
type RequestCheck = (request: IncomingMessage, audience: Audience, port: number) => RefusedRequest | undefined;

/**
 * Whether a request comes from a page of our own, or from a program that names us by the right name. A foreign web page
 * reaches this port too, under a name of its own (DNS rebinding) or as another origin.
 */
export function refusalFor(request: IncomingMessage, audience: Audience, port: number): RefusedRequest | undefined {
  for (const check of CHECKS) {
    const refused = check(request, audience, port);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Why a request is refused before its path is looked at; nothing for one that is well-formed. */
export function malformed(request: IncomingMessage, port: number): RefusedRequest | undefined {
  const { url = "", rawHeaders, headers } = request;
  if (!url.startsWith("/") || url.startsWith("//") || url.length > MAX_URL) return refused(400, "the address is odd");
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length !== 1 || !hostsAt(port).includes(headers.host ?? ""))
    return refused(421, "the Host header names another server");
  return undefined;
}

const CHECKS: readonly RequestCheck[] = [
  ({ headers: { origin } }, _, port) =>
    origin === undefined || hostsAt(port).some((host) => origin === `http://${host}`)
      ? undefined
      : refused(403, "the request comes from another origin"),
  ({ headers: { origin, host } }) =>
    origin === undefined || origin === `http://${host}` ? undefined : refused(403, "Origin and Host differ"),
  ({ headers }, audience) => {
    const site = headers["sec-fetch-site"];
    const isOwn = site === undefined || site === "same-origin" || (site === "none" && audience !== "data");
    return isOwn ? undefined : refused(403, "the request comes from another site");
  },
  ({ headers }, audience) => {
    const dest = headers["sec-fetch-dest"];
    return dest === undefined || DESTINATIONS[audience].includes(String(dest))
      ? undefined
      : refused(403, "this is not shown inside of another page");
  },
  ({ method, headers }) =>
    method === "GET" || headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin"
      ? undefined
      : refused(403, "the request does not say where it comes from"),
  ({ method, headers }) =>
    method === "GET" || /^application\/json\b/.test(headers["content-type"] ?? "")
      ? undefined
      : refused(415, "the body is not JSON"),
];

/** What a browser may want an answer for. */
const DESTINATIONS: Readonly<Record<Audience, readonly string[]>> = {
  page: ["document"],
  asset: ["script", "style", "empty", "document"],
  login: ["empty"],
  data: ["empty"],
};

function hostsAt(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

function refused(status: number, why: string): RefusedRequest {
  return { status, why };
}

/** What every answer carries: nothing is cached, framed, sniffed or told to other sites. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** What no answer but a page needs: nothing may be loaded by it. */
export const NOTHING_LOADS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** What a page may load: the scripts and styles that bear its nonce, and data of its own origin. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** What the body of a request says, or why it is not read. */
type RequestBody = { readonly body: unknown } | { readonly status: number; readonly why: string };

/** Reads a body of JSON; one that is too large is not read to its end. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const tooLarge = { status: 413, why: "the body is too large" };
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) return tooLarge;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MAX_BODY) return tooLarge;
      pieces.push(piece);
    }
    return { body: size === 0 ? undefined : JSON.parse(Buffer.concat(pieces).toString("utf8")) };
  } catch {
    return { status: 400, why: "the body is not JSON" };
  }
}

const MAX_BODY = 1024 * 1024;

const MAX_URL = 4096;
