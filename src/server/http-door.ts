import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Conversation } from "./conversation.ts";
import type { Door } from "./door.ts";
import { type HttpAddress, LOOPBACK } from "./http-address.ts";
import { LARGEST_BODY, type Refusal, refusalsAt, TOO_LARGE } from "./http-refusal.ts";
import type { HttpReply } from "./http-reply.ts";

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
  /** The agent's own name of the moment. */
  readonly moment: string;
  readonly payload: string;
  /** What its headers say, by their small names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers a call; nothing where there is no such agent or moment. */
export type HttpAnswer = (call: HttpCall, conversation: Conversation) => Promise<HttpReply | undefined>;

/** What is about to happen at a door that somebody else stands in. */
interface Watching {
  /** Told once, when another program has the port; the door is tried again until it opens. */
  readonly onTaken?: () => void;
}

/** Answers agents on a port of this machine that no other machine reaches. */
export async function openHttpDoor(
  address: HttpAddress,
  conversation: Conversation,
  answer: HttpAnswer,
  { onTaken = () => {} }: Watching = {},
): Promise<Door> {
  let [isClosing, isTold] = [false, false];
  let again: NodeJS.Timeout | undefined;
  const refusalOf = refusalsAt(address);
  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    void respond(request, response);
  });
  server.maxConnections = MOST_CLIENTS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  // An agent that keeps its connection may use it at any moment; closing it just then would look like a dead engine.
  server.keepAliveTimeout = 0;
  server.on("error", () => {
    if (!isTold) onTaken();
    isTold = true;
    again = setTimeout(listen, AGAIN_MS);
  });
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
    server.once("error", () => resolve());
    listen();
  });
  return { close };

  function listen(): void {
    if (!isClosing) server.listen({ host: LOOPBACK, port: address.port, backlog: MOST_CLIENTS });
  }

  function close(): Promise<void> {
    isClosing = true;
    clearTimeout(again);
    return new Promise((resolve) => {
      const patience = setTimeout(() => server.closeAllConnections(), LONGEST_FAREWELL_MS);
      server.close(() => {
        clearTimeout(patience);
        resolve();
      });
      server.closeIdleConnections();
    });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      // Who is cut off while it still sends does not hear why.
      if (refusal === TOO_LARGE) request.resume();
      return refuse(response, refusal);
    }
    const [, agent, moment] = PATH.exec(request.url ?? "") ?? [];
    if (agent === undefined || moment === undefined) return refuse(response, UNKNOWN);
    try {
      const payload = await bodyOf(request);
      if (payload === undefined) return refuse(response, TOO_LARGE);
      const reply = await answer(
        { agent, moment, payload, headers: request.headers, ...waiting(response) },
        conversation,
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

/** Whoever is refused has to come again: nobody holds a place without the secret. */
function refuse(response: ServerResponse, { status, why }: Refusal): void {
  response.shouldKeepAlive = false;
  write(response, status, `${JSON.stringify({ error: why })}\n`);
}

function write(response: ServerResponse, status: number, body: string): void {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** Few calls need a signal, and none is free. */
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

/** The text of a body; nothing when it is too long. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= LARGEST_BODY) pieces.push(piece);
      else resolve(undefined);
    });
    request.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    request.on("error", reject);
    request.on("close", () => request.complete || reject(new Error("the agent went away")));
  });
}

const PATH = /^\/hook\/([a-z-]{1,32})\/([A-Za-z][\w.]{0,63})$/;
const UNKNOWN: Refusal = { status: 404, why: "there is no such agent or moment; post to /hook/<agent>/<moment>" };
const MOST_CLIENTS = 512;
const HEADERS_MS = 5000;
const REQUEST_MS = 20_000;
const CHECK_MS = 500;
const AGAIN_MS = 200;
const LONGEST_FAREWELL_MS = 5000;
