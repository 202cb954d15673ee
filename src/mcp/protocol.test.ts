import { expect, test } from "vitest";
import { answerLine } from "./protocol.ts";
import { mcpHandler, takesBatches } from "./server.ts";
import type { McpClient } from "./tools.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

async function said(message: unknown, isBatchTaken = true) {
  const line = typeof message === "string" ? message : JSON.stringify(message);
  const answer = await answerLine(line, (method) => ({ method }), isBatchTaken);
  return answer === undefined ? undefined : JSON.parse(answer);
}

test.each([[{ foo: 1 }], [[]], [5], [null], ['"text"'], ["true"], [{}], [{ method: 7 }], [{ ...PING, id: null }]])(
  "%j is JSON and no message, which is said without an id",
  async (message) => {
    expect(await said(message)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  },
);

test.each([
  ["{", null, -32700],
  [{ id: 3 }, 3, -32600],
])("%j is refused with its id, where it has one", async (message, id, code) => {
  expect(await said(message)).toMatchObject({ id, error: { code } });
});

test.each([
  [{ jsonrpc: "2.0", method: "notifications/initialized" }],
  [{ jsonrpc: "2.0", id: "sluice-roots", result: {} }],
  [{ jsonrpc: "2.0", id: 4, result: null }],
  [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }],
])("%j asks nothing and is not answered", async (message) => {
  expect(await said(message)).toBeUndefined();
});

test("a list is answered with a list, each message for itself", async () => {
  const answer = await said([PING, { jsonrpc: "2.0", method: "told" }, 5]);
  expect(answer).toMatchObject([
    { id: 1, result: { method: "ping" } },
    { id: null, error: { code: -32600 } },
  ]);
  expect(await said([{ jsonrpc: "2.0", method: "told" }])).toBeUndefined();
});

test.each([
  ["2024-11-05", true],
  ["2025-03-26", true],
  ["2025-06-18", false],
  ["2025-11-25", false],
  ["2099-01-01", false],
])("a client that asks for %s may send lists: %j", async (protocolVersion, isTaken) => {
  const client: McpClient = {};
  mcpHandler({ root: import.meta.dirname, version: "1", client })("initialize", { protocolVersion });
  expect(takesBatches(client)).toBe(isTaken);
  const answer = await said([PING], takesBatches(client));
  expect(answer).toMatchObject(isTaken ? [{ id: 1, result: {} }] : { id: null, error: { code: -32600 } });
});
