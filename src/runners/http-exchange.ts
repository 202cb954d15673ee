import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import type { Failure } from "../decision/failure.ts";
import { onAbort } from "./on-abort.ts";

/** One request, and how long everything about it may take. */
export interface Request {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  /** Seconds for name look-up, connection, headers and body together. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** What a server said. */
export interface Reply {
  readonly status: number;
  /** How the body was packed; empty when it was not. */
  readonly encoding: string;
  readonly body: string;
  /** There was more than is kept. */
  readonly isCut: boolean;
}

/** How much of a body is read. */
export const MOST_BODY = 1024 * 1024;

/** Posts once, follows nothing, and leaves no connection behind. Never rejects. */
export async function post({ url, headers, body, deadline, signal }: Request): Promise<Reply | { failure: Failure }> {
  if (signal?.aborted) return { failure: ABORTED };
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((done) => {
    let sent: ClientRequest | undefined;
    let isOver = false;
    const end = (ended: Reply | { failure: Failure }) => {
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
        // A server may answer before it has read everything; from here on the answer says how it went.
        sent?.off("error", fail).on("error", () => {});
        read(response, end, fail);
      });
      sent.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function read(response: IncomingMessage, end: (reply: Reply) => void, fail: (error: unknown) => void): void {
  const { statusCode: status = 0 } = response;
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const chunks: Buffer[] = [];
  let size = 0;
  const reply = (isCut: boolean) => ({ status, encoding, body: Buffer.concat(chunks).toString("utf8"), isCut });
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, MOST_BODY - size));
    size += chunk.length;
    if (size > MOST_BODY) end(reply(true));
  });
  response.on("end", () => (response.complete ? end(reply(false)) : fail(CUT)));
  response.on("error", fail);
}

/** Says what went wrong with an address without saying what may be a credential in it. */
function sentence({ origin, pathname }: URL, error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return `${origin}${pathname} did not answer: ${WORDS[code] ?? (message || code)}`;
}

const ABORTED = { why: "signal", signal: "SIGTERM", aborted: true } as const;
const CUT = { code: "ECONNRESET" };

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "no such host is known",
  EAI_AGAIN: "no such host is known at the moment",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
};
