import { describe, expect, it } from "vitest";
import { Hook } from "../hook/hook.ts";
import { overruled, withRemedy } from "./result.ts";

describe("a reason with a remedy", () => {
  it.each([
    ["Too dangerous.", ["git stash"], "Too dangerous. Do instead: git stash"],
    ["Too dangerous", ["git stash"], "Too dangerous. Do instead: git stash"],
    ["Too dangerous.", ["git stash", "ls"], "Too dangerous. Do instead: git stash, or ls"],
    ["Use git stash.", ["git stash"], "Use git stash."],
    [undefined, ["git stash"], "Do instead: git stash"],
    ["Too dangerous.", [], "Too dangerous."],
    [undefined, [], undefined],
    [" Too dangerous! \n", ["git stash"], "Too dangerous! Do instead: git stash"],
    ["  ", ["git stash"], "Do instead: git stash"],
  ])("%j and %j read %j", (reason, remedies, text) => {
    expect(withRemedy(reason, remedies)).toBe(text);
  });
});

describe("the same run with another verdict", () => {
  const hook = Hook.fromJSON({ event: "*", command: "true" });
  const ran = { success: true, timedOut: false, exitCode: 0, stdout: "out", stderr: "", duration: 0, durationMs: 0 };
  const first = { hook, ...ran, action: "continue", shouldContinue: true, code: "STALE_WRITE" } as const;

  it.each([
    ["deny", "HOOK_ERROR", "HOOK_ERROR", false],
    ["ask", "HOOK_ERROR", "HOOK_ERROR", true],
    ["deny", undefined, "STALE_WRITE", false],
  ] as const)("%s with the code %s", (action, code, becomes, shouldContinue) => {
    expect(overruled(first, action, "why", code)).toEqual({
      ...first,
      action,
      reason: "why",
      code: becomes,
      shouldContinue,
    });
  });
});
