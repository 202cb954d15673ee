import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { ExtensionHost } from "./host.ts";
import { refused } from "./messages.ts";
import { PAGE_FOLDER, PAGE_TYPES } from "./page-files.ts";
import type { HostReply } from "./state.ts";

/** How a page is served to a browser. */
export interface WebViewServerOptions {
  /** A free port of the loopback interface if it is left out. */
  readonly port?: number;
  /** What messages must carry; made for this run if it is left out. */
  readonly token?: string;
  /** The folder with the page's `index.html`; the page of the package if it is left out. */
  readonly page?: string;
}

/** A page that is served. */
export interface ServedWebView {
  /** The address to open: the token follows the `#`, which browsers do not send. */
  readonly address: string;
  /** Ends the server and its connections, and denies the questions that are open. */
  close(): Promise<void>;
}

/**
 * Serves the page of a host on the loopback interface: messages come in with POST /messages and go out on one long answer to
 * GET /messages. A request without the token, or from another page, is refused before anything of it is read.
 */
export async function serveWebView(host: ExtensionHost, options: WebViewServerOptions = {}): Promise<ServedWebView> {
  const { port = 0, token = randomBytes(24).toString("base64url"), page = PAGE_FOLDER } = options;
  const files = new Map(readdirSync(page).flatMap((name) => servedAs(name)));
  const pages = new Set<ServerResponse>();
  let origin = "";
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { method, url = "" } = request;
    const file = files.get(url);
    if (`http://${request.headers.host}` !== origin) return refuse(response, 403, OTHER_NAME);
    if (method === "GET" && file !== undefined) {
      response.writeHead(200, { "content-type": `${file.type}; charset=utf-8` });
      return void response.end(readFileSync(join(page, file.name)));
    }
    if (url !== "/messages") return refuse(response, 404, NOTHING_HERE);
    if (!isOwnPage(request, origin)) return refuse(response, 403, OTHER_PAGE);
    if (!isToken(request.headers.authorization, token)) return refuse(response, 401, NO_TOKEN);
    if (method === "GET") return open(response);
    if (method === "POST") return void take(request, response);
    return refuse(response, 405, NOTHING_HERE);
  });
  const open = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    pages.add(response);
    response.on("close", () => pages.delete(response));
    response.write(line({ kind: "state", state: host.state }));
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request).catch(() => undefined);
    if (text === undefined) return refuse(response, 413, TOO_LONG);
    const reply = answered(request, text, host);
    if (reply.kind === "refused") return refuse(response, 400, reply);
    response.writeHead(202).end();
  };
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with it.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopSending = host.onMessage((reply) => {
    for (const each of pages) each.write(line(reply));
  });
  return {
    address: `${origin}/#${token}`,
    async close() {
      stopSending();
      host.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function servedAs(name: string): [url: string, file: { readonly name: string; readonly type: string }][] {
  const type = PAGE_TYPES[extname(name).slice(1)];
  return type === undefined ? [] : [[name === "index.html" ? "/" : `/${name}`, { name, type }]];
}

function answered({ headers }: IncomingMessage, text: string, host: ExtensionHost): HostReply {
  if (headers["content-type"] !== "application/json") return refused("The message is not sent as application/json.");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refused("The message is not JSON.");
  }
  return host.receive(message);
}

/** A browser states which page sends a request; a program that does not state it needs the token all the same. */
function isOwnPage({ headers }: IncomingMessage, origin: string): boolean {
  return (headers.origin ?? origin) === origin && (headers["sec-fetch-site"] ?? "same-origin") === "same-origin";
}

function isToken(authorization = "", token: string): boolean {
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw new Error("too long");
  return Buffer.concat(chunks).toString("utf8");
}

function refuse(response: ServerResponse, status: number, { what, fix }: Omit<ReturnType<typeof refused>, "kind">) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(line(refused(what, fix)));
}

function line(reply: HostReply): string {
  return `${JSON.stringify(reply)}\n`;
}

const HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const MAX_BYTES = 1024 * 1024;
const OTHER_NAME = { what: "This host has another name.", fix: "Open the address that it printed when it started." };
const OTHER_PAGE = {
  what: "Another page may not send messages to this host.",
  fix: "Use the page that the host serves itself.",
};
const NO_TOKEN = {
  what: "The message carries no token of this run.",
  fix: "Open the address that the host printed when it started.",
};
const NOTHING_HERE = { what: "There is nothing at this address.", fix: "The page is at /, its messages at /messages." };
const TOO_LONG = { what: `The message has more than ${MAX_BYTES} bytes.`, fix: "Write the file in parts." };
