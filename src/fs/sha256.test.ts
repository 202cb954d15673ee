import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { sha256Text } from "./late-builtins.ts";
import { sha256 } from "./sha256.ts";

const native = (text: string) => createHash("sha256").update(text).digest("hex");

// The examples of FIPS 180-4, and lengths around the end of a block.
test.each(["", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "é€𝄞"])(
  "the digest of %j",
  (text) => {
    expect(sha256(text)).toBe(native(text));
  },
);

it("is that of node:crypto for every length up to three blocks", () => {
  for (let length = 0; length <= 192; length++) expect(sha256("x".repeat(length))).toBe(native("x".repeat(length)));
});

it("is that of node:crypto for every text", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => sha256(text) === native(text)));
});

it("comes from node:crypto if a text is long", () => {
  expect(sha256Text("long ".repeat(10_000))).toBe(native("long ".repeat(10_000)));
  expect(sha256Text("short")).toBe(native("short"));
});
