import { readFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ProxySettings, proxiesIn, proxyFor } from "../../src/http/proxy.ts";
import { openTarget } from "../../src/ship/targets.ts";
import { bundleOf, denying as denyingBundle, keyPair, machineWith, startHost } from "../bundle/bundle-host.ts";
import { denying, NAME, packed, projectFor, startRegistry } from "../packs/registry-host.ts";
import { machineWithJournal, recordOf } from "../ship/recorded-journal.ts";

const CERTIFICATE = fileURLToPath(new URL("tls/certificate.pem", import.meta.url));
const KEY = fileURLToPath(new URL("tls/key.pem", import.meta.url));

/** A proxy on this machine: it opens ways and passes requests on, to whatever host is named, always on this machine. */
const proxy = { asked: [] as string[], authorization: [] as (string | undefined)[], status: 200, origin: "" };
const proxyServer = createServer((request, response) => {
  proxy.asked.push(`${request.method} ${request.url}`);
  proxy.authorization.push(request.headers["proxy-authorization"]);
  const { port, pathname, search } = new URL(request.url ?? "");
  const { "proxy-authorization": _, ...headers } = request.headers;
  const onward = httpRequest({
    host: "127.0.0.1",
    port,
    path: `${pathname}${search}`,
    method: request.method,
    headers,
  });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
});
proxyServer.on("connect", (request, socket) => {
  proxy.asked.push(`CONNECT ${request.url}`);
  proxy.authorization.push(request.headers["proxy-authorization"]);
  if (proxy.status !== 200) return void socket.end(`HTTP/1.1 ${proxy.status} No\r\n\r\n`);
  const onward = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    onward.pipe(socket).pipe(onward);
  });
  socket.on("error", () => onward.destroy());
  onward.on("error", () => socket.destroy());
});

let registry: Awaited<ReturnType<typeof startRegistry>>;
let securePort = 0;
/** The same registry over TLS. */
const secure = createSecureServer({ key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }, (request, response) => {
  httpRequest(`${registry.origin}${request.url}`, { headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }).end();
});
beforeAll(async () => {
  registry = await startRegistry();
  await new Promise<void>((ready) => proxyServer.listen(0, "127.0.0.1", ready));
  await new Promise<void>((ready) => secure.listen(0, "127.0.0.1", ready));
  proxy.origin = `http://127.0.0.1:${(proxyServer.address() as AddressInfo).port}`;
  securePort = (secure.address() as AddressInfo).port;
});
afterAll(async () => {
  proxyServer.closeAllConnections();
  proxyServer.close();
  secure.closeAllConnections();
  secure.close();
  await registry.close();
});
beforeEach(() => {
  registry.clear();
  Object.assign(proxy, { asked: [], authorization: [], status: 200 });
});

describe("the proxy of an address", () => {
  const proxies = (env: Record<string, string>) => proxiesIn(env);
  test.each<[string, Record<string, string>, string | undefined]>([
    ["https://a.example/x", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    ["https://a.example/x", { https_proxy: "http://small:1", HTTPS_PROXY: "http://large:1" }, "http://small:1"],
    ["https://a.example/x", { HTTP_PROXY: "http://p:1" }, undefined],
    ["http://a.example/x", { HTTP_PROXY: "p:3128" }, "http://p:3128"],
    ["http://a.example/x", { ALL_PROXY: "http://p:1" }, "http://p:1"],
    ["https://a.example/x", { HTTPS_PROXY: "" }, undefined],
    ["https://a.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "b.example" }, "http://p:1"],
    ["https://a.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "b.example, A.example" }, undefined],
    ["https://b.a.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: ".a.example" }, undefined],
    ["https://b.a.example/x", { HTTPS_PROXY: "http://p:1", no_proxy: "*.a.example" }, undefined],
    ["https://xa.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.example" }, "http://p:1"],
    ["https://a.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
    ["https://a.example:8443/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.example:8443" }, undefined],
    ["https://a.example/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.example:8443" }, "http://p:1"],
    ["https://10.3.4.5/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "10.0.0.0/8" }, undefined],
    ["https://11.3.4.5/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "10.0.0.0/8" }, "http://p:1"],
    ["https://[::1]/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: "[::1]" }, undefined],
  ])("%s with %j is %s", (url, env, expected) => {
    const found = proxyFor(new URL(url), proxies(env));
    expect(found?.origin).toBe(expected);
  });

  test("that cannot be one is told, without its password", () => {
    const settings: ProxySettings = { https: "socks5://me:secret@p:1", http: undefined, except: undefined };
    expect(() => proxyFor(new URL("https://a.example"), settings)).toThrow(
      'the proxy "socks5://p:1" is not an address',
    );
  });
});

describe("a pack behind a proxy", () => {
  const publish = () => registry.publish("1.0.0", { bytes: packed({ "sluice.yaml": denying("sudo") }) });

  test("comes through a tunnel from an https registry: npm's `https-proxy`, with name and password", async () => {
    const origin = `https://registry.test:${securePort}`;
    const tarball = `${origin}/${NAME}/-/1.0.0.tgz`;
    registry.publish("1.0.0", { bytes: packed({ "sluice.yaml": denying("sudo") }), tarball });
    const { sluice, lock } = projectFor(undefined, {
      ".npmrc": `registry=${origin}/\nhttps-proxy=${proxy.origin.replace("//", "//me:pass%20word@")}\ncafile=${CERTIFICATE}\n//registry.test:${securePort}/:_authToken=mine\n`,
    });
    expect(await sluice("add", NAME)).toMatchObject({ exit: "done" });
    expect(lock()[NAME].resolved).toBe(tarball);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT registry.test:${securePort}`]));
    expect(proxy.authorization[0]).toBe(`Basic ${Buffer.from("me:pass word").toString("base64")}`);
    expect(registry.asked.every(({ authorization }) => authorization === "Bearer mine")).toBe(true);
  });

  test("comes from an http registry by whole addresses, unless `noproxy` names it", async () => {
    publish();
    const { sluice, write } = projectFor(registry.origin, { ".npmrc": `proxy=${proxy.origin}\n` });
    expect(await sluice("add", NAME)).toMatchObject({ exit: "done" });
    expect(proxy.asked).toContain(`GET ${registry.origin}/${NAME}/-/1.0.0.tgz`);
    proxy.asked.length = 0;
    write(".npmrc", `registry=${registry.origin}/\nproxy=${proxy.origin}\nnoproxy=127.0.0.1\n`);
    expect(await sluice("add", NAME)).toMatchObject({ exit: "done" });
    expect(proxy.asked).toEqual([]);
  });

  test("that a proxy refuses is told, and changes nothing", async () => {
    proxy.status = 407;
    const { sluice } = projectFor(undefined, {
      ".npmrc": `registry=https://registry.test:${securePort}/\nhttps-proxy=${proxy.origin}\n`,
    });
    const { problem } = await sluice("add", NAME);
    expect(problem?.code).toBe("pack/registry-unreachable");
    expect(problem?.message).toContain("answered 407, it wants a name and a password");
  });

  test("does not go through a proxy that the project names", async () => {
    publish();
    const { sluice } = projectFor(registry.origin, { "project/.npmrc": `proxy=${proxy.origin}\n` });
    expect((await sluice("add", NAME)).text).toContain("a project names no proxy");
    expect(proxy.asked).toEqual([]);
  });

  test("whose certificate is of another authority is refused through a tunnel as well", async () => {
    const { sluice } = projectFor(undefined, {
      ".npmrc": `registry=https://registry.test:${securePort}/\nhttps-proxy=${proxy.origin}\n`,
    });
    const { problem } = await sluice("add", NAME);
    expect(problem?.message).toContain("its certificate is signed by itself; `cafile` in ~/.npmrc names its authority");
  });
});

test("a bundle is fetched through HTTP_PROXY, and directly where NO_PROXY names its host", async () => {
  const { key, publicKey } = keyPair();
  const host = await startHost();
  host.answer(bundleOf(denyingBundle("sudo"), { keys: [key], version: 1 }).packed);
  const { env, fetch, enforced } = machineWith(host.url, [publicKey]);
  Object.assign(env, { HTTP_PROXY: proxy.origin });
  expect(await fetch()).toBe("taken");
  expect(proxy.asked).toEqual([`GET ${host.url}`]);
  expect(enforced()).toEqual(["sudo"]);
  Object.assign(env, { NO_PROXY: "127.0.0.1" });
  expect(await fetch()).toBe("same");
  expect(proxy.asked).toHaveLength(1);
  Object.assign(env, { NO_PROXY: "", HTTP_PROXY: "http://127.0.0.1:1" });
  expect(await fetch()).toBe("bundle/unreachable");
  expect(enforced()).toEqual(["sudo"]);
  host.close();
});

test("telemetry goes through HTTP_PROXY, and a proxy that is away costs a wait", async () => {
  const taken: string[] = [];
  const collector = createServer((request, response) => {
    taken.push(request.url ?? "");
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((ready) => collector.listen(0, "127.0.0.1", ready));
  const target = `otlp+http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const { ship, add } = machineWithJournal();
  add(recordOf(1));
  const options = (env: Record<string, string>) => ({
    env,
    telemetry: undefined,
    machine: "m",
    version: "1",
    protocol: undefined,
  });
  const through = (env: Record<string, string>) =>
    ship((memory) => openTarget(target, options(env), memory), { target });
  expect((await through({ http_proxy: "http://127.0.0.1:1" })).problem).toContain("nothing listens there");
  expect((await through({ http_proxy: proxy.origin })).shipped).toBe(1);
  expect(taken).toEqual(["/v1/logs", "/v1/traces", "/v1/metrics"]);
  expect(proxy.asked[0]).toBe(`POST ${target.slice("otlp+".length)}/v1/logs`);
  collector.closeAllConnections();
  collector.close();
});
