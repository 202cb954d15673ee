import { describe, expect, test } from "vitest";
import type { Failure } from "../decision/failure.ts";
import type { Action } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { PASSED, type Ran } from "../runners/runner.ts";
import { failureAction, judge, passedAtOnce } from "./judge.ts";

const event = HookEvent.toolPreExecute("bash", {});
const short = (more: object = {}) => Hook.fromJSON({ name: "guard", event: "*", command: "true", ...more });
const long = (more: object = {}) => Hook.fromJSON({ name: "guard", matcher: {}, command: "true", ...more });
const ran = (more: Partial<Ran>): Ran => ({ exitCode: 0, stdout: "", stderr: "", ...more });

describe("exit codes are opinions by policy, and failures elsewhere", () => {
  const rows: [shape: string, hook: Hook, exitCode: number, action: Action, failed: boolean][] = [
    ["event", short(), 0, "continue", false],
    ["event", short(), 1, "deny", false],
    ["event", short(), 2, "deny", false],
    ["event", short(), 77, "deny", false],
    ["matcher", long(), 0, "continue", false],
    ["matcher", long(), 1, "deny", false],
    ["matcher", long(), 2, "continue", true],
    ["matcher, onError deny", long({ onError: "deny" }), 2, "deny", true],
    ["matcher, onError ask", long({ onError: "ask" }), 3, "ask", true],
    ["claude", short({ exitCodes: "claude" }), 2, "deny", false],
    ["claude", short({ exitCodes: "claude" }), 1, "deny", true],
    ["claude, onError continue", short({ exitCodes: "claude", onError: "continue" }), 1, "continue", true],
    ["matcher, any", long({ exitCodes: "any" }), 9, "deny", false],
  ];
  test.each(rows)("%s, %o, exit %i: %s", (_shape, hook, exitCode, action, failed) => {
    const result = judge(hook, event, ran({ exitCode }), 1500);
    expect(result).toMatchObject({
      hook,
      action,
      exitCode,
      shouldContinue: action !== "deny",
      success: exitCode === 0,
      timedOut: false,
      duration: 1.5,
      durationMs: 1500,
    });
    expect(result.failure).toEqual(failed ? { why: "exited", exitCode } : undefined);
    expect(result.error).toBe(failed ? `exited with code ${exitCode}` : undefined);
  });
});

describe("one function says what a broken hook means", () => {
  const failures: Failure[] = [
    { why: "timeout", afterMs: 1000 },
    { why: "signal", signal: "SIGSEGV" },
    { why: "not_found", program: "x" },
    { why: "not_executable", program: "x" },
    { why: "spawn_error", message: "x" },
    { why: "output_overflow", bytes: 1 },
    { why: "bad_json", message: "x", got: "{" },
    { why: "exception", message: "x" },
    { why: "exited", exitCode: 3 },
  ];
  const rows = failures.flatMap((failure) =>
    (["deny", "ask", "continue"] as const).map((onError) => [failure.why, onError, failure] as const),
  );
  test.each(rows)("%s under onError %s", (why, onError, failure) => {
    const hook = short({ onError, exitCodes: "claude" });
    const result = judge(hook, event, ran({ failure, exitCode: null }), 1);
    expect(failureAction(hook, failure).action).toBe(onError);
    expect(result).toMatchObject({ action: onError, success: false, failure, timedOut: why === "timeout" });
    expect(result.reason).toBe(`hook "guard" ${result.error}`);
    expect(result.error).not.toBe("");
  });

  test("an aborted hook leaves the gate shut, whatever onError says", () => {
    const failure = { why: "signal", signal: "SIGTERM", aborted: true } as const;
    expect(failureAction(short({ onError: "continue" }), failure).action).toBe("deny");
  });

  test("a shell that could not run its command denies as a failure under any policy of the short shape", () => {
    const failure = { why: "not_found", program: "x" } as const;
    expect(judge(short(), event, ran({ failure, exitCode: 127 }), 1)).toMatchObject({ action: "deny", failure });
    expect(judge(long(), event, ran({ failure, exitCode: 127 }), 1)).toMatchObject({ action: "continue", failure });
    const ofShell = ran({ failure, exitCode: 127, stderr: "sh: 1: x: not found" });
    for (const onError of ["deny", "ask", "continue"] as const) {
      expect(judge(short({ onError }), event, ofShell, 1)).toMatchObject({ action: onError });
      expect(judge(short({ onError }), event, ran({ failure, exitCode: 127 }), 1)).toMatchObject({ action: "deny" });
    }
  });
});

const LOST = { why: "not_found", program: "x" } as const;

describe("a denial is told in the hook's own words", () => {
  const rows: [hook: Hook, said: Partial<Ran>, reason: string][] = [
    [short(), { stdout: "Blocked: sudo\n" }, "Blocked: sudo"],
    [short(), { stderr: "on stderr\n" }, "on stderr"],
    [short(), { stdout: "out", stderr: "err" }, "out"],
    [short({ exitCodes: "claude" }), { exitCode: 2, stdout: "out", stderr: "err" }, "err"],
    [short(), { stdout: '{"reason":"inside"}' }, "inside"],
    [short(), {}, 'hook "guard" exited with code 1'],
    [short(), { stdout: '{"action":"deny"}' }, 'hook "guard" exited with code 1'],
    [short(), { exitCode: 77 }, 'hook "guard" exited with code 77'],
    [short(), { exitCode: 127, failure: LOST }, 'hook "guard" could not find x'],
    [short(), { exitCode: 127, failure: LOST, stderr: "sh: x" }, 'hook "guard" could not find x: sh: x'],
    [short(), { stdout: '{"error":"disk full"}' }, '{"error":"disk full"}'],
  ];
  test.each(rows)("%o, %j: %s", (hook, said, reason) => {
    expect(judge(hook, event, ran({ exitCode: 1, ...said }), 1)).toMatchObject({ action: "deny", reason });
  });
});

describe("an answer", () => {
  test("is carried as it is", () => {
    const answer = {
      action: "modify",
      reason: "r",
      context: "c",
      modifiedData: { args: {} },
      code: "HOOK_ERROR",
    } as const;
    expect(judge(short(), event, ran({ answer }), 1)).toMatchObject(answer);
  });

  test("that allows continues, and approves", () => {
    const result = judge(short(), event, ran({ answer: { action: "allow", reason: "mine" } }), 1);
    expect(result).toMatchObject({ action: "continue", approves: true, reason: "mine" });
  });

  test("that continues approves nothing", () => {
    expect(judge(short(), event, ran({ answer: { action: "continue" } }), 1).approves).toBeUndefined();
  });

  test.each([
    ["session:start", "hello"],
    ["user:prompt_submit", "hello"],
    ["tool:pre_execute", undefined],
    ["tool:post_execute", undefined],
  ] as const)("of plain text at %s is context: %s", (type, context) => {
    const said = ran({ stdout: " hello\n", answer: { action: "continue" } });
    expect(judge(short(), new HookEvent({ type }), said, 1).context).toBe(context);
  });
});

describe("monitor mode records what would have happened and lets it pass", () => {
  const rows: [would: Action, said: Partial<Ran>][] = [
    ["deny", { exitCode: 1, stdout: "no" }],
    ["deny", { exitCode: null, failure: { why: "timeout", afterMs: 1 } }],
    ["ask", { answer: { action: "ask", context: "c" } }],
    ["modify", { answer: { action: "modify", modifiedData: { args: {} } } }],
    ["continue", { answer: { action: "allow" } }],
  ];
  test.each(rows)("%s", (would, said) => {
    const result = judge(short({ mode: "monitor" }), event, ran(said), 1);
    expect(result).toMatchObject({ action: "continue", shouldContinue: true, wouldBe: would });
    for (const key of ["approves", "context", "modifiedData"]) expect(result).not.toHaveProperty(key);
  });
});

test("notes are kept, and absent when there are none", () => {
  expect(judge(short(), event, ran({ notes: ["2 bytes of stdout were dropped"] }), 1).notes).toHaveLength(1);
  expect(judge(short(), event, ran({ notes: [] }), 1)).not.toHaveProperty("notes");
});

describe("a hook with a remedy", () => {
  const remedy = { remedy: "git stash" };
  test.each([
    [short(remedy), ran({ exitCode: 1, stdout: "No." }), "No. Do instead: git stash"],
    [short(remedy), ran({ answer: { action: "ask", reason: "Sure?" } }), "Sure? Do instead: git stash"],
    [short(remedy), ran({ answer: { action: "continue", reason: "Fine." } }), "Fine."],
    [long({ ...remedy, onError: "deny" }), ran({ exitCode: 2 }), 'hook "guard" exited with code 2'],
  ])("says it with what it denies and asks, never with a failure (%#)", (hook, facts, reason) => {
    expect(judge(hook, event, facts, 1).reason).toBe(reason);
  });
});

describe("a run without an exit code", () => {
  test.each(["any", "claude", "amplifier"])("is no denial and no failure by that alone: %s", (exitCodes) => {
    const hook = short({ exitCodes, onError: "deny" });
    expect(judge(hook, event, ran({ exitCode: null }), 1)).toMatchObject({ action: "continue", success: true });
    expect(judge(hook, event, ran({ exitCode: null }), 1).failure).toBe(undefined);
  });

  test.each(["deny", "ask", "continue"])("that broke means what the hook says about errors: %s", (onError) => {
    const hook = short({ exitCodes: "any", onError });
    const failure = { why: "timeout", afterMs: 1000 } as const;
    expect(judge(hook, event, ran({ exitCode: null, failure }), 1).action).toBe(onError);
  });
});

test("what a hook could say before it broke counts", () => {
  const failure = { why: "signal", signal: "SIGKILL" } as const;
  const said = ran({ exitCode: null, failure, answer: { action: "deny", reason: "no" } });
  expect(judge(short({ onError: "continue" }), event, said, 1)).toMatchObject({
    action: "deny",
    reason: "no",
    failure,
  });
});

test.each(["", " \n", '{"action":"continue"}'])("no words for the agent are in %j", (stdout) => {
  const result = judge(short(), HookEvent.sessionStart("s"), ran({ stdout }), 1);
  expect(result.context).toBe(undefined);
});

test("a hook that looked and has nothing to say passes, also where it only watches", () => {
  expect(judge(short(), event, PASSED, 1500)).toEqual({
    hook: expect.any(Hook),
    action: "continue",
    success: true,
    shouldContinue: true,
    timedOut: false,
    exitCode: null,
    stdout: "",
    stderr: "",
    duration: 1.5,
    durationMs: 1500,
  });
  expect(judge(short({ mode: "monitor" }), event, PASSED, 1)).toMatchObject({
    action: "continue",
    wouldBe: "continue",
  });
});

test("a hook that passes without a run of its own has one result for all calls; a monitor tells each time", () => {
  const [hook, monitor] = [short(), short({ mode: "monitor" })];
  expect(passedAtOnce(hook, event)).toEqual(judge(hook, event, PASSED, 0));
  expect(passedAtOnce(hook, event)).toBe(passedAtOnce(hook, event));
  expect(passedAtOnce(short(), event)).not.toBe(passedAtOnce(hook, event));
  expect(passedAtOnce(monitor, event)).toEqual(judge(monitor, event, PASSED, 0));
  expect(passedAtOnce(monitor, event)).not.toBe(passedAtOnce(monitor, event));
});
