import { expect, test } from "vitest";
import { type AboutRoots, aboutRoots, ROOTS_QUESTION } from "./server.ts";

const line = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });
const told = (...uris: unknown[]) => line({ id: "sluice-roots", result: { roots: uris.map((uri) => ({ uri })) } });

test.each<[line: string, about: AboutRoots | undefined]>([
  [line({ id: 0, method: "initialize", params: { capabilities: { roots: {} } } }), { kind: "can answer" }],
  [line({ id: 0, method: "initialize", params: { capabilities: {} } }), undefined],
  [line({ id: 0, method: "initialize" }), undefined],
  [line({ method: "notifications/initialized" }), { kind: "ask now" }],
  [line({ method: "notifications/roots/list_changed" }), { kind: "ask now" }],
  [told("file:///a/b%20c", "https://example.com", 7, "file://%"), { kind: "told", folders: ["/a/b c"] }],
  [told(), { kind: "told", folders: [] }],
  [line({ id: "sluice-roots", error: { code: -32601, message: "no" } }), undefined],
  [line({ id: 3, result: { roots: [{ uri: "file:///a" }] } }), undefined],
  [line({ id: 4, method: "tools/call", params: { name: "initialize" } }), undefined],
  ['"initialize"', undefined],
  ['{"initialize"', undefined],
])("%s", (text, about) => {
  expect(aboutRoots(text)).toEqual(about);
});

test("the question is a request of the protocol", () => {
  expect(JSON.parse(ROOTS_QUESTION)).toMatchObject({ jsonrpc: "2.0", method: "roots/list" });
});
