import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PASSKEY_HOST, type PasskeyQuestion } from "../approvals/passkey.ts";
import { readAssets } from "./assets.ts";
import { COMMON_HEADERS, createLogins, malformed, pagePolicy, readBody, refusalFor } from "./request-checks.ts";

/** What the page of a passkey is about. */
export interface PasskeyPageOptions<Result> {
  readonly ask: PasskeyQuestion<Result>;
  readonly kind: "create" | "use";
  /** What is confirmed, for the person at the page. */
  readonly text: string;
  /** The folder into which the build has written the pages. */
  readonly assets: string;
  /** Only a browser whose user types the code may answer: a new passkey has not been proven before. */
  readonly needsCode: boolean;
}

/** A page that asks for a passkey, once, on this machine. */
export interface PasskeyPage<Result> {
  readonly url: string;
  readonly port: number;
  readonly code?: string | undefined;
  /** The verified result; undefined if the person cancelled, the answer was wrong, or none came in time. */
  readonly result: Promise<Result | undefined>;
  close(): void;
}

/** Serves the page until it is answered or closed. */
export async function servePasskeyPage<Result>(options: PasskeyPageOptions<Result>): Promise<PasskeyPage<Result>> {
  const { ask, kind, text, assets: folder, needsCode } = options;
  const { style, files } = readAssets(folder);
  const script = readFileSync(join(folder, "passkey.js"));
  const logins = createLogins();
  const code = needsCode ? logins.newCode() : undefined;
  let isKnown = !needsCode;
  let settle: (result: Result | undefined) => void = () => {};
  const result = new Promise<Result | undefined>((resolve) => {
    settle = resolve;
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, port: number): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const key = `${method} ${url}`;
    const page = PAGES[key] ?? (key === `GET /assets/${style}` ? "asset" : undefined);
    if (page === undefined) return json(response, 404, { error: "there is no such page" });
    const refused = malformed(request, port) ?? refusalFor(request, page === "data" ? "login" : page, port);
    if (refused !== undefined) return json(response, refused.status, { error: refused.why });
    if (page === "page") return sendPage(response, style);
    if (page === "asset")
      return url === SCRIPT
        ? send(response, "text/javascript; charset=utf-8", script)
        : send(response, "text/css; charset=utf-8", files.get(style)?.bytes ?? Buffer.alloc(0));
    const read = await readBody(request);
    if ("why" in read) return json(response, read.status, { error: read.why });
    const body = Object(read.body) as { readonly code?: unknown; readonly answer?: unknown };
    if (url === "/begin") {
      isKnown ||= logins.tryCode(body.code).outcome === "in";
      return isKnown
        ? json(response, 200, { kind, text, options: ask.options })
        : json(response, body.code === undefined ? 401 : 403, { error: "That is not the code of the terminal." });
    }
    if (!isKnown) return json(response, 401, { error: "Type the code of the terminal first." });
    const checked = url === "/end" ? await ask.check(body.answer, `http://${headers.host}`) : undefined;
    json(response, url === "/end" && checked === undefined ? 403 : 200, {
      ...(checked === undefined && url === "/end" ? { error: "The passkey was not accepted." } : { done: true }),
    });
    response.on("finish", () => settle(checked));
  };
  const [server, ...others] = await listening(answer);
  if (server === undefined) throw new Error("no port of this machine can be opened");
  const { port } = server.address() as AddressInfo;
  const timer = setTimeout(() => settle(undefined), OPEN_MS);
  const close = () => {
    clearTimeout(timer);
    settle(undefined);
    for (const one of [server, ...others]) {
      one.close();
      one.closeAllConnections();
    }
  };
  return { url: `http://${PASSKEY_HOST}:${port}/`, port, code, result, close };
}

type Answer = (request: IncomingMessage, response: ServerResponse, port: number) => Promise<void>;

/** `localhost` has two addresses. No other program may serve the same port at the second one. */
async function listening(answer: Answer): Promise<Server[]> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const first = await listen(answer, "127.0.0.1", 0);
    if (typeof first === "string") return [];
    const { port } = first.address() as AddressInfo;
    const second = await listen(answer, "::1", port);
    if (typeof second === "object") return [first, second];
    if (second !== "EADDRINUSE") return [first];
    first.close();
  }
  return [];
}

function listen(answer: Answer, host: string, wanted: number): Promise<Server | string> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      answer(request, response, port).catch(() => response.destroy());
    });
    server.headersTimeout = PATIENCE_MS;
    server.requestTimeout = PATIENCE_MS;
    server.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port: wanted }, () => resolve(server));
  });
}

function sendPage(response: ServerResponse, style: string): void {
  const nonce = randomBytes(16).toString("base64");
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sluice: passkey</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${style}" nonce="${nonce}">
<script defer src="${SCRIPT}" nonce="${nonce}"></script>
</head>
<body><main class="login passkey" id="app"></main></body>
</html>
`;
  send(response, "text/html; charset=utf-8", Buffer.from(page), { "content-security-policy": pagePolicy(nonce) });
}

function json(response: ServerResponse, status: number, value: object): void {
  send(response, "application/json; charset=utf-8", Buffer.from(JSON.stringify(value)), {}, status);
}

function send(
  response: ServerResponse,
  type: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): void {
  response.writeHead(status, { ...COMMON_HEADERS, "content-type": type, "content-length": bytes.length, ...headers });
  response.end(bytes);
}

const SCRIPT = "/assets/passkey.js";
const PAGES: Readonly<Record<string, "page" | "asset" | "data">> = {
  "GET /": "page",
  [`GET ${SCRIPT}`]: "asset",
  "POST /begin": "data",
  "POST /end": "data",
  "POST /cancel": "data",
};
const OPEN_MS = 120_000;
const PATIENCE_MS = 5000;
const MAX_TRIES = 5;
