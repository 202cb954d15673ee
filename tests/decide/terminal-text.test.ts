import { expect, test } from "vitest";
import { clone } from "../trust/clone.ts";

test("what a project wrote reaches no terminal with signs that move it, through check and through an agent", () => {
  const rule = 'args.command contains "ls" -> deny("no\u001b[2J \u202eback, 👩‍💻 stays")';
  const hooks = [{ name: "a\u001b]0;t\u0007", event: "tool:pre_execute", rules: rule, descrption: "x" }];
  const made = clone();
  made.write(".sluice/hooks.json", { hooks });
  const moving = /(?![\t\n])[\p{Cc}\u202a-\u202e]/u;
  const checked = made.sluice(["check"]);
  expect(checked.out + checked.err).toContain("descrption");
  expect(checked.out + checked.err).not.toMatch(moving);
  const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const answered = made.run("claude-code", payload);
  expect(JSON.parse(answered.out).hookSpecificOutput.permissionDecisionReason).toContain("👩‍💻 stays");
  expect(JSON.stringify(JSON.parse(answered.out)) + answered.err).not.toMatch(moving);
  expect(JSON.parse(answered.out).hookSpecificOutput.permissionDecisionReason).not.toMatch(moving);
});
