import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { runInline } from "./inline.ts";

const context = { deadline: 10, workingDir: undefined, signal: undefined, depth: 1 };
const event = HookEvent.toolPreExecute("bash", { command: "rm -rf /" });

/** A hook as a file gives it: a program that makes one with a wrong rule gets an exception instead. */
function inline(spec: object): Hook {
  return Hook.fromJSON({ event: "tool:pre_execute", type: "inline", ...spec }, undefined, { isChecked: true });
}

const deny = { field: "args.command", operator: "contains", value: "rm -rf", action: "deny", reason: "no" };

test("a run of rules is an answer without a process", async () => {
  expect(await runInline(inline({ inline_rules: [deny] }), event, context)).toEqual({
    answer: { action: "deny", reason: "no" },
    exitCode: null,
    stdout: "",
    stderr: "",
  });
});

test("inline_rules come before rules", async () => {
  const hook = inline({ inline_rules: [{ ...deny, value: "rm" }], rules: 'tool exists -> ask("second")' });
  expect((await runInline(hook, event, context)).answer).toMatchObject({ action: "deny" });
  const other = HookEvent.toolPreExecute("bash", { command: "ls" });
  expect((await runInline(hook, other, context)).answer).toMatchObject({ action: "ask", reason: "second" });
});

describe("a hook with a rule that cannot be used has failed, and its other rules still deny", () => {
  const rows: [spec: object, message: RegExp, action?: string][] = [
    [{ inline_rules: [deny, { ...deny, operator: "has" }] }, /Rule 2: "has" is not an operator/, "deny"],
    [
      {
        inline_rules: [
          { ...deny, value: "mkfs" },
          { ...deny, operator: "has" },
        ],
      },
      /Rule 2: "has" is not an operator/,
    ],
    [{ inline_rules: [{ ...deny, operator: "matches", value: "(?=x)" }] }, /Rule 1: .*looks ahead.*not_matches/s],
    [{ rules: 'tool exists -> deny()\nargs.command contans "x" -> deny()' }, /line 2, column 14.*contains/s, "deny"],
    [{ rules: 'tool matches "(" -> deny()' }, /Rules, line 1: The regular expression "\(" has a/],
  ];
  test.each(rows)("%j", async (spec, message, action) => {
    const hook = inline(spec);
    for (let times = 0; times < 2; times++) {
      const { answer, failure, exitCode } = await runInline(hook, event, context);
      expect(answer?.action).toBe(action);
      expect(exitCode).toBeNull();
      expect(failure).toEqual({ why: "exception", isUncompiled: true, message: expect.stringMatching(message) });
    }
  });
});

test("an event that breaks when it is looked at is a failure of that run", async () => {
  const trap = {
    get command() {
      throw new Error("not today");
    },
  };
  const { failure } = await runInline(
    inline({ inline_rules: [deny] }),
    HookEvent.toolPreExecute("bash", trap),
    context,
  );
  expect(failure).toEqual({ why: "exception", message: "not today" });
});

test("a change that the event does not allow is a failure of that run", async () => {
  const hook = inline({ rules: 'tool exists -> modify(result.text, "x")' });
  const { failure } = await runInline(hook, event, context);
  expect(failure).toMatchObject({ why: "exception", message: expect.stringContaining("only args can be changed") });
});

test("regular expressions end at the hook's deadline", async () => {
  const hook = inline({ rules: 'args.command matches "nothing" -> deny()\ntool exists -> deny()' });
  expect((await runInline(hook, event, { ...context, deadline: -1 })).failure).toEqual({
    why: "timeout",
    afterMs: -1000,
  });
});

test("rules are compiled once per hook", async () => {
  const hook = inline({ inline_rules: [deny] });
  const [first, second] = [await runInline(hook, event, context), await runInline(hook, event, context)];
  expect(first.answer).toBe(second.answer);
});
