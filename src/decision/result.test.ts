import { describe, expect, it } from "vitest";
import { withRemedy } from "./result.ts";

describe("a reason with a remedy", () => {
  it.each([
    ["Too dangerous.", ["git stash"], "Too dangerous. Do instead: git stash"],
    ["Too dangerous", ["git stash"], "Too dangerous. Do instead: git stash"],
    ["Too dangerous.", ["git stash", "ls"], "Too dangerous. Do instead: git stash, or ls"],
    ["Use git stash.", ["git stash"], "Use git stash."],
    [undefined, ["git stash"], "Do instead: git stash"],
    ["Too dangerous.", [], "Too dangerous."],
    [undefined, [], undefined],
  ])("%j and %j read %j", (reason, remedies, text) => {
    expect(withRemedy(reason, remedies)).toBe(text);
  });
});
