// Serves the page and carries messages: in with POST /messages, out on one long answer to GET /messages.
// A request without the token, or from another page, is refused before anything is read.
import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { readMessage } from "./envelope.mjs";

/** Starts the web view; `post` sends a message to every page that is open. */
export async function serveWebView({ port, token, state, receive }) {
  const pages = new Set();
  let origin = "";

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { method, url } = request;
    if (!isNamed(request, origin)) return refuse(response, 403, OTHER_NAME);
    if (method === "GET" && Object.hasOwn(FILES, url)) return sendFile(response, FILES[url]);
    if (url !== "/messages") return refuse(response, 404, NOTHING_HERE);
    if (!isOwnPage(request, origin)) return refuse(response, 403, OTHER_PAGE);
    if (!isToken(request.headers.authorization, token)) return refuse(response, 401, NO_TOKEN);
    if (method === "GET") return open(response);
    if (method === "POST") return take(request, response);
    return refuse(response, 405, NOTHING_HERE);
  });

  function open(response) {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    pages.add(response);
    response.on("close", () => pages.delete(response));
    response.write(line({ kind: "state", state: state() }));
  }

  async function take(request, response) {
    const text = await textOf(request).catch(() => undefined);
    if (text === undefined) return refuse(response, 413, TOO_LONG);
    const read = readMessage(request.headers["content-type"], text);
    if (read.refused !== undefined) return refuse(response, 400, read.refused);
    response.writeHead(202).end();
    receive(read.message);
  }

  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  origin = `http://127.0.0.1:${server.address().port}`;
  return {
    address: `${origin}/#${token}`,
    post: (message) => {
      for (const page of pages) page.write(line(message));
    },
  };
}

/** Another name may be made to lead here, to turn a strange page into one of this host. */
function isNamed({ headers }, origin) {
  return `http://${headers.host}` === origin;
}

/** Browsers say which page speaks; who says nothing is no browser, and needs the token all the same. */
function isOwnPage({ headers }, origin) {
  return (headers.origin ?? origin) === origin && (headers["sec-fetch-site"] ?? "same-origin") === "same-origin";
}

function isToken(authorization = "", token) {
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => Buffer.from(text));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function textOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw new Error("too long");
  return Buffer.concat(chunks).toString("utf8");
}

function sendFile(response, { type, file }) {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
  response.end(readFileSync(new URL(`page/${file}`, import.meta.url)));
}

function refuse(response, status, { what, fix }) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ kind: "refused", what, fix }));
}

const line = (message) => `${JSON.stringify(message)}\n`;
const script = (file) => ({ type: "text/javascript", file });

/** Every file that the page consists of; nothing else is ever read for it. */
const FILES = {
  "/": { type: "text/html", file: "index.html" },
  "/page.css": { type: "text/css", file: "page.css" },
  ...Object.fromEntries(
    ["page", "channel", "editor-channel", "http-channel", "element", "intents", "timeline", "tool-form", "trace"].map(
      (name) => [`/${name}.mjs`, script(`${name}.mjs`)],
    ),
  ),
};

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
  what: "Another page may not talk to this host.",
  fix: "Use the page that the host serves itself.",
};
const NO_TOKEN = {
  what: "The message carries no token of this run.",
  fix: "Open the address that the host printed when it started.",
};
const NOTHING_HERE = {
  what: "There is nothing at this address.",
  fix: "The page lies at /, its messages at /messages.",
};
const TOO_LONG = { what: `The message has more than ${MAX_BYTES} bytes.`, fix: "Write the file in parts." };
