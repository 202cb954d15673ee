import { expect, it } from "vitest";
import { systemWords } from "./system-words.ts";

it.each([
  [
    Object.assign(new Error("EACCES: permission denied, open '/a/b.draft'"), { code: "EACCES" }),
    "its permissions forbid it",
  ],
  [Object.assign(new Error("EROFS"), { code: "EROFS" }), "the disk is read-only"],
  [new Error("something else"), undefined],
  ["no error at all", undefined],
])("what a system refuses is said in words: %s", (error, words) => {
  expect(systemWords(error)).toBe(words);
});
