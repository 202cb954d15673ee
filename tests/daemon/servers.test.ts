import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { daemonStatus } from "../../src/server/clients/ask-daemon.ts";
import { bodyOf } from "../http/loopback.ts";
import { alone, bothWays, expectResident, together } from "./both-ways.ts";
import { BEST, COLD, type DaemonHome, homeOfAllClients, TIERS, writeHooks } from "./daemon-home.ts";

/** What a server answers to a line, by its last word. */
const ANSWERS: Readonly<Record<string, object | "hang" | "cut">> = {
  deny: { action: "deny", reason: "the server says no" },
  ask: { action: "ask", reason: "the server does not know" },
  modify: { action: "modify", modified_data: { patch: { command: "true" } } },
  context: { context: "the server says hello" },
  continue: {},
  hang: "hang",
  cut: "cut",
};

/** What the agent is told, or nothing. */
const SAID: Readonly<Record<keyof typeof ANSWERS, string>> = {
  deny: "the server says no",
  ask: "the server does not know",
  modify: '"command":"true"',
  context: "the server says hello",
  continue: "",
  hang: "1 s",
  cut: "the connection was cut",
};

/** The home of most tests, which have sessions of their own: a denial is remembered for its session. */
const shared = homeOfAllClients();
let sessions = 0;
const session = () => `session ${++sessions}`;

it("a server whose certificate the caller brings along says through every client what it says without a daemon", async () => {
  const { certificate, asked } = await secureServer(shared(BEST));
  const env = { NODE_EXTRA_CA_CERTS: certificate, CALLER: "one" };
  for (const word of ["deny", "hang"]) {
    const tiers = word === "deny" ? TIERS : [BEST];
    asked.length = 0;
    const expected = await alone(shared(BEST), `post ${word}`, { env, session: session() });
    expect(expected.stdout).toContain(SAID[word]);
    for (const tier of tiers) {
      const at = shared(tier);
      await ready(at);
      expect(await together(at, `post ${word}`, { env, session: session() }), tier).toEqual(expected);
    }
    expect(asked, word).toEqual(["one", ...tiers.map(() => "one")]);
  }
});

it("a server with an unknown certificate is not asked, with a daemon and without: certificates and options of the daemon are not the caller's", async () => {
  const at = shared(BEST);
  const { asked } = await secureServer(at);
  await ready(at);
  const { stdout } = await bothWays(at, "post continue", { env: { CALLER: "one" }, session: session() });
  expect([stdout, asked]).toEqual([expect.stringContaining("signed by itself"), []]);
  await expectResident(at);
});

it("a server without a certificate is asked by a worker, whatever certificates the caller brings along", async () => {
  const at = shared(BEST);
  const asked: string[] = [];
  await listening(at, createServer(), "http", asked);
  await ready(at);
  for (const [index, word] of Object.keys(ANSWERS).entries()) {
    asked.length = 0;
    const how = { env: { CALLER: "two" }, session: session() };
    const bringing = { ...how, env: { ...how.env, NODE_EXTRA_CA_CERTS: "/dev/null" } };
    // Without a daemon node reads them when it starts, which is tried once.
    const expected = await alone(at, `post ${word}`, index === 0 ? bringing : how);
    expect(await together(at, `post ${word}`, bringing), word).toEqual(expected);
    expect(expected.stdout).toContain(SAID[word]);
    expect(asked, word).toEqual(["two", "two"]);
    await expectResident(at);
  }
});

it.each(["http", "https"] as const)("where no server listens, an %s hook fails the same", async (protocol) => {
  const at = shared(BEST);
  const server = createServer();
  await listening(at, server, protocol, []);
  await new Promise((resolve) => server.close(resolve));
  await ready(at);
  const { stdout } = await bothWays(at, "post continue", { env: { CALLER: "one" }, session: session() });
  expect(stdout).toContain("nothing listens there");
  await expectResident(at);
});

it("a variable that the caller does not have is not taken from the daemon", async () => {
  const at = shared(BEST);
  const asked: string[] = [];
  await listening(at, createServer(), "http", asked);
  await ready(at);
  const { stdout } = await bothWays(at, "post continue", { session: session() });
  expect([stdout, asked]).toEqual([expect.stringContaining("needs the variable CALLER"), []]);
  await expectResident(at);
});

it("a server of an async hook is asked with the caller's own variables", async () => {
  const at = shared(BEST);
  const asked: string[] = [];
  await listening(at, createServer(), "http", asked, "async: true");
  await ready(at);
  expect((await bothWays(at, "post deny", { env: { CALLER: "three" }, session: session() })).stdout).toBe("");
  await expect.poll(() => asked).toEqual(["three", "three"]);
  await expectResident(at);
});

/** A daemon that a person has started: its own environment trusts every server, and has the variable that hooks ask their caller for. */
async function ready(at: DaemonHome): Promise<void> {
  const [program, launcher] = COLD;
  const own = { CALLER: "the daemon", NODE_EXTRA_CA_CERTS: KEYS.certificate, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const start = () =>
    void spawn(program, [launcher, "serve"], { cwd: at.root, env: { ...at.env, ...own }, stdio: "ignore" });
  if ((await daemonStatus(at.runtimeDir)) === undefined) start();
  await at.running(start);
}

const SELF_SIGNED = resolve(import.meta.dirname, "self-signed");
const KEYS = { key: join(SELF_SIGNED, "key.pem"), certificate: join(SELF_SIGNED, "certificate.pem") };

/** A server with a certificate that is signed by itself, made for this machine alone, and the names of those who asked it. */
async function secureServer(at: DaemonHome): Promise<{ readonly certificate: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createSecureServer({ key: readFileSync(KEYS.key), cert: readFileSync(KEYS.certificate) });
  await listening(at, server, "https", asked);
  return { certificate: KEYS.certificate, asked };
}

/** Lets a server answer, and a hook of this home ask it. */
async function listening(
  at: DaemonHome,
  server: Server,
  protocol: "http" | "https",
  asked: string[],
  more = "on_error: deny",
): Promise<void> {
  server.on("request", async (request, response) => {
    const [, word = ""] = /post (\w+)/.exec(await bodyOf(request)) ?? [];
    const answer = ANSWERS[word];
    asked.push(String(request.headers["x-caller"]));
    if (answer === "cut") request.socket.destroy();
    else if (answer !== "hang") response.end(JSON.stringify(answer));
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  writeHooks(
    at,
    `hooks:
  - name: policy
    matcher: { events: [PreToolUse], command_patterns: ["post*"] }
    type: http
    url: ${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/check
    headers: { X-Caller: "\${CALLER}" }
    timeout: 1
    ${more}
`,
  );
}
