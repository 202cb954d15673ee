import { spawn } from "node:child_process";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, serve } from "./loopback.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("the headers of an http hook", () => {
  it("are filled in from the environment, as often as a name is written", async () => {
    vi.stubEnv("HOOK_KEY", "k-123").stubEnv("HOOK_TEAM", "red $& {x}");
    const headers = await sent({
      Authorization: "Bearer ${HOOK_KEY}",
      "X-Both": "${HOOK_TEAM}/${HOOK_KEY}",
      "X-Plain": "$HOME",
    });
    expect(headers).toMatchObject({ authorization: "Bearer k-123", "x-both": "red $& {x}/k-123", "x-plain": "$HOME" });
  });

  it("carry nothing of the environment that the hook does not write", async () => {
    vi.stubEnv("OTHER_API_KEY", "never-sent-1");
    const headers = await sent({ Authorization: "Bearer x" });
    expect(JSON.stringify(headers)).not.toContain("never-sent-1");
  });

  it("cannot say what describes the body", async () => {
    const headers = await sent({ "Content-Length": "1", "content-type": "text/plain", "Transfer-Encoding": "chunked" });
    expect(headers["content-type"]).toBe("application/json");
    expect(Number(headers["content-length"])).toBeGreaterThan(100);
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it.each([undefined, ""])("stop the request when a variable is %j, and name it", async (value) => {
    vi.stubEnv("HOOK_UNSET", value);
    let asked = false;
    const url = await serve(() => {
      asked = true;
    });
    const { failure } = await ask(url, { headers: { Authorization: "Bearer ${HOOK_UNSET}" } });
    const message = 'header "Authorization" needs the variable HOOK_UNSET, which is not set';
    expect(failure).toEqual({ why: "exception", message });
    expect(asked).toBe(false);
  });

  it.each([
    ["a line break", { Authorization: "Bearer ${HOOK_BROKEN}" }],
    ["no header's name", { "X Y": "1" }],
  ])("never carry %s, and the message does not repeat the value", async (_, headers) => {
    vi.stubEnv("HOOK_BROKEN", "sec\r\nX-Smuggled: 1");
    const { failure } = await ask("http://127.0.0.1:1/", { headers });
    expect(failure).toMatchObject({ message: expect.stringContaining("not allowed in headers") });
    expect(JSON.stringify(failure)).not.toContain("Smuggled");
  });
});

describe("a credential in the address", () => {
  it("is used and never told", async () => {
    let seen: string | undefined;
    const url = new URL(
      await serve((request, response) => {
        seen = request.headers.authorization;
        response.writeHead(403).end();
      }),
    );
    url.username = "me";
    url.password = "pa55word";
    url.search = "?key=s3cret";
    const { failure } = await ask(url.href);
    expect(seen).toBe(`Basic ${Buffer.from("me:pa55word").toString("base64")}`);
    expect(failure).toMatchObject({ message: expect.stringContaining("answered 403") });
    expect(JSON.stringify(failure)).not.toMatch(/pa55word|s3cret/);
  });
});

describe("a program that ran an http hook", () => {
  it("ends at once, although the server would keep the connection", async () => {
    const server = createServer((_, response) => response.writeHead(200, { connection: "keep-alive" }).end("ok"));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const { port } = server.address() as AddressInfo;
      const program = await bundled(`
        import { runHttp } from "./http.ts";
        import { Hook } from "../hook/hook.ts";
        import { HookEvent } from "../event/event.ts";
        const hook = new Hook({ event: "*", url: "http://127.0.0.1:${port}/" });
        const ran = await runHttp(hook, HookEvent.sessionStart("s"), { deadline: 60, depth: 1 });
        process.stdout.write(ran.stdout);`);
      const child = spawn(process.execPath, ["--input-type=module"], { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end(program);
      child.stdout.setEncoding("utf8").on("data", (text) => expect(text).toBe("ok"));
      const code = await new Promise((ended) => child.on("exit", ended));
      expect(code).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

async function sent(headers: Readonly<Record<string, string>>): Promise<IncomingHttpHeaders> {
  let seen: IncomingHttpHeaders = {};
  const url = await serve((request, response) => {
    seen = request.headers;
    response.end();
  });
  expect((await ask(url, { headers })).failure).toBeUndefined();
  return seen;
}

async function bundled(contents: string): Promise<string> {
  const resolveDir = new URL("../../src/runners", import.meta.url).pathname;
  const stdin = { contents, resolveDir, loader: "ts" } as const;
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", platform: "node" });
  return outputFiles[0]?.text ?? "";
}
