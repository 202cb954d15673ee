import { describe, expect, it } from "vitest";
import { Hook } from "../../src/hook/hook.ts";
import { HookExecutor, HookRegistry } from "../../src/index.ts";
import { ask, bodyOf, EVENT, serve, serveBytes } from "./loopback.ts";

describe("an http hook", () => {
  it("posts the event as JSON, as a command hook reads it", async () => {
    let seen: unknown;
    let how: unknown;
    const url = await serve(async (request, response) => {
      how = [request.method, request.url, request.headers["content-type"]];
      seen = JSON.parse(await bodyOf(request));
      response.end();
    });
    await ask(url);
    expect(seen).toEqual(JSON.parse(EVENT.toText()));
    expect(how).toEqual(["POST", "/hook", "application/json"]);
  });

  it.each([
    ["a denial", '{"action":"deny","reason":"no"}', { action: "deny", reason: "no" }],
    ["a change", '{"action":"modify","modified_data":{"patch":{"command":"ls"}}}', { action: "modify" }],
    ["Claude's shape", '{"decision":"block","reason":"later"}', { action: "deny", reason: "later" }],
    ["a byte order mark and blanks", '\uFEFF \n{"action":"ask"} \n', { action: "ask" }],
    ["a message", "fine by me", { action: "continue" }],
    ["nothing", "", { action: "continue" }],
  ])("reads %s", async (_, body, answer) => {
    const ran = await ask(await serve((_, response) => response.end(body)));
    expect(ran.failure).toBeUndefined();
    expect(ran.answer).toMatchObject(answer);
    expect(ran).toMatchObject({ stdout: body, exitCode: null });
  });

  it.each([
    ["by its type", "text/html; charset=utf-8", "Please sign in"],
    ["by its text", "text/plain", "<!doctype html><title>502</title>"],
  ])("takes a page of HTML for a failure, %s", async (_, type, body) => {
    const url = await serve((_, response) => response.writeHead(200, { "content-type": type }).end(body));
    const ran = await ask(url);
    expect(ran.failure).toMatchObject({ why: "bad_json", message: expect.stringContaining("answered with a page") });
  });

  it("continues on 204", async () => {
    const ran = await ask(await serve((_, response) => response.writeHead(204).end()));
    expect(ran).toMatchObject({ answer: { action: "continue" }, stdout: "" });
  });

  it("puts a letter together that came in two chunks", async () => {
    const bytes = Buffer.from('{"action":"deny","reason":"für 🦦"}');
    const url = await serve(async (_, response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect((await ask(url)).answer?.reason).toBe("für 🦦");
  });

  it("hears a server that answers before it has read everything", async () => {
    const large = EVENT.withData({ tool_args: { command: "x".repeat(8 * 1024 * 1024) } });
    const url = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"action":"deny"}');
      socket.resume();
    });
    expect((await ask(url, {}, {}, large)).answer?.action).toBe("deny");
  });

  it("decides like any other hook, and its failure continues unless it says otherwise", async () => {
    const denying = await serve((_, response) => response.end('{"action":"deny","reason":"not today"}'));
    const broken = await serve((_, response) => response.writeHead(500).end());
    const decide = async (...specs: object[]) => {
      const registry = new HookRegistry();
      for (const spec of specs) registry.register(new Hook({ event: "tool:pre_execute", ...spec }));
      return new HookExecutor({ registry }).decide(EVENT);
    };
    expect(await decide({ url: denying })).toMatchObject({ action: "deny", reasons: ["not today"] });
    const passed = await decide({ url: broken });
    expect(passed.action).toBe("continue");
    expect(passed.results[0]).toMatchObject({ success: false, failure: { why: "exception" } });
    expect(await decide({ url: broken, on_error: "deny" })).toMatchObject({ action: "deny" });
  });
});
