import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { networkProxy } from "../../src/contain/network-proxy.ts";
import { containedProject, WORKING } from "./contained-project.ts";

const site = createServer((request, response) =>
  response.end(`site ${request.method} ${request.url} ${request.headers.host}`),
);
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  ({ port } = site.address() as AddressInfo);
});
afterAll(() => void site.close());

/** What the proxy answers to raw lines, and which hosts it has refused. */
async function answerTo(hosts: readonly string[], text: string, env = {}) {
  const refused: string[] = [];
  const proxy = networkProxy({ hosts, env, refused: (host) => refused.push(host) });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const socket = connect((proxy.address() as AddressInfo).port, "127.0.0.1", () => socket.write(text));
  let out = "";
  socket.on("data", (data) => {
    out += data;
    if (out.includes("200 Connection Established") && !out.includes("site")) socket.write(GET("/inner"));
  });
  await new Promise<void>((resolve) => socket.on("close", () => resolve()));
  proxy.close();
  return { out, refused };
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
const CONNECT = (to: string) => `CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`;

describe("the proxy of a box reaches the hosts that `contain.network.hosts` lists", () => {
  it("for plain requests and for connections of any kind", async () => {
    const plain = await answerTo(["127.0.0.1"], GET(`http://127.0.0.1:${port}/a?b`));
    expect(plain.out).toContain(`site GET /a?b 127.0.0.1:${port}`);
    const tunnel = await answerTo(["127.0.0.1"], CONNECT(`127.0.0.1:${port}`));
    expect(tunnel.out).toContain("site GET /inner x");
    expect([...plain.refused, ...tunnel.refused]).toEqual([]);
  });

  it.each([
    ["another host", ["example.org"], "127.0.0.1"],
    ["a host that only begins like it", ["127.0.0.1"], "127.0.0.1.example.org"],
    ["a host that only ends like it", ["example.org"], "badexample.org"],
    ["another port", ["127.0.0.1:1"], "127.0.0.1"],
    ["the name above a pattern", ["*.example.org"], "example.org"],
  ])("and not %s", async (_, hosts, host) => {
    for (const text of [GET(`http://${host}:${port}/`), CONNECT(`${host}:${port}`)]) {
      const { out, refused } = await answerTo(hosts, `${text}`);
      expect(out).toMatch(/^HTTP\/1.1 403 Forbidden/);
      expect(out).toContain("may not reach");
      expect(refused).toEqual([host]);
    }
  });

  it("and no local service by a name of others that leads to this machine", async () => {
    const { out } = await answerTo(["*"], CONNECT(`localhost.localdomain:${port}`));
    expect(out).not.toContain("site");
    expect((await answerTo(["*"], CONNECT("not a host"))).out).not.toContain("200");
  });

  it("through the proxy of the user's own environment, if there is one", async () => {
    const env = { http_proxy: `http://127.0.0.1:${port}` };
    expect((await answerTo(["example.org"], GET("http://example.org/far"), env)).out).toContain(
      "site GET http://example.org/far example.org",
    );
  });
});

describe.skipIf(WORKING.length === 0).each(WORKING)("a program in a box made by %s", (backend) => {
  const fetched = (host: string) =>
    `python3 -c "import urllib.request as u; print(u.urlopen('http://${host}:${port}/a').read().decode())"`;

  it("reaches an allowed host by its environment, and no other one", async () => {
    const project = containedProject('contain: { mode: all, network: { hosts: ["127.0.0.1"] } }\n');
    const allowed = await project.runBeside(fetched("127.0.0.1"), backend);
    expect([allowed.code, allowed.out]).toEqual([0, `site GET /a 127.0.0.1:${port}\n`]);
    const other = await project.runBeside(fetched("127.0.0.2"), backend);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("It may not reach 127.0.0.2")]);
  });

  it("has no network where none is allowed, and says so", async () => {
    const project = containedProject("contain: all\n");
    const { code, err } = await project.runBeside(fetched("192.0.2.1"), backend);
    expect([code, err]).toEqual([1, expect.stringContaining("A contained program has no network.")]);
  });
});
