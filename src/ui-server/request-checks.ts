import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
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

/** Why a request is refused before its path is looked at; undefined for one that is well-formed. */
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
  (request, audience) => {
    const site = request.headers["sec-fetch-site"];
    const isOwn = site === undefined || site === "same-origin" || (site === "none" && audience !== "data");
    return isOwn || isNotificationLink(request, audience)
      ? undefined
      : refused(403, "the request comes from another site");
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

/** The link of a notification, followed in the page of a chat: the page of a request shows nothing before its token is sent. */
function isNotificationLink({ method, url = "", headers }: IncomingMessage, audience: Audience): boolean {
  const isPage = audience === "page" && method === "GET" && /^\/requests\/[0-9a-f]{6}$/.test(url);
  return isPage && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

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

/** The body of a request, or why it is not read. */
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

/** Who is logged in: browsers whose user has typed the code from the terminal. All of it is kept in memory alone. */
interface Logins {
  /** Makes a new code; the one before is no longer valid. */
  newCode(): string;
  /** Takes a code. A right one is used up by it. */
  tryCode(code: unknown): LoginResult;
  /** Whether both the cookie and the key of the page belong to one login. */
  isLoggedIn(cookie: string | undefined, key: string | undefined): boolean;
}

/** What came of a code. */
export type LoginResult =
  | { readonly outcome: "in"; readonly cookie: string; readonly key: string }
  | { readonly outcome: "wrong"; readonly left: number }
  /** There is no code now: it was used, or guessed at too often. */
  | { readonly outcome: "none" };

/**
 * Keeps logins. A browser sends the cookie to every port of this machine, so that other programs may see it; the key is in
 * the page's own storage, which no other port reads. Both are needed.
 */
export function createLogins(): Logins {
  let code: string | undefined;
  let left = 0;
  const logins = new Map<string, string>();
  return {
    newCode() {
      code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
      left = MAX_TRIES;
      return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
    },
    tryCode(given) {
      if (code === undefined) return { outcome: "none" };
      const typed = typeof given === "string" ? given.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, "") : "";
      if (!isSame(typed, code)) {
        left--;
        if (left <= 0) code = undefined;
        return { outcome: "wrong", left };
      }
      code = undefined;
      const [cookie, key] = [secret(), secret()];
      logins.set(hashOf(cookie), hashOf(key));
      const [oldest] = logins.keys();
      if (logins.size > MAX_LOGINS && oldest !== undefined) logins.delete(oldest);
      return { outcome: "in", cookie, key };
    },
    isLoggedIn(cookie, key) {
      if (cookie === undefined || key === undefined) return false;
      const known = logins.get(hashOf(cookie));
      return known !== undefined && isSame(hashOf(key), known);
    },
  };
}

/** Compares in a time that does not depend on where two texts differ. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function hashOf(text: string): string {
  return digest(text).toString("hex");
}

function secret(): string {
  return randomBytes(32).toString("hex");
}

/** Letters and digits that are not taken for one another. */
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;
const MAX_TRIES = 5;
const MAX_LOGINS = 8;

const MAX_BODY = 1024 * 1024;

const MAX_URL = 4096;
