import { describe, expect, test } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

const WORDS = ["tool:pre_execute", "tool:post_execute", "session:start", "PreToolUse"];

describe("a word is compared with what it could have been", () => {
  const rows: [word: string, meant: string | undefined][] = [
    ["tool:pre_exec", "tool:pre_execute"],
    ["tool:pre-execute", "tool:pre_execute"],
    ["TOOL PRE EXECUTE", "tool:pre_execute"],
    ["pretooluse", "PreToolUse"],
    ["PerToolUse", "PreToolUse"],
    ["sesion:start", "session:start"],
    ["banana", undefined],
    ["", undefined],
    ["x".repeat(10_000), undefined],
  ];
  test.each(rows)("%s means %s", (word, meant) => {
    expect(nearest(word, WORDS)).toBe(meant);
  });

  test("the first of two equally near words wins", () => {
    expect(nearest("cat", ["bat", "hat"])).toBe("bat");
  });

  test("a caller can allow fewer edits", () => {
    expect(nearest("permissionDecison", ["permissionDecision"], 1)).toBe("permissionDecision");
    expect(nearest("prmissionDecison", ["permissionDecision"], 1)).toBeUndefined();
  });
});

test("a suggestion is a question, and silence when nothing is near", () => {
  expect(didYouMean("sesion:start", WORDS)).toBe('Did you mean "session:start"?');
  expect(didYouMean("banana", WORDS)).toBe("");
});
