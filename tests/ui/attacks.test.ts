import { expect, test } from "vitest";
import { type LoggedIn, type PagesServer, pagesServer } from "./pages-server.ts";

/** A request line, headers beside Host, a body; and the status that it gets. */
interface Attack {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the right one. */
  readonly host?: string | readonly string[];
  readonly body?: string;
  readonly isLoggedIn?: boolean;
  readonly status: number;
}

const JSON_BODY = { "content-type": "application/json" };
const OWN = { ...JSON_BODY, origin: "http://127.0.0.1:PORT", "sec-fetch-site": "same-origin" };

const ATTACKS: Readonly<Record<string, Attack>> = {
  "a page of a name that was rebound to this machine": { line: "GET /timeline", host: "evil.example", status: 421 },
  "the same with our port": { line: "GET /timeline", host: "evil.example:PORT", status: 421 },
  "the same with data, logged in": { line: "GET /api/hello", host: "evil.example:PORT", isLoggedIn: true, status: 421 },
  "no port in the Host": { line: "GET /timeline", host: "127.0.0.1", status: 421 },
  "another port in the Host": { line: "GET /timeline", host: "127.0.0.1:1", status: 421 },
  "a name that begins like ours": { line: "GET /timeline", host: "localhost:PORT.evil.example", status: 421 },
  "a name that ends like ours": { line: "GET /timeline", host: "evil.localhost:PORT", status: 421 },
  "all addresses as Host": { line: "GET /timeline", host: "0.0.0.0:PORT", status: 421 },
  "an IPv6 Host": { line: "GET /timeline", host: "[::1]:PORT", status: 421 },
  "an empty Host": { line: "GET /timeline", host: "", status: 421 },
  "two Hosts, the right one first": { line: "GET /timeline", host: ["127.0.0.1:PORT", "evil.example"], status: 421 },
  "two Hosts, the right one last": { line: "GET /timeline", host: ["evil.example", "127.0.0.1:PORT"], status: 421 },
  "user and password in the Host": { line: "GET /timeline", host: "a@127.0.0.1:PORT", status: 421 },
  "an address with a foreign server in it": { line: "GET http://evil.example/timeline", status: 400 },
  "an address that begins with two slashes": { line: "GET //evil.example/timeline", status: 400 },
  "an address without a slash": { line: "GET timeline", status: 400 },
  "an address that is too long": { line: `GET /timeline?${"a".repeat(5000)}`, status: 400 },
  "data without a login": { line: "GET /api/hello", status: 401 },
  "the list of calls without a login": { line: "GET /api/rows", status: 401 },
  "live calls without a login": { line: "GET /api/live", status: 401 },
  "one call without a login": { line: "GET /api/call?id=000000", status: 401 },
  "a guessed cookie and key": {
    line: "GET /api/hello",
    headers: { cookie: `sluice_ui_PORT=${"0".repeat(64)}`, "x-sluice-key": "0".repeat(64) },
    status: 401,
  },
  "the cookie alone, as another program on this machine sees it": {
    line: "GET /api/hello",
    headers: { cookie: "OWN-COOKIE" },
    status: 401,
  },
  "the cookie with a guessed key": {
    line: "GET /api/hello",
    headers: { cookie: "OWN-COOKIE", "x-sluice-key": "1".repeat(64) },
    status: 401,
  },
  "the key alone": { line: "GET /api/hello", headers: { "x-sluice-key": "OWN-KEY" }, status: 401 },
  "a second cookie of the same name": {
    line: "GET /api/hello",
    headers: { cookie: `sluice_ui_PORT=x; OWN-COOKIE`, "x-sluice-key": "OWN-KEY" },
    status: 401,
  },
  "the cookie of a server on another port": {
    line: "GET /api/hello",
    headers: { cookie: "sluice_ui_1=OWN", "x-sluice-key": "OWN-KEY" },
    status: 401,
  },
  "data asked for by another origin": {
    line: "GET /api/hello",
    headers: { origin: "https://evil.example" },
    isLoggedIn: true,
    status: 403,
  },
  "data asked for by another port of this machine": {
    line: "GET /api/hello",
    headers: { origin: "http://127.0.0.1:1" },
    isLoggedIn: true,
    status: 403,
  },
  "data asked for by a page without an origin": {
    line: "GET /api/hello",
    headers: { origin: "null" },
    isLoggedIn: true,
    status: 403,
  },
  "data asked for over https": {
    line: "GET /api/hello",
    headers: { origin: "https://127.0.0.1:PORT" },
    isLoggedIn: true,
    status: 403,
  },
  "our other name as the origin": {
    line: "GET /api/hello",
    headers: { origin: "http://localhost:PORT" },
    isLoggedIn: true,
    status: 403,
  },
  "live calls for another origin": {
    line: "GET /api/live",
    headers: { origin: "https://evil.example" },
    isLoggedIn: true,
    status: 403,
  },
  "live calls for another site": {
    line: "GET /api/live",
    headers: { "sec-fetch-site": "cross-site" },
    isLoggedIn: true,
    status: 403,
  },
  "live calls for another port": {
    line: "GET /api/live",
    headers: { "sec-fetch-site": "same-site" },
    isLoggedIn: true,
    status: 403,
  },
  "data typed into the address line": {
    line: "GET /api/hello",
    headers: { "sec-fetch-site": "none" },
    isLoggedIn: true,
    status: 403,
  },
  "data as a script": {
    line: "GET /api/hello",
    headers: { "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" },
    isLoggedIn: true,
    status: 403,
  },
  "data as an image": { line: "GET /api/hello", headers: { "sec-fetch-dest": "image" }, isLoggedIn: true, status: 403 },
  "a page inside of a frame": {
    line: "GET /timeline",
    headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" },
    status: 403,
  },
  "a page reached from another site": {
    line: "GET /timeline",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
    status: 403,
  },
  "the page of a request in a frame of another site": {
    line: "GET /requests/abcdef",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
    status: 403,
  },
  "the page of a request fetched by another site": {
    line: "GET /requests/abcdef",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" },
    status: 403,
  },
  "all requests reached from another site": {
    line: "GET /requests",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
    status: 403,
  },
  "a login from another origin": {
    line: "POST /login",
    headers: { ...JSON_BODY, origin: "https://evil.example" },
    body: '{"code":"x"}',
    status: 403,
  },
  "a login that says nothing of its origin": {
    line: "POST /login",
    headers: JSON_BODY,
    body: '{"code":"x"}',
    status: 403,
  },
  "a login as a form": {
    line: "POST /login",
    headers: { ...OWN, "content-type": "application/x-www-form-urlencoded" },
    body: "code=x",
    status: 415,
  },
  "a login as plain text": {
    line: "POST /login",
    headers: { ...OWN, "content-type": "text/plain" },
    body: '{"code":"x"}',
    status: 415,
  },
  "a login by GET": { line: "GET /login?code=x", status: 404 },
  "a login with no JSON": { line: "POST /login", headers: OWN, body: "{", status: 400 },
  "a login with null": { line: "POST /login", headers: OWN, body: "null", status: 403 },
  "a code that is a list": { line: "POST /login", headers: OWN, body: '{"code":["A"]}', status: 403 },
  "a body that says it is too large": {
    line: "POST /login",
    headers: { ...OWN, "content-length": "99999999" },
    body: "{",
    status: 413,
  },
  "the folder above": { line: "GET /assets/../manifest.json", status: 404 },
  "the folder above, encoded": { line: "GET /assets/%2e%2e/manifest.json", status: 404 },
  "the folder above, encoded twice": { line: "GET /assets/%252e%252e%252fmanifest.json", status: 404 },
  "the folder above, with backslashes": { line: "GET /assets/..\\manifest.json", status: 404 },
  "a file beside the assets": { line: "GET /assets/secret.txt", status: 404 },
  "an absolute path": { line: "GET /assets//etc/passwd", status: 404 },
  "a name of every object": { line: "GET /assets/__proto__", status: 404 },
  "a link beside the assets": { line: "GET /assets/link.js", status: 404 },
  "a NUL in the name of an asset": { line: "GET /assets/main-1.js%00.css", status: 404 },
  "our own server in the address": { line: "GET http://127.0.0.1:PORT/timeline", status: 400 },
  "our own server in the address, another in the Host": {
    line: "GET http://127.0.0.1:PORT/api/hello",
    host: "evil.example",
    isLoggedIn: true,
    status: 400,
  },
  "a form of another port of this machine": {
    line: "POST /api/act/allow",
    headers: { ...JSON_BODY, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
    body: '{"id":"000000"}',
    isLoggedIn: true,
    status: 403,
  },
  "another port that says nothing of its origin": {
    line: "POST /api/act/allow",
    headers: { ...JSON_BODY, "sec-fetch-site": "same-site" },
    body: '{"id":"000000"}',
    isLoggedIn: true,
    status: 403,
  },
  "an act of a page without an origin": {
    line: "POST /api/act/allow",
    headers: { ...OWN, origin: "null" },
    body: '{"id":"000000"}',
    isLoggedIn: true,
    status: 403,
  },
  "two origins in one header": {
    line: "POST /api/act/allow",
    headers: { ...OWN, origin: "http://127.0.0.1:PORT, https://evil.example" },
    body: '{"id":"000000"}',
    isLoggedIn: true,
    status: 403,
  },
  "two sites, ours first": {
    line: "GET /api/hello",
    headers: { "sec-fetch-site": "same-origin\r\nsec-fetch-site: cross-site" },
    isLoggedIn: true,
    status: 403,
  },
  "the key twice": {
    line: "GET /api/hello",
    headers: { cookie: "OWN-COOKIE", "x-sluice-key": "OWN-KEY\r\nx-sluice-key: OWN-KEY" },
    status: 401,
  },
  "a WebSocket to the live calls": {
    line: "GET /api/live",
    headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" },
    status: 401,
  },
  "a method in another header": {
    line: "GET /api/act/allow",
    headers: { ...OWN, "x-http-method-override": "POST" },
    isLoggedIn: true,
    status: 404,
  },
  "a page that there is not": { line: "GET /constructor", status: 404 },
  "a page below a page": { line: "GET /timeline/x", status: 404 },
  "a method that there is not": { line: "DELETE /api/rows", headers: OWN, isLoggedIn: true, status: 404 },
  "another method, asked for first": {
    line: "OPTIONS /api/hello",
    headers: { origin: "https://evil.example" },
    status: 404,
  },
};

async function sent(server: PagesServer, attack: Attack, own: LoggedIn): Promise<string> {
  const { line, headers = {}, host = "127.0.0.1:PORT", body = "", isLoggedIn } = attack;
  const all = {
    connection: "close",
    ...(isLoggedIn ? own : {}),
    ...(body === "" ? {} : { "content-length": String(body.length) }),
    ...headers,
  };
  const lines = [
    `${line} HTTP/1.1`,
    ...[host].flat().map((name) => `Host: ${name}`),
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  const text = `${lines.join("\r\n")}\r\n\r\n${body}`
    .replaceAll("OWN-COOKIE", own.cookie)
    .replaceAll("OWN-KEY", own["x-sluice-key"])
    .replaceAll("PORT", String(server.port));
  return server.raw(text);
}

test("every request that does not come from a page of our own, or that is not logged in, is refused", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const answers = await Promise.all(
    Object.entries(ATTACKS).map(async ([name, attack]) => {
      const answer = await sent(server, attack, own);
      return [name, Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), /access-control-|set-cookie/i.test(answer)];
    }),
  );
  expect(answers).toEqual(Object.entries(ATTACKS).map(([name, { status }]) => [name, status, false]));
});

test("the link of a notification opens also in the page of a chat, and the page itself shows nothing of the request", async () => {
  const server = await pagesServer();
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
  const page = await sent(server, { line: "GET /requests/abcdef", headers, status: 200 }, await server.logIn());
  expect(page).toMatch(/^HTTP\/1\.1 200/);
  expect(page).toContain("cross-origin-opener-policy: same-origin");
});

test("the same requests from the page itself are answered", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const same = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty", origin: "http://127.0.0.1:PORT" };
  expect(await sent(server, { line: "GET /api/hello", headers: same, isLoggedIn: true, status: 200 }, own)).toContain(
    '"root"',
  );
  const typed = { "sec-fetch-site": "none", "sec-fetch-dest": "document" };
  const page = await sent(
    server,
    { line: "GET /session/a%20b", headers: typed, host: "localhost:PORT", status: 200 },
    own,
  );
  expect(page).toMatch(/^HTTP\/1\.1 200/);
  for (const header of [
    /content-security-policy: default-src 'none'; script-src 'nonce-[\w+/=]{20,}';/i,
    /frame-ancestors 'none'/,
    /x-content-type-options: nosniff/i,
    /cache-control: no-store/i,
    /referrer-policy: no-referrer/i,
  ])
    expect(page).toMatch(header);
  const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page) ?? [];
  expect(page).toContain(`src="/assets/main-1.js" nonce="${nonce}"`);
  expect(await sent(server, { line: "GET /timeline", status: 200 }, own)).not.toContain(nonce);
});

async function typeCode(server: PagesServer, code: string): Promise<Response> {
  const headers = { "content-type": "application/json", origin: `http://127.0.0.1:${server.port}` };
  return fetch(`http://127.0.0.1:${server.port}/login`, { method: "POST", body: JSON.stringify({ code }), headers });
}

test("a code works once, in small letters too, and the cookie is out of reach of scripts and other sites", async () => {
  const seen: string[] = [];
  const server = await pagesServer({ onLogin: (outcome) => seen.push(outcome) });
  const code = server.newCode();
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const first = await typeCode(server, ` ${code.toLowerCase().replace("-", " ")} `);
  expect(first.status).toBe(200);
  expect(first.headers.get("set-cookie")).toMatch(/^sluice_ui_\d+=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect((await typeCode(server, code)).status).toBe(403);
  expect(seen).toEqual(["in", "none"]);
});

test("five wrong codes use the right one up, and a new code makes the one before invalid", async () => {
  const server = await pagesServer();
  const code = server.newCode();
  for (const left of [4, 3, 2, 1, 0]) {
    const answer = (await (await typeCode(server, "AAAA-AAAA")).json()) as { error: string };
    expect(answer.error).toContain(left === 0 ? "last try" : left === 1 ? "one more" : `${left} more`);
  }
  expect((await typeCode(server, code)).status).toBe(403);
  const [old, now] = [server.newCode(), server.newCode()];
  expect((await typeCode(server, old)).status).toBe(403);
  expect((await typeCode(server, now)).status).toBe(200);
});

test("a body that grows beyond a megabyte is not read to its end", async () => {
  const server = await pagesServer();
  const piece = "a".repeat(64 * 1024);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  const head = `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nOrigin: http://127.0.0.1:${server.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await server.raw(head + chunk.repeat(20), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413/);
});

test("headers that are too long are refused, and the server goes on", async () => {
  const server = await pagesServer();
  const long = `GET /timeline HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX: ${"a".repeat(40_000)}\r\n\r\n`;
  expect(await server.raw(long)).toMatch(/^HTTP\/1\.1 431/);
  expect((await fetch(`http://127.0.0.1:${server.port}/timeline`)).status).toBe(200);
});

test("requests that servers and proxies read differently are refused whole: no second request is found in them", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const host = `Host: 127.0.0.1:${server.port}`;
  const post = `POST /login HTTP/1.1\r\n${host}\r\nOrigin: http://127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`;
  const hidden = `GET /api/hello HTTP/1.1\r\n${host}\r\nCookie: ${own.cookie}\r\nX-Sluice-Key: ${own["x-sluice-key"]}\r\n\r\n`;
  const requests = {
    "a length and chunks": `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    "two lengths": `${post}Content-Length: 2\r\nContent-Length: 400\r\n\r\n{}${hidden}`,
    "an encoding that is none": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    "chunked, and then another encoding": `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    "a length with a sign": `${post}Content-Length: +2\r\n\r\n{}${hidden}`,
    "a chunk with a sign": `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${hidden}`,
    "a space before the colon": `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    "a header that goes on in the next line": `GET /timeline HTTP/1.1\r\nX: a\r\n ${host}\r\n\r\n${hidden}`,
    "no Host": "GET /timeline HTTP/1.1\r\n\r\n",
    "no Host, in the older protocol": "GET /timeline HTTP/1.0\r\n\r\n",
    "another Host, in the older protocol": "GET /timeline HTTP/1.0\r\nHost: evil.example\r\n\r\n",
    "a protocol that there is not": `GET /timeline HTTP/9.9\r\n${host}\r\n\r\n`,
    "a tunnel": `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`,
    "the beginning of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "the beginning of TLS": "\u0016\u0003\u0001\u0002\u0000\u0001",
  };
  const answers = await Promise.all(
    Object.entries(requests).map(async ([name, text]) => [name, await server.raw(text)] as const),
  );
  for (const [name, answer] of answers) {
    expect(answer, name).toMatch(/^(?:$|HTTP\/1\.1 4\d\d)/);
    expect(answer, name).not.toMatch(/ 200 |"root"/);
  }
  expect((await fetch(`http://127.0.0.1:${server.port}/timeline`)).status).toBe(200);
});

test("of ten browsers that type the same code at once, one is logged in", async () => {
  const server = await pagesServer();
  const code = server.newCode();
  const answers = await Promise.all(Array.from({ length: 10 }, () => typeCode(server, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("pages that follow the calls are a limited number, and the next one is told so while all else is answered", async () => {
  const server = await pagesServer();
  const headers = await server.logIn();
  const stop = new AbortController();
  const live = () => fetch(`http://127.0.0.1:${server.port}/api/live`, { headers, signal: stop.signal });
  const answers = await Promise.all(Array.from({ length: 40 }, live));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await fetch(`http://127.0.0.1:${server.port}/api/hello`, { headers })).status).toBe(200);
  stop.abort();
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${server.port}/api/live`, { headers })).status)
    .toBe(200);
});

test("connections that say nothing are cut off, and others are answered again", async () => {
  const server = await pagesServer({ patience: 50 });
  const silent = Array.from({ length: 100 }, () => server.raw(""));
  expect(await Promise.all(silent)).toHaveLength(100);
  expect((await fetch(`http://127.0.0.1:${server.port}/timeline`)).status).toBe(200);
});

test("a client that never ends its headers is cut off", async () => {
  const server = await pagesServer({ patience: 50 });
  expect(await server.raw(`GET /timeline HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-Slow`)).toMatch(
    /^(?:HTTP\/1\.1 408|$)/,
  );
});

test("it listens on this machine's own address alone", async () => {
  const server = await pagesServer();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
  const other = Object.values((await import("node:os")).networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal);
  if (other === undefined) return;
  await expect(fetch(`http://${other.address}:${server.port}/timeline`)).rejects.toThrow();
});
