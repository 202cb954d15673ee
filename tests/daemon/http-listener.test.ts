import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { CallHandler } from "../../src/server/connection.ts";
import { type HttpAddress, newAddress } from "../../src/server/http/http-address.ts";
import { type AnswerPost, MAX_BODY, openHttpListener } from "../../src/server/http/http-listener.ts";

const NO_HANDLER = {} as CallHandler;
const echo: AnswerPost = async ({ agent, hookEvent, payload }) =>
  agent === "claude-code" ? { status: 200, body: `${hookEvent} ${payload}` } : undefined;

async function freeAddress(): Promise<HttpAddress> {
  const address = await newAddress();
  if (address === undefined) throw new Error("no port is free");
  return address;
}

async function door(answer: AnswerPost = echo, headersMs?: number): Promise<HttpAddress> {
  const address = await freeAddress();
  const opened = await openHttpListener(address, NO_HANDLER, answer, headersMs === undefined ? {} : { headersMs });
  onTestFinished(() => opened.close());
  return address;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | readonly string[];
  readonly agent?: Agent;
}

interface Heard {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it came on a connection that was there already. */
  readonly isReused: boolean;
}

/** What a client hears, as the agents' own clients would. */
function ask({ port, secret }: HttpAddress, asked: Asked = {}) {
  const { path = "/hook/claude-code/PreToolUse", method = "POST", headers = {}, body = "{}", agent } = asked;
  const all = { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise<Heard>((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, method, headers: given, agent: agent ?? false },
      (response) => {
        let heard = "";
        response.setEncoding("utf8").on("data", (text) => (heard += text));
        response.on("end", () =>
          resolve({ status: response.statusCode, body: heard, headers: response.headers, isReused: sent.reusedSocket }),
        );
      },
    );
    sent.on("error", reject);
    for (const piece of [body].flat().slice(0, -1)) sent.write(piece);
    sent.end([body].flat().at(-1));
  });
}

const MIB = "x".repeat(1024 * 1024);

it.each<[number, string, Asked]>([
  [401, "no secret", { headers: { authorization: undefined } }],
  [401, "another secret", { headers: { authorization: `Bearer ${"0".repeat(64)}` } }],
  [401, "a part of the secret", { headers: { authorization: "Bearer 0" } }],
  [
    403,
    "the name of another machine, as a page would use that moved its name here",
    { headers: { host: "evil.test" } },
  ],
  [403, "the right name with another port", { headers: { host: "127.0.0.1:1" } }],
  [403, "a page of a browser", { headers: { origin: "https://evil.test" } }],
  [403, "a page of this machine", { headers: { origin: "http://localhost" } }],
  [405, "something that is read and not posted", { method: "GET" }],
  [415, "a form", { headers: { "content-type": "text/plain" } }],
  [404, "another path", { path: "/" }],
  [404, "a path that leaves its folder", { path: "/hook/../hook/claude-code/PreToolUse" }],
  [404, "an agent that is not known", { path: "/hook/nobody/PreToolUse" }],
  [413, "a body that says it is too long", { headers: { "content-length": `${MAX_BODY + 1}` }, body: "{" }],
  [413, "a body that turns out too long", { body: Array.from({ length: 18 }, () => MIB) }],
])("%i: %s", async (status, _, asked) => {
  const address = await door(({ agent }) => {
    expect(agent).toBe("nobody");
    return Promise.resolve(undefined);
  });
  // Who announces more than it sends never ends by itself.
  const heard = await ask(address, asked);
  expect(heard).toMatchObject({ status, headers: { connection: "close" } });
});

it("400: a header twice, of which another reader could take the other one", async () => {
  const { port, secret } = await door();
  const head = (...more: string[]) =>
    [
      "POST /hook/claude-code/PreToolUse HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${secret}`,
      "Content-Type: application/json",
      "Content-Length: 2",
      "Connection: close",
      ...more,
      "",
      "{}",
    ].join("\r\n");
  const heard = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket.setEncoding("utf8").on("error", reject);
      socket.on("data", (piece) => {
        resolve(String(piece).split("\r\n", 1)[0] ?? "");
        socket.destroy();
      });
    });
  expect(await heard(head())).toContain(" 200 ");
  expect(await heard(head("Host: evil.test"))).toContain(" 400 ");
  expect(await heard(head("Authorization: Bearer 0"))).toContain(" 400 ");
});

it("is called by either name of this machine, in any letters", async () => {
  const address = await door();
  for (const host of ["127.0.0.1", "localhost", "LOCALHOST"])
    expect(await ask(address, { headers: { host: `${host}:${address.port}` } })).toMatchObject({ status: 200 });
});

it("answers a hundred calls on one connection, each with its own answer", async () => {
  const address = await door();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let turn = 0; turn < 100; turn++)
    expect(await ask(address, { body: `{"n":${turn},"é":1}`, agent })).toMatchObject({
      body: `PreToolUse {"n":${turn},"é":1}`,
      isReused: turn > 0,
    });
});

/** What is heard on one connection, until there are so many bodies or it ends. */
async function heardOn({ port }: HttpAddress, pieces: readonly (string | Buffer)[], bodies: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let heard = "";
  const end = new Promise<void>((resolve) => {
    socket.setEncoding("utf8").on("data", (text) => {
      heard += text;
      if (heard.split("PreToolUse {").length > bodies) resolve();
    });
    socket.on("close", () => resolve()).on("error", () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await end;
  socket.destroy();
  return heard;
}

/** The head of a call, with these headers besides. */
function headTo({ port, secret }: HttpAddress, ...lines: readonly string[]): string {
  const given = [`host: localhost:${port}`, `authorization: Bearer ${secret}`, "content-type: application/json"];
  return `${["POST /hook/claude-code/PreToolUse HTTP/1.1", ...given, ...lines].join("\r\n")}\r\n\r\n`;
}

const BODY = '{"é":"€"}';
const LENGTH = Buffer.byteLength(BODY);

it.each<[string, (head: (...lines: string[]) => string) => readonly (string | Buffer)[], number]>([
  ["whole", (head) => [head(`content-length: ${LENGTH}`) + BODY], 1],
  ["its body after its head", (head) => [head(`content-length: ${LENGTH}`), BODY], 1],
  [
    "cut in the middle of a letter",
    (head) => {
      const bytes = Buffer.from(head(`content-length: ${LENGTH}`) + BODY);
      return [bytes.subarray(0, -4), bytes.subarray(-4, -3), bytes.subarray(-3)];
    },
    1,
  ],
  ["letter by letter at first", (head) => ["P", "OS", head(`content-length: ${LENGTH}`).slice(3), BODY], 1],
  [
    "one after the other",
    (head) => [head(`content-length: ${LENGTH}`) + BODY, head(`content-length: ${LENGTH}`) + BODY],
    2,
  ],
  ["two at once", (head) => [(head(`content-length: ${LENGTH}`) + BODY).repeat(2)], 2],
  [
    "a part of the next with the first",
    (head) => {
      const one = head(`content-length: ${LENGTH}`) + BODY;
      return [one + one.slice(0, 40), one.slice(40)];
    },
    2,
  ],
  [
    "in chunks",
    (head) => [`${head("transfer-encoding: chunked")}${LENGTH.toString(16)}\r\n${BODY}\r\n`, "0\r\n\r\n"],
    1,
  ],
  [
    "first plainly, then in chunks, then plainly",
    (head) => {
      const one = head(`content-length: ${LENGTH}`) + BODY;
      return [one, `${head("transfer-encoding: chunked")}${LENGTH.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`, one];
    },
    3,
  ],
  ["for the last time", (head) => [head(`content-length: ${LENGTH}`, "connection: close") + BODY], 1],
  ["with a question first", (head) => [head(`content-length: ${LENGTH}`, "expect: 100-continue"), BODY], 1],
])("a call is answered however it comes: %s", async (_, made, bodies) => {
  const address = await door(async (call, conversation) => {
    // The next call comes while this one is being answered.
    await new Promise((resolve) => setTimeout(resolve, 60));
    return echo(call, conversation);
  });
  const head = (...lines: string[]) => headTo(address, ...lines);
  const heard = await heardOn(address, made(head), bodies);
  expect(heard.split(`PreToolUse ${BODY}`)).toHaveLength(bodies + 1);
  expect(heard.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(bodies);
});

it("an agent that goes away while hooks run ends them, on whichever call of its connection", async () => {
  const gone: number[] = [];
  let calls = 0;
  const address = await door(async ({ payload, isThere, signal }) => {
    const turn = ++calls;
    if (turn < 3) return { status: 200, body: `PreToolUse ${payload}` };
    await new Promise((resolve) => signal().addEventListener("abort", resolve));
    gone.push(turn);
    expect(isThere()).toBe(false);
    return { status: 200, body: "" };
  });
  const one = `${headTo(address, "content-length: 2")}{}`;
  await heardOn(address, [one, one], 2);
  const socket = connect(address.port, "127.0.0.1", () => socket.write(one));
  await expect.poll(() => calls).toBe(3);
  socket.destroy();
  await expect.poll(() => gone).toEqual([3]);
});

it("a call whose body is still coming when the listener closes is answered, and the listener waits for no other", async () => {
  const address = await freeAddress();
  const opened = await openHttpListener(address, NO_HANDLER, echo);
  const body = `{"a":"${"x".repeat(300_000)}"}`;
  const head = headTo(address, `content-length: ${body.length}`);
  // Half-open: only the daemon can end it.
  const socket = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true });
  let heard = "";
  const over = new Promise((resolve) =>
    socket
      .setEncoding("utf8")
      .on("data", (text) => (heard += text))
      .on("end", resolve),
  );
  socket.write(head + body.slice(0, 1000));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = opened.close();
  socket.write(body.slice(1000));
  await over;
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*x"}$/i);
  await closed;
  socket.destroy();
});

it("a listener that closes ends idle connections", async () => {
  const address = await freeAddress();
  const opened = await openHttpListener(address, NO_HANDLER, echo);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  await ask(address, { agent });
  const [socket] = Object.values(agent.freeSockets).flat();
  const isGone = new Promise((resolve) => socket?.once("close", resolve));
  // A call that is under way is waited for, and ended after five seconds.
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
  }, 4500);
  await Promise.all([isGone, opened.close()]);
  clearTimeout(late);
  expect(isLate).toBe(false);
});

it("who says nothing, or never ends its first line, is shown out", async () => {
  const { port } = await door(echo, 1000);
  const isShownOut = async (said: string) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(said));
    const drip = setInterval(() => socket.writable && said !== "" && socket.write("x"), 500);
    socket.on("error", () => {});
    await new Promise((resolve) => socket.resume().on("close", resolve));
    clearInterval(drip);
  };
  await Promise.all(["", "POST /hook/claude-code/PreToolUse HTTP/1.1\r\nHost: 127"].map(isShownOut));
});

it("a port that another program has is taken over as soon as it is free", async () => {
  const stranger = createServer();
  const address = await freeAddress();
  await new Promise<void>((resolve) => stranger.listen(address.port, "127.0.0.1", resolve));
  let told = 0;
  const opened = await openHttpListener(address, NO_HANDLER, echo, { onPortTaken: () => told++ });
  onTestFinished(() => opened.close());
  expect(told).toBe(1);
  await new Promise((resolve) => stranger.close(resolve));
  await expect.poll(() => ask(address).catch(() => undefined)).toMatchObject({ status: 200 });
});

it("a listener that closes answers the calls under way, and takes no new one", async () => {
  let go: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const address = await freeAddress();
  const opened = await openHttpListener(address, NO_HANDLER, async () => {
    await gone;
    return { status: 200, body: "late" };
  });
  const inside = ask(address);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = opened.close();
  await expect(ask(address)).rejects.toThrow("ECONNREFUSED");
  go();
  expect((await inside).body).toBe("late");
  await closed;
});
