import { describe, expect, it } from "vitest";
import { Hook } from "../hook/hook.ts";
import { runTests, type TestOptions } from "./run-tests.ts";
import type { Subject } from "./verdict.ts";

const RULES = 'args.command contains "push --force" -> deny("No force push.")';

function tested(specs: readonly object[], options: TestOptions = {}, subject: Partial<Subject> = {}) {
  const hooks = specs.map((spec) => Hook.fromJSON({ event: "tool:pre_execute:@shell", ...spec }));
  const whole = { root: process.cwd(), hooks, ...subject };
  return runTests({ groups: [{ subject: whole, hooks }], files: [], problems: [] }, options);
}

const statuses = ({ outcomes }: Awaited<ReturnType<typeof runTests>>) =>
  outcomes.map(({ name, status }) => `${status}: ${name}`);

describe("an example", () => {
  it("is put to its hook alone, whatever others say", async () => {
    const report = await tested([
      { name: "a", rules: RULES, examples: { deny: ["git push --force"], allow: ["ls"] } },
      { name: "b", rules: 'args.command exists -> deny("Nothing at all.")' },
    ]);
    expect(statuses(report)).toEqual(["passed: deny git push --force", "passed: allow ls"]);
    expect(report).toMatchObject({ passed: 2, failed: 0, notRun: 0, ok: true });
  });

  it("may expect a warning: the call passes, and something is said", async () => {
    const rules = 'call runs "make" -> warn("use the task runner")';
    const report = await tested([{ name: "a", rules, examples: { warn: ["make all", "ls"] } }]);
    expect(report.outcomes).toMatchObject([
      { status: "passed" },
      { status: "failed", why: "expected a warning, and there was none" },
    ]);
  });

  it("that fails says what was expected, who said otherwise, by which rule, and the next step", async () => {
    const report = await tested([{ name: "a", rules: RULES, examples: { allow: ["git push --force"] } }]);
    expect(report.ok).toBe(false);
    expect(report.outcomes[0]).toMatchObject({
      status: "failed",
      why: "expected continue, and got deny",
      got: "deny",
      saidBy: { hook: "a", rule: RULES },
      reason: "No force push.",
      next: "sluice explain 'git push --force'",
    });
  });

  it("that the hook does not even match says so", async () => {
    const examples = [{ tool: "Write", args: {}, expect: "deny" }];
    const report = await tested([{ name: "a", rules: RULES, examples }]);
    expect(report.outcomes[0]?.why).toContain("does not match tool:pre_execute with the tool Write");
  });

  it("runs a command for real, and a command that breaks proves nothing", async () => {
    const report = await tested([
      { name: "real", command: "grep -q sudo && exit 1; exit 0", examples: { deny: ["sudo ls"], allow: ["ls"] } },
      { name: "broken", command: "exit 3", exitCodes: "claude", examples: { deny: ["ls"] } },
    ]);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["passed", "passed", "failed"]);
    expect(report.outcomes[2]?.why).toContain("a broken hook proves nothing");
  });

  it("shows what a hook would say that only watches, and one whose event is over", async () => {
    const report = await tested([
      { name: "watching", mode: "monitor", rules: RULES, examples: { deny: ["git push --force"] } },
      { name: "after", event: "tool:post_execute", rules: RULES, examples: { deny: ["git push --force"] } },
    ]);
    expect(report).toMatchObject({ passed: 2, failed: 0 });
  });

  it("checks the changed input", async () => {
    const rules = 'args.command equals "npm i" -> modify(args.command, "npm ci")';
    const call = { args: { command: "npm i", cwd: "x" }, expect: "modify" };
    const examples = [
      { ...call, input: { command: "npm ci" } },
      { ...call, input: { command: "npm i" } },
    ];
    const report = await tested([{ name: "a", rules, examples }]);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["passed", "failed"]);
  });

  it("of a member is put to that member", async () => {
    const member = { rules: RULES, examples: { deny: ["git push --force"] } };
    expect(statuses(await tested([{ name: "a", all: [member] }]))).toEqual(["passed: deny git push --force"]);
  });
});

describe("a hook that is not asked", () => {
  it.each([
    ["is switched off", { enabled: false, rules: RULES }, {}],
    ["asks a language model", { prompt: "Is it ok?" }, {}],
    ["posts to a server", { url: "http://127.0.0.1:1/" }, {}],
    ["not approved yet", { command: "true" }, { whyWithheld: () => "not approved yet" }],
  ])("is named and never counted as passed: it %s", async (why, spec, subject) => {
    const report = await tested([{ name: "a", ...spec, examples: { allow: ["ls"] } }], {}, subject);
    expect(report).toMatchObject({ passed: 0, failed: 0, notRun: 1, ok: false });
    expect(report.outcomes[0]?.why).toContain(why);
  });

  it("is asked when that is wanted", async () => {
    const spec = { name: "a", url: "http://127.0.0.1:1/", examples: { allow: ["ls"] } };
    expect((await tested([spec], { isLive: true })).outcomes[0]?.why).toContain("a broken hook proves nothing");
  });
});

describe("a remedy", () => {
  it("must not be denied by any hook", async () => {
    const report = await tested([
      { name: "a", rules: RULES, remedy: ["git push --force-with-lease", "git push"] },
      {
        name: "b",
        inline_rules: [{ field: "args.command", operator: "equals", value: "x", action: "deny", remedy: "ls" }],
      },
    ]);
    expect(statuses(report)).toEqual([
      "failed: remedy git push --force-with-lease",
      "passed: remedy git push",
      "passed: remedy ls",
    ]);
    expect(report.outcomes[0]?.saidBy).toMatchObject({ hook: "a" });
  });

  it("is uncertain where a hook that matches it is not asked", async () => {
    const report = await tested([
      { name: "a", rules: RULES, remedy: "git push" },
      { name: "judge", prompt: "Is it ok?" },
    ]);
    expect(report.outcomes[0]).toMatchObject({ status: "not_run" });
    expect(report.outcomes[0]?.why).toContain('hook "judge" matches');
  });
});

describe("the rest of a report", () => {
  it("holds only what was asked for", async () => {
    const specs = ["a", "b"].map((name) => ({ name, rules: RULES, examples: { allow: [`ls ${name}`] } }));
    expect(statuses(await tested(specs, { only: "B" }))).toEqual(["passed: allow ls b"]);
  });

  it("names rules that never decided and hooks without examples", async () => {
    const rules = `${RULES}\nargs.command contains "--force-with" -> ask("Sure?")`;
    const specs = [
      { name: "a", rules, examples: { deny: ["git push --force-with-lease"] } },
      { name: "b", command: "true" },
    ];
    const { coverage } = await tested(specs, { hasCoverage: true });
    expect(coverage).toEqual({
      branches: { total: 0, unreached: [] },
      rules: {
        total: 2,
        undecided: [{ hook: "a", rule: 'args.command contains "--force-with" -> ask("Sure?")', place: undefined }],
      },
      hooks: { total: 2, withoutExamples: [{ hook: "b", place: undefined }] },
    });
  });

  it("holds examples that cannot be read, and they count against it", async () => {
    const report = await tested([{ name: "a", rules: RULES, examples: { denny: ["ls"], allow: ["ls"] } }]);
    expect(report).toMatchObject({ passed: 1, ok: false });
    expect(report.problems).toHaveLength(1);
  });
});
