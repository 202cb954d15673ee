import { describe, expect, it } from "vitest";
import { ask, EVENT, serve, serveBytes } from "./loopback.ts";

const MIB = 1024 * 1024;
/** Long enough for a busy machine, short enough to wait for. */
const SOON = { deadline: 0.3 };
const TIMEOUT = { why: "timeout", afterMs: 300 };

describe("an http hook fails as a timeout", () => {
  it("when the server accepts and says nothing", async () => {
    expect((await ask(await serveBytes(() => {}), {}, SOON)).failure).toEqual(TIMEOUT);
  });

  it("when the headers come drop by drop", async () => {
    const url = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drops = setInterval(() => socket.write("X-Drop: 1\r\n"), 20);
      socket.on("close", () => clearInterval(drops));
    });
    expect((await ask(url, {}, SOON)).failure).toEqual(TIMEOUT);
  });

  it("when the body comes drop by drop", async () => {
    const url = await serve((_, response) => {
      const drops = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drops));
    });
    expect((await ask(url, {}, SOON)).failure).toEqual(TIMEOUT);
  });

  it("when the server never reads what it is sent", async () => {
    const url = await serveBytes((socket) => socket.pause());
    const large = EVENT.withData({ tool_args: { command: "x".repeat(32 * MIB) } });
    expect((await ask(url, {}, SOON, large)).failure).toEqual(TIMEOUT);
  });
});

describe("an http hook is aborted by its caller", () => {
  it("before it begins", async () => {
    let asked = false;
    const url = await serve(() => {
      asked = true;
    });
    const ran = await ask(url, {}, { signal: AbortSignal.abort() });
    expect(ran.failure).toMatchObject({ why: "signal", aborted: true });
    expect(asked).toBe(false);
  });

  it("while it waits, and the connection goes with it", async () => {
    const caller = new AbortController();
    let gone: Promise<void> | undefined;
    const url = await serve((request) => {
      gone = new Promise((closed) => request.socket.on("close", () => closed()));
      caller.abort();
    });
    const ran = await ask(url, {}, { signal: caller.signal });
    expect(ran.failure).toMatchObject({ why: "signal", aborted: true });
    await gone;
  });
});

describe("an http hook fails with a sentence", () => {
  it.each([301, 302, 303, 307, 308])("when it is redirected with %i, and does not follow", async (status) => {
    let followed = false;
    const url = await serve((request, response) => {
      if (request.url === "/elsewhere") followed = true;
      response.writeHead(status, { location: "/elsewhere" }).end('{"action":"continue"}');
    });
    const { failure, answer } = await ask(url);
    expect(failure).toMatchObject({
      why: "exception",
      message: expect.stringContaining(`answered ${status}, a redirect`),
    });
    expect(answer).toBeUndefined();
    expect(followed).toBe(false);
  });

  it.each([199, 400, 401, 404, 429, 500, 503].filter((status) => status >= 200))(
    "when the server answers %i",
    async (status) => {
      const url = await serve((_, response) => response.writeHead(status).end('{"action":"continue"}'));
      const ran = await ask(url);
      expect(ran.failure).toEqual({ why: "exception", message: `${url} answered ${status}` });
      expect(ran.stdout).toBe('{"action":"continue"}');
    },
  );

  it.each([
    ["cuts the connection", "", "the connection was cut"],
    ["cuts the headers", "HTTP/1.1 200 OK\r\nX-", "the connection was cut"],
    ["cuts the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "the connection was cut"],
    [
      "cuts a chunked body",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
      "the connection was cut",
    ],
    ["speaks no HTTP", "220 mail.example ESMTP\r\n", "Parse Error"],
  ])("when the server %s", async (_, bytes, words) => {
    const url = await serveBytes((socket) => {
      socket.once("data", () => (bytes === "" ? socket.resetAndDestroy() : socket.end(bytes)));
    });
    const { failure, answer } = await ask(url);
    expect(failure).toMatchObject({ why: "exception", message: expect.stringContaining(words) });
    expect(answer).toBeUndefined();
  });

  it("when nothing listens", async () => {
    const { failure } = await ask("http://127.0.0.1:1/hook");
    const message = "http://127.0.0.1:1/hook did not answer: nothing listens there";
    expect(failure).toEqual({ why: "exception", message });
  });

  it("when nothing listens under either address of a name", async () => {
    const { failure } = await ask("http://localhost:1/hook");
    expect(failure).toMatchObject({ message: "http://localhost:1/hook did not answer: nothing listens there" });
  });

  it("when the answer is packed, although it was asked not to be", async () => {
    const url = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.of(0x1f, 0x8b));
    });
    expect((await ask(url)).failure).toMatchObject({ why: "exception", message: expect.stringContaining("gzip") });
  });

  it.each(["", "hook", "ftp://x/", "file:///etc/passwd", "javascript:1", "http://", "data:text/plain,x"])(
    "when its url is %j",
    async (url) => {
      const { failure } = await ask(url === "" ? " " : url);
      expect(failure).toMatchObject({ why: "exception", message: expect.stringContaining("http:// or https://") });
    },
  );
});

describe("an http hook reads no more than it must", () => {
  it("and 1 MiB is fine", async () => {
    const ran = await ask(await serve((_, response) => response.end("x".repeat(MIB))));
    expect(ran.failure).toBeUndefined();
    expect(ran.stdout).toHaveLength(MIB);
  });

  it("and everything beyond is an overflow", async () => {
    const url = await serve((_, response) => {
      const more = () => {
        while (response.write("x".repeat(64 * 1024)));
      };
      response.on("drain", more);
      more();
    });
    const ran = await ask(url);
    expect(ran.failure).toEqual({ why: "output_overflow", bytes: MIB });
    expect(ran.stdout).toHaveLength(MIB);
  });

  it.each(['{"action":"deny"', "{not json}", '{"action":"perhaps"}', '{"acton":"deny"}'])(
    "and %s cannot be read",
    async (body) => {
      const ran = await ask(await serve((_, response) => response.end(body)));
      expect(ran.failure?.why).toBe("bad_json");
      expect(ran.answer).toBeUndefined();
    },
  );
});
