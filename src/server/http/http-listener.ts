import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isObject } from "../../event/json.ts";
import type { CallHandler, Listener } from "../connection.ts";
import type { DaemonAnswer } from "../protocol.ts";
import { isEqualInConstantTime } from "../token.ts";
import { type HttpAddress, LOOPBACK } from "./http-address.ts";

/** The agent that waits for an answer. */
interface Caller {
  /** Whether the agent still waits. */
  readonly isThere: () => boolean;
  /** A signal that is aborted when the agent goes away. */
  readonly signal: () => AbortSignal;
}

/** A call of an agent that came over HTTP. */
export interface HttpCall extends Caller {
  readonly agent: string;
  /** The agent's own name of the hook event. */
  readonly hookEvent: string;
  readonly payload: string;
  /** Its headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers a call; undefined for an unknown agent or hook event. */
export type AnswerPost = (call: HttpCall, handler: CallHandler) => Promise<ListenerReply | undefined>;

/** What a listener reports, and how long it waits. */
interface ListenerOptions {
  /** Called once, when another program has the port; the listener tries again until it is free. */
  readonly onPortTaken?: () => void;
  /** How many milliseconds a client may take to end the head of its request; 5000 when left out. */
  readonly headersMs?: number;
}

/** Answers agents on a port of this machine that no other machine reaches. */
export async function openHttpListener(
  address: HttpAddress,
  handler: CallHandler,
  answer: AnswerPost,
  { onPortTaken = () => {}, headersMs = HEADERS_MS }: ListenerOptions = {},
): Promise<Listener> {
  let [isClosing, isReported] = [false, false];
  let retry: NodeJS.Timeout | undefined;
  const refusalOf = refusalsAt(address);
  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    void respond(request, response);
  });
  server.maxConnections = MAX_CLIENTS;
  server.headersTimeout = headersMs;
  server.requestTimeout = REQUEST_MS;
  // An agent that keeps its connection may use it at any time; closing it just then would look like a dead daemon.
  server.keepAliveTimeout = 0;
  server.on("error", () => {
    if (!isReported) onPortTaken();
    isReported = true;
    retry = setTimeout(listen, RETRY_MS);
  });
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
    server.once("error", () => resolve());
    listen();
  });
  return { close };

  function listen(): void {
    if (!isClosing) server.listen({ host: LOOPBACK, port: address.port, backlog: MAX_CLIENTS });
  }

  function close(): Promise<void> {
    isClosing = true;
    clearTimeout(retry);
    return new Promise((resolve) => {
      const timeout = setTimeout(() => server.closeAllConnections(), CLOSING_MS);
      server.close(() => {
        clearTimeout(timeout);
        resolve();
      });
      server.closeIdleConnections();
    });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      // An agent that is cut off while it still sends does not read the reason.
      if (refusal === TOO_LARGE) request.resume();
      return refuse(response, refusal);
    }
    const [, agent, hookEvent] = PATH.exec(request.url ?? "") ?? [];
    if (agent === undefined || hookEvent === undefined) return refuse(response, UNKNOWN);
    try {
      const payload = await bodyOf(request);
      if (payload === undefined) return refuse(response, TOO_LARGE);
      const reply = await answer(
        { agent, hookEvent, payload, headers: request.headers, ...waiting(response) },
        handler,
      );
      if (reply === undefined) return refuse(response, UNKNOWN);
      response.shouldKeepAlive = !isClosing;
      write(response, reply.status, reply.body);
    } catch {
      // An agent that blocks when its hook fails blocks now.
      response.destroy();
    }
  }
}

/** A refusal closes the connection: no program keeps one without the secret. */
function refuse(response: ServerResponse, { status, why }: Refusal): void {
  response.shouldKeepAlive = false;
  write(response, status, `${JSON.stringify({ error: why })}\n`);
}

function write(response: ServerResponse, status: number, body: string): void {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** The signal is made when it is asked for: few calls need one. */
function waiting(response: ServerResponse): Caller {
  const isThere = () => !response.destroyed;
  return {
    isThere,
    signal: () => {
      const gone = new AbortController();
      if (!isThere()) gone.abort();
      response.on("close", () => response.writableFinished || gone.abort());
      return gone.signal;
    },
  };
}

/** The text of a body; undefined when it is too long. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= MAX_BODY) pieces.push(piece);
      else resolve(undefined);
    });
    request.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    request.on("error", reject);
    request.on("close", () => request.complete || reject(new Error("the agent went away")));
  });
}

/** Why a request is not answered: the status, and a sentence for the sender. */
interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415;
  readonly why: string;
}

type Asked = Pick<IncomingMessage, "method" | "headers" | "rawHeaders">;

/**
 * Why a request to this address is refused before a byte of its body is read. Every program on this machine can reach the
 * port, pages in a browser too: so the host name is checked first, then whether a page sent it, then the secret.
 */
function refusalsAt({ port, secret }: HttpAddress): (request: Asked) => Refusal | undefined {
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

/** What goes back over HTTP. */
export interface ListenerReply {
  readonly status: 200 | 503;
  readonly body: string;
}

type Printed = Extract<DaemonAnswer, { kind: "done" }>;

/**
 * What a command would print, as a body. HTTP does not have exit codes: where the command would stop the agent with one, the same
 * message stops it in JSON.
 */
export function replyOf({ stdout, stderr, exitCode }: Pick<Printed, "stdout" | "stderr" | "exitCode">): ListenerReply {
  if (exitCode === 0) return { status: 200, body: stdout };
  const said = objectIn(stdout);
  const reason = stderr.trim() || `Sluice ended with exit code ${exitCode}`;
  return { status: 200, body: `${JSON.stringify({ ...said, decision: "block", reason })}\n` };
}

/** Nothing could be decided; an agent that blocks when its hook fails blocks now. */
export function failedReply(why: string): ListenerReply {
  return { status: 503, body: `${JSON.stringify({ decision: "block", reason: why })}\n` };
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The refusal of a longer body. */
const TOO_LARGE: Refusal = { status: 413, why: `a payload has at most ${MAX_BODY} bytes` };
const JSON_NAME = "application/json";
const JSON_TYPE = /^application\/json(?:\s*;.*)?$/i;

const PATH = /^\/hook\/([a-z-]{1,32})\/([A-Za-z][\w.]{0,63})$/;
const UNKNOWN: Refusal = {
  status: 404,
  why: "unknown agent or hook event; post to /hook/<agent>/<hook event>",
};
const MAX_CLIENTS = 512;
const HEADERS_MS = 5000;
const REQUEST_MS = 20_000;
const CHECK_MS = 500;
const RETRY_MS = 200;
const CLOSING_MS = 5000;
