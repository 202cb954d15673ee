import { describe, expect, test } from "vitest";
import { Hook } from "../hook/hook.ts";
import { denyOnly, isDenyOnly } from "./deny-only.ts";

const DENY = 'args.command contains "rm" -> deny("no rm")';
const CHANGE = 'tool equals "bash" -> modify(args.command, "ls")';
const rule = (action: string) => ({ field: "tool", operator: "equals", value: "x", action, modify_field: "args.x" });

describe("what is left of a hook without approval", () => {
  test.each([
    ["a rule that denies", { rules: DENY }, { rules: DENY }],
    ["rules without those that change something", { rules: `${CHANGE}\n${DENY}` }, { rules: `\n${DENY}` }],
    [
      "the same in the other form",
      { inline_rules: ["continue", "modify", "ask", "deny", "warn"].map(rule) },
      { inline_rules: ["continue", "ask", "deny", "warn"].map(rule) },
    ],
    ["members", { all: [{ rules: `${CHANGE}\n${DENY}` }] }, { all: [{ rules: `\n${DENY}` }] }],
    ["a branch", { when: { tool: "x", then: { rules: DENY } } }, { when: { tool: "x", then: { rules: DENY } } }],
  ])("%s", (_, written, left) => {
    const hook = Hook.fromJSON({ event: "*", name: "h", ...written }, undefined, { isChecked: true });
    expect(denyOnly(hook)?.toJSON()).toMatchObject({ event: "*", name: "h", ...left });
  });

  test.each([
    ["a program", { command: "true" }],
    ["a member that runs", { all: [{ rules: DENY }, { command: "true" }] }],
    ["a prompt", { prompt: "fine?" }],
    ["an address", { url: "https://example.com" }],
    ["a module", { module: "./x.js" }],
    ["rules that only change something", { rules: CHANGE }],
    ["members that only change something", { any: [{ rules: CHANGE }, { inline_rules: [rule("modify")] }] }],
  ])("nothing of %s", (_, written) => {
    const hook = Hook.fromJSON({ event: "*", ...written });
    expect(isDenyOnly(hook)).toBe(false);
    expect(denyOnly(hook)).toBeUndefined();
  });

  test.each([
    ["an exception from its denials", { rules: `path glob "docs/**" -> continue()\n${DENY}` }],
    ["rules that only continue", { inline_rules: [rule("continue")] }],
  ])("all of %s, without approval", (_, written) => {
    const hook = Hook.fromJSON({ event: "*", name: "h", ...written }, undefined, { isChecked: true });
    expect(isDenyOnly(hook)).toBe(true);
    expect(denyOnly(hook)?.toJSON()).toMatchObject(written);
  });

  test("a hook that is switched off stays off", () => {
    const hook = new Hook({ event: "*", rules: `${CHANGE}\n${DENY}`, enabled: false });
    expect(denyOnly(hook)?.enabled).toBe(false);
  });
});
