import { expect, test } from "vitest";
import { bytePath, bytesOf, isInside, parentOf, pathText, readPath, storedPath } from "./byte-path.ts";

test.each([
  ["plain", Buffer.from("/p/src/a.ts")],
  ["UTF-8", Buffer.from("/p/\u00fc/\u{1F600}")],
  ["no text alone", Buffer.from([0xff, 0xfe])],
  ["no text", Buffer.from([0x2f, 0x62, 0xff, 0xfe])],
])("a path of %s bytes is stored and read again as it was", (_, bytes) => {
  const path = bytePath(bytes);
  const stored = JSON.parse(JSON.stringify(storedPath(path)));
  expect(bytesOf(readPath(stored)).equals(bytes)).toBe(true);
});

test("a path that is text is stored as text", () => {
  expect(storedPath(bytePath("/p/\u00fcber"))).toBe("/p/\u00fcber");
  expect(pathText(bytePath("/p/\u00fcber"))).toBe("/p/\u00fcber");
});

test("a folder holds itself and what lies below it, and no neighbour with a longer name", () => {
  expect(["/p", "/p/a", "/pa", "/"].map((path) => isInside(path, "/p"))).toEqual([true, true, false, false]);
  expect(isInside("/a", "/")).toBe(true);
  expect([parentOf("/p/a"), parentOf("/p")]).toEqual(["/p", "/"]);
});
