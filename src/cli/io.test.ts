import { expect, it } from "vitest";
import { systemErrorPlace, systemErrorText } from "./io.ts";

it.each([
  [
    Object.assign(new Error("EACCES: permission denied, open '/a/b.draft'"), { code: "EACCES" }),
    "its permissions forbid it",
  ],
  [Object.assign(new Error("EROFS"), { code: "EROFS" }), "the disk is read-only"],
  [new Error("something else"), undefined],
  ["no error at all", undefined],
])("what a system refuses is said in words: %s", (error, words) => {
  expect(systemErrorText(error)).toBe(words);
});

it.each([
  [{ path: "/a/b", syscall: "mkdir" }, "/a/b"],
  [{ syscall: "read" }, "Standard input"],
  [{ syscall: "write" }, "Standard output"],
  [{}, undefined],
])("and where: %j", (facts, place) => {
  expect(systemErrorPlace(Object.assign(new Error("EIO"), facts))).toBe(place);
});
