import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText, Problem } from "../problem/problem.ts";
import { type Assets, pageText, readAssets } from "./assets.ts";
import { type CallSource, journalSource } from "./call-source.ts";
import { type ReplayDraft, replayDraft } from "./draft-replay.ts";
import { type BuildIndex, indexFolder, journalIndex, sourceIndex } from "./journal-index.ts";
import { ReplayJobs } from "./replay-jobs.ts";
import {
  type Audience,
  COMMON_HEADERS,
  createLogins,
  type LoginResult,
  malformed,
  NOTHING_LOADS,
  pagePolicy,
  readBody,
  refusalFor,
} from "./request-checks.ts";
import { useLink } from "./request-routes.ts";
import type { UiContext, UiReply, UiRoute } from "./route.ts";
import { PAGES, uiRoutes } from "./routes.ts";
import { followCalls } from "./timeline-routes.ts";

/** What a server of the pages is started with. */
export interface UiOptions extends Omit<UiContext, "source" | "index" | "replays" | "replayLimit" | "proofs"> {
  /** Where calls are read from; the journal when left out. */
  readonly source?: CallSource;
  /** How much that is new in the journal is read; in this process when left out. */
  readonly buildIndex?: BuildIndex;
  /** How recorded calls are judged by a draft; in this process when left out. */
  readonly replayDraft?: ReplayDraft;
  readonly replayLimit?: number;
  /** Any free port when left out. */
  readonly port?: number | undefined;
  /** How long a client may take for the headers of a request; for all of it twice as long. In milliseconds. */
  readonly patience?: number;
  /** Called with the result of a code that somebody typed. */
  readonly onLogin?: (outcome: LoginResult["outcome"]) => void;
}

/** The running pages. */
export interface UiServer {
  readonly port: number;
  readonly url: string;
  /** Makes the code with which one browser can log in; the one before is no longer valid. */
  newCode(): string;
  close(): Promise<void>;
}

/** Serves the pages on this machine alone, to browsers whose user has typed a code. */
export async function startUiServer(options: UiOptions): Promise<UiServer> {
  const assets = readAssets(options.assets);
  const logins = createLogins();
  const source = options.source ?? journalSource(options.journal);
  const index =
    source.name === options.journal
      ? journalIndex(options.journal, indexFolder(options.env), options.buildIndex)
      : sourceIndex(source);
  const context: UiContext = {
    replayLimit: REPLAY_MS,
    ...options,
    replays: new ReplayJobs(options.replayDraft ?? replayDraft, options.env),
    source,
    index,
    proofs: new Map(),
  };
  const live = followCalls(context.source);
  const routes = uiRoutes(live);
  const { patience = HEADERS_MS } = options;
  const server = createServer({ connectionsCheckingInterval: Math.min(CHECK_MS, patience) }, (request, response) => {
    respond(request, response).catch((error) => fail(response, error));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = patience;
  server.requestTimeout = 2 * patience;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: options.port ?? 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cookieName = `sluice_ui_${port}`;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    newCode: () => logins.newCode(),
    close: () => {
      live.close();
      context.replays.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const odd = malformed(request, port);
    if (odd !== undefined) return refuse(response, odd.status, odd.why);
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${port}`);
    const answer = answerFor(request.method ?? "", url.pathname);
    if (answer === undefined) return refuse(response, 404, "there is no such page");
    const refused = refusalFor(request, answer.audience, port);
    if (refused !== undefined) return refuse(response, refused.status, refused.why);
    if (answer.audience === "data" && !isLoggedIn(request)) return refuse(response, 401, "log in first");
    await answer.send(request, response, url);
  }

  /** What is done for a method and a path: a row of a table, or nothing. */
  function answerFor(method: string, path: string): Answer | undefined {
    if (method === "POST" && path === "/login") return { audience: "login", send: login };
    if (method === "POST" && path === "/link") return { audience: "login", send: through(useLink) };
    const route = Object.hasOwn(routes, `${method} ${path}`) ? routes[`${method} ${path}`] : undefined;
    if (route !== undefined) return { audience: "data", send: through(route) };
    if (method !== "GET") return undefined;
    const asset = assets.files.get(path.replace(/^\/assets\//, ""));
    if (path.startsWith("/assets/") && asset !== undefined)
      return { audience: "asset", send: (_, response) => send(response, 200, asset.type, asset.bytes) };
    if (path === "/") return { audience: "page", send: (_, response) => sendPage(response, assets) };
    const [, page = "", ...rest] = path.split("/");
    const isPage =
      PAGES.has(page) && (rest.length === 0 || ((page === "session" || page === "requests") && rest.length === 1));
    return isPage ? { audience: "page", send: (_, response) => sendPage(response, assets) } : undefined;
  }

  function isLoggedIn({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? "").split(/;\s*/).filter((pair) => pair.startsWith(`${cookieName}=`));
    const key = headers["x-sluice-key"];
    if (cookies.length !== 1 || typeof key !== "string") return false;
    return logins.isLoggedIn(cookies[0]?.slice(cookieName.length + 1), key);
  }

  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request);
    if ("why" in read) return refuse(response, read.status, read.why);
    const result = logins.tryCode((read.body as { readonly code?: unknown } | null | undefined)?.code);
    options.onLogin?.(result.outcome);
    if (result.outcome === "none")
      return refuse(response, 403, "There is no code now: ask for a new one at the terminal.");
    if (result.outcome === "wrong") return refuse(response, 403, wrongCode(result.left));
    const cookie = `${cookieName}=${result.cookie}; HttpOnly; SameSite=Strict; Path=/`;
    sendJson(response, 200, { key: result.key }, { "set-cookie": cookie });
  }

  function through(route: UiRoute): Answer["send"] {
    return async (request, response, url) => {
      const read = request.method === "POST" ? await readBody(request) : { body: undefined };
      if ("why" in read) return refuse(response, read.status, read.why);
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      const { origin = "" } = request.headers;
      const reply = await route({ query: url.searchParams, body: read.body, origin, signal: gone.signal }, context);
      await sendReply(response, reply);
    };
  }
}

/** How a request is answered, and for whom. */
interface Answer {
  readonly audience: Audience;
  readonly send: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;
}

function wrongCode(left: number): string {
  if (left === 0) return "That code is wrong, and it was the last try: ask for a new one at the terminal.";
  return `That code is wrong; ${left === 1 ? "one more try" : `${left} more tries`}.`;
}

async function sendReply(response: ServerResponse, reply: UiReply): Promise<void> {
  if ("json" in reply) return sendJson(response, reply.status ?? 200, reply.json);
  response.writeHead(200, { ...COMMON_HEADERS, "content-security-policy": NOTHING_LOADS, "content-type": reply.type });
  for await (const piece of reply.lines) {
    if (response.destroyed) break;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Waits until a browser has read what was sent, or has gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

function sendPage(response: ServerResponse, assets: Assets): void {
  const nonce = randomBytes(16).toString("base64");
  const headers = { "content-security-policy": pagePolicy(nonce) };
  send(response, 200, "text/html; charset=utf-8", Buffer.from(pageText(assets, nonce)), headers);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  sendJson(response, status, { error: why }, { connection: "close" });
}

/** A request that failed is answered with a message; the server continues. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (error instanceof Problem) sendJson(response, 422, { error: error.message, fix: error.fix });
  else sendJson(response, 500, { error: errorText(error) });
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  send(response, status, "application/json; charset=utf-8", Buffer.from(JSON.stringify(value)), headers);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...COMMON_HEADERS,
    "content-security-policy": NOTHING_LOADS,
    "content-type": type,
    "content-length": bytes.length,
    ...headers,
  });
  response.end(bytes);
}

const MAX_CONNECTIONS = 64;
const CHECK_MS = 1000;
const HEADERS_MS = 5000;
const KEEP_ALIVE_MS = 5000;
const REPLAY_MS = 120_000;
