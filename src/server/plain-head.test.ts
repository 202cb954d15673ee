import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { headLike, plainHead } from "./plain-head.ts";

const PLAIN = [
  "POST /hook/claude-code/PreToolUse HTTP/1.1",
  "Host: 127.0.0.1:20000",
  "Content-Type: application/json",
  "content-length: 2",
];

function headOf(lines: readonly string[], body = "{}") {
  return plainHead(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"));
}

it("reads the head of a call: its path, its headers by their small names, where its body begins and how long it is", () => {
  const head = headOf([...PLAIN, "X-Padded:   two words \t".trimEnd(), "Connection: Keep-Alive"]);
  expect(head).toEqual({
    method: "POST",
    path: "/hook/claude-code/PreToolUse",
    headers: {
      host: "127.0.0.1:20000",
      "content-type": "application/json",
      "x-padded": "two words",
      connection: "Keep-Alive",
    },
    around: [
      [...PLAIN.slice(0, -1), "content-length: "].join("\r\n"),
      "\r\nX-Padded:   two words\r\nConnection: Keep-Alive\r\n\r\n",
    ],
    size: 167,
    length: 2,
  });
});

it.each<[string, readonly string[]]>([
  ["another method", ["GET / HTTP/1.1", ...PLAIN.slice(1)]],
  ["an older version", ["POST / HTTP/1.0", ...PLAIN.slice(1)]],
  ["a path with blanks", ["POST /a b HTTP/1.1", ...PLAIN.slice(1)]],
  ["no length", PLAIN.slice(0, -1)],
  ["a length that is no count", [...PLAIN.slice(0, -1), "content-length: 2e1"]],
  ["a length that is signed", [...PLAIN.slice(0, -1), "content-length: +2"]],
  ["a length that is more than anybody may send", [...PLAIN.slice(0, -1), "content-length: 16777217"]],
  ["two lengths", [...PLAIN, "Content-Length: 3"]],
  ["two lengths in one", [...PLAIN.slice(0, -1), "content-length: 2, 2"]],
  ["a header that is there twice", [...PLAIN, "host: evil.test"]],
  ["a body in pieces", [...PLAIN, "Transfer-Encoding: chunked"]],
  ["a question before the body", [...PLAIN, "Expect: 100-continue"]],
  ["another protocol", [...PLAIN, "Upgrade: websocket"]],
  ["a connection that is to be closed", [...PLAIN, "Connection: close"]],
  ["a folded line", [...PLAIN, "x-one: a", " b"]],
  ["a blank before the colon", [...PLAIN, "x-one : a"]],
  ["a line without a name", [...PLAIN, ": a"]],
  ["a line without a colon", [...PLAIN, "x-one"]],
  ["a sign that cannot be seen", [...PLAIN, "x-one: a\u0001"]],
  ["letters of other alphabets", [...PLAIN, "x-one: é"]],
])("%s is left to node", (_, lines) => {
  expect(headOf(lines)).toBeUndefined();
});

it.each([
  "POST / HT",
  `${PLAIN.join("\r\n")}\r\n`,
  PLAIN.join("\n"),
  "",
  "\r\n\r\n",
  `${PLAIN[0]}\r\nx: ${"a".repeat(9000)}`,
])("a head that is not all there is left to node: %j", (text) => {
  expect(plainHead(Buffer.from(text))).toBeUndefined();
});

const AGAIN = [...PLAIN, "x-last: 1"];

it.each<[string, string, string]>([
  ["the same length", "content-length: 2", "{}"],
  ["another length", "content-length: 16777216", "{"],
  ["no body", "content-length: 0", ""],
])("a head that is like the last one, with %s, is read as it would be for the first time", (_, line, body) => {
  const last = headOf(AGAIN);
  const bytes = Buffer.from(`${[...PLAIN.slice(0, -1), line, "x-last: 1"].join("\r\n")}\r\n\r\n${body}`);
  const again = last && headLike(last, bytes);
  expect(again).toEqual(plainHead(bytes));
  expect(again).toBeDefined();
});

it.each<[string, string]>([
  ["another path", AGAIN.join("\r\n").replace("PreToolUse", "PostToolUse")],
  ["another value before its length", AGAIN.join("\r\n").replace("20000", "20001")],
  ["another value behind its length", AGAIN.join("\r\n").replace("x-last: 1", "x-last: 2")],
  ["another header", [...AGAIN, "x-more: 1"].join("\r\n")],
  ["one header less", PLAIN.join("\r\n")],
  ["no length", AGAIN.join("\r\n").replace(": 2", ": ")],
  ["a length that is no count", AGAIN.join("\r\n").replace(": 2", ": 2e1")],
  ["a length that is too long to be one", AGAIN.join("\r\n").replace("h: 2", "h: 000000002")],
  ["a length that is more than anybody may send", AGAIN.join("\r\n").replace("h: 2", "h: 16777217")],
  ["a value that ends earlier", AGAIN.join("\r\n").slice(0, -1)],
])("a head with %s is not like the last one", (_, text) => {
  const last = headOf(AGAIN);
  expect(last && headLike(last, Buffer.from(`${text}\r\n\r\n{}`))).toBeUndefined();
});

it("whatever is read here, node reads the same", { timeout: 60_000 }, async () => {
  let heard:
    | { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }
    | undefined;
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    let body = "";
    request.setEncoding("latin1").on("data", (text) => (body += text));
    request.on("end", () => {
      heard = { method: request.method, url: request.url, headers: request.headers, body };
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const line = fc.constantFrom(
    ...PLAIN,
    "content-length: 0",
    "content-length:3",
    "Content-Length : 2",
    "connection: close",
    "transfer-encoding: chunked",
    "x-a:  b  ",
    "x_b: c",
    "X-A: d",
    "x-c:",
    "x-d: \te",
    "POST / HTTP/1.1",
    "",
  );
  const request = fc.tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r"));
  let read = 0;
  await fc.assert(
    fc.asyncProperty(request, async ([lines, sign]) => {
      const bytes = Buffer.from(`${[PLAIN[0], ...lines].join(sign)}${sign}${sign}{}{}`, "latin1");
      const head = plainHead(bytes);
      if (head === undefined || head.size + head.length > bytes.length) return;
      read++;
      heard = undefined;
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes.subarray(0, head.size + head.length)));
        socket
          .once("data", () => socket.destroy())
          .on("close", () => resolve())
          .on("error", () => resolve());
        socket.setTimeout(1000, () => socket.destroy());
      });
      expect(heard).toMatchObject({ method: head.method, url: head.path, headers: { ...head.headers } });
      expect((heard as { body: string } | undefined)?.body).toBe(
        bytes.toString("latin1", head.size, head.size + head.length),
      );
    }),
    { numRuns: 1500, examples: [[[PLAIN.slice(1), "\r\n"]]] },
  );
  expect(read).toBeGreaterThan(10);
});
