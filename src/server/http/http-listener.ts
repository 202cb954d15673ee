import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { CallHandler, Listener } from "../connection.ts";
import { type HttpAddress, LOOPBACK } from "./http-address.ts";
import { MAX_BODY, type Refusal, refusalsAt, TOO_LARGE } from "./http-refusal.ts";
import type { ListenerReply } from "./http-reply.ts";

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

/** Answers a call; undefined where there is no such agent or hook event. */
export type AnswerPost = (call: HttpCall, handler: CallHandler) => Promise<ListenerReply | undefined>;

/** What a listener reports. */
interface ListenerEvents {
  /** Called once, when another program has the port; the listener tries again until it is free. */
  readonly onPortTaken?: () => void;
}

/** Answers agents on a port of this machine that no other machine reaches. */
export async function openHttpListener(
  address: HttpAddress,
  handler: CallHandler,
  answer: AnswerPost,
  { onPortTaken = () => {} }: ListenerEvents = {},
): Promise<Listener> {
  let [isClosing, isReported] = [false, false];
  let retry: NodeJS.Timeout | undefined;
  const refusalOf = refusalsAt(address);
  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    void respond(request, response);
  });
  server.maxConnections = MAX_CLIENTS;
  server.headersTimeout = HEADERS_MS;
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

const PATH = /^\/hook\/([a-z-]{1,32})\/([A-Za-z][\w.]{0,63})$/;
const UNKNOWN: Refusal = {
  status: 404,
  why: "there is no such agent or hook event; post to /hook/<agent>/<hook event>",
};
const MAX_CLIENTS = 512;
const HEADERS_MS = 5000;
const REQUEST_MS = 20_000;
const CHECK_MS = 500;
const RETRY_MS = 200;
const CLOSING_MS = 5000;
