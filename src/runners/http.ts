import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";
import type { Failure } from "../decision/failure.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { whyUnreachable } from "../http/why-unreachable.ts";
import { onAbort } from "./on-abort.ts";
import { readAnswer } from "./read-answer.ts";
import { ABORTED, broken, type Ran, type RunContext } from "./runner.ts";

/** Posts the event as JSON; the server answers with what a command hook would print. */
export async function runHttp(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const url = addressOf(hook.url ?? "");
  if (url === undefined) return failed(`\`url\` is not an address that begins with http:// or https://`);
  const body = Buffer.from(event.toText());
  const headers = requestHeaders(hook.headers ?? {}, body.length);
  if ("problem" in headers) return failed(headers.problem);
  const { deadline, signal } = context;
  const ended = await post({ url, headers: headers.all, body, deadline, signal });
  return "failure" in ended ? broken(ended.failure) : report(ended, nameOf(url));
}

function addressOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** An address as messages show it; what may be a credential in it stays out. */
function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** An HTML page comes from a proxy, a login or an error: it is not the answer of a hook. */
function isPage(type: string, body: string): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(type) || /^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(body);
}

function report({ status, encoding, type, body, isCut }: HttpReply, name: string): Ran {
  const ran = { exitCode: null, stdout: body, stderr: "" };
  const why = whyRefused(status, encoding);
  if (why !== undefined) return { ...ran, failure: { why: "exception", message: `${name} ${why}` } };
  if (isCut) return { ...ran, failure: { why: "output_overflow", bytes: MAX_BODY } };
  if (isPage(type, body)) {
    const got = body.length > 200 ? `${body.slice(0, 199)}…` : body;
    return { ...ran, failure: { why: "bad_json", message: `${name} answered with a page and not with JSON`, got } };
  }
  if (BARE_VALUE.test(body))
    return { ...ran, failure: { why: "bad_json", message: `${name} answered with a bare value`, got: body.trim() } };
  const read = readAnswer(body);
  return { ...ran, ...read, ...("note" in read ? { notes: [read.note] } : {}) };
}

/** A number or a boolean is neither a message nor a verdict. */
const BARE_VALUE = /^\s*(?:-?\d+(?:\.\d+)?|true|false)\s*$/;

/** Only a plain 2xx is an answer. A redirect is none: its target would get the event and the headers. */
function whyRefused(status: number, encoding: string): string | undefined {
  if (status >= 300 && status < 400)
    return `answered ${status}, a redirect; none is followed, so name the final address`;
  if (status < 200 || status >= 300) return `answered ${status}`;
  if (encoding !== "" && encoding !== "identity") return `answered in ${encoding}, which was not asked for`;
  return undefined;
}

function failed(message: string): Ran {
  return broken({ why: "exception", message });
}

/** One request, and how long everything about it may take. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  /** Seconds for name look-up, connection, headers and body together. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** The response of a server. */
export interface HttpReply {
  readonly status: number;
  /** How the body was packed; empty when it was not. */
  readonly encoding: string;
  /** The content type of the body; empty if the server sends none. */
  readonly type: string;
  readonly body: string;
  /** There was more than is kept. */
  readonly isCut: boolean;
}

/** How much of a body is read. */
export const MAX_BODY = 1024 * 1024;

/** Posts once, follows no redirect, and leaves no connection open. Never rejects. */
export async function post({
  url,
  headers,
  body,
  deadline,
  signal,
}: HttpRequest): Promise<HttpReply | { failure: Failure }> {
  if (signal?.aborted) return { failure: ABORTED };
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((done) => {
    let sent: ClientRequest | undefined;
    let isOver = false;
    const end = (ended: HttpReply | { failure: Failure }) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      forget();
      done(ended);
      sent?.destroy();
    };
    const timer = setTimeout(() => end({ failure: { why: "timeout", afterMs: deadline * 1000 } }), deadline * 1000);
    const forget = onAbort(signal, () => end({ failure: ABORTED }));
    const fail = (error: unknown) => end({ failure: { why: "exception", message: sentence(url, error) } });
    const options: RequestOptions = { method: "POST", agent: false, headers: { ...headers } };
    try {
      sent = request(url, options);
      sent.on("error", fail);
      sent.on("response", (response) => {
        // A server may answer before it has read everything; from here on the answer determines the result.
        sent?.off("error", fail).on("error", () => {});
        read(response, end, fail);
      });
      sent.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function read(response: IncomingMessage, end: (reply: HttpReply) => void, fail: (error: unknown) => void): void {
  const { statusCode: status = 0 } = response;
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const type = response.headers["content-type"]?.trim() ?? "";
  const chunks: Buffer[] = [];
  let size = 0;
  const reply = (isCut: boolean) => ({ status, encoding, type, body: Buffer.concat(chunks).toString("utf8"), isCut });
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, MAX_BODY - size));
    size += chunk.length;
    if (size > MAX_BODY) end(reply(true));
  });
  response.on("end", () => (response.complete ? end(reply(false)) : fail(CUT)));
  response.on("error", fail);
}

/** Describes what went wrong with an address, without anything that may be a credential in it. */
function sentence({ origin, pathname }: URL, error: unknown): string {
  return `${origin}${pathname} did not answer: ${whyUnreachable(error)}`;
}

/** The headers of a request, or the reason why there are none. */
export type RequestHeaders = { readonly all: Readonly<Record<string, string | number>> } | { readonly problem: string };

/** Fills in `${NAME}` from the environment: only names that the hook writes, and never without a value. */
export function requestHeaders(
  written: Readonly<Record<string, string>>,
  length: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): RequestHeaders {
  const all: Record<string, string | number> = { accept: "application/json", "user-agent": "sluice" };
  for (const [header, text] of Object.entries(written)) {
    const missing = namesIn(text).find((name) => !env[name]);
    if (missing !== undefined) return { problem: `header "${header}" needs the variable ${missing}, which is not set` };
    const value = text.replace(VARIABLE, (_, name: string) => env[name] ?? "");
    if (!isSendable(header, value))
      return { problem: `header "${header}" has characters that are not allowed in headers` };
    if (!HOP_BY_HOP.has(header.toLowerCase())) all[header.toLowerCase()] = value;
  }
  return { all: { ...all, ...OURS, "content-length": length } };
}

/** The variables that the text of a header names. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name]) => name ?? "");
}

function isSendable(header: string, value: string): boolean {
  try {
    validateHeaderName(header);
    validateHeaderValue(header, value);
    return true;
  } catch {
    return false;
  }
}

const CUT = { code: "ECONNRESET" };

const VARIABLE = /\$\{(\w+)\}/g;

/** How the bytes travel follows from the body. */
const HOP_BY_HOP = new Set(["transfer-encoding", "te", "trailer", "upgrade", "expect", "keep-alive"]);

/** Headers that describe the body and the connection; a hook cannot set them. */
const OURS = { "content-type": "application/json", "accept-encoding": "identity", connection: "close" } as const;
