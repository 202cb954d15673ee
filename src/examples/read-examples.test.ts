import { describe, expect, it } from "vitest";
import { Hook } from "../hook/hook.ts";
import { readExamples } from "./read-examples.ts";

const hook = (examples: unknown) =>
  Hook.fromJSON({ name: "h", event: "tool:pre_execute", rules: 'tool exists -> deny("no")', examples });

describe("examples", () => {
  it("are read from the short form and from the long one alike", () => {
    const short = readExamples(hook({ deny: ["rm -rf /"], allow: ["ls"] })).examples;
    const long = readExamples(
      hook([
        { tool: "Bash", args: { command: "rm -rf /" }, expect: "deny", name: "deny rm -rf /" },
        { event: "PreToolUse", toolArgs: { command: "ls" }, expect: "allow" },
      ]),
    ).examples;
    expect(short.map(({ path: _, ...example }) => example)).toMatchObject([
      { name: "deny rm -rf /", expect: "deny", event: { type: "tool:pre_execute", toolName: "Bash" } },
      { name: "allow ls", expect: "continue" },
    ]);
    expect(long.map(({ name, expect: wanted }) => [name, wanted])).toEqual([
      ["deny rm -rf /", "deny"],
      ["allow ls", "continue"],
    ]);
    expect(long[1]?.event.data).toEqual({ tool_args: { command: "ls" } });
  });

  it("hold the arguments of a tool, or a whole example without `expect`", () => {
    const { examples } = readExamples(
      hook({ deny: [{ file_path: "a" }, { event: "tool:error", args: 1, reason: "x" }] }),
    );
    expect(examples.map(({ event, reason }) => [event.type, event.toolName, reason])).toEqual([
      ["tool:pre_execute", "Write", undefined],
      ["tool:error", undefined, "x"],
    ]);
  });

  it("may name their tool beside its arguments", () => {
    const { examples, problems } = readExamples(
      hook({
        deny: [{ tool: "apply_patch", input: "*** Begin Patch" }],
        allow: [{ tool: "Task", prompt: "x", name: "asks" }],
      }),
    );
    expect(problems).toEqual([]);
    expect(examples.map(({ name, event, expect: wanted }) => [name, event.toolName, event.data, wanted])).toEqual([
      ['deny {"input":"*** Begin Patch"}', "apply_patch", { tool_args: { input: "*** Begin Patch" } }, "deny"],
      ["asks", "Task", { tool_args: { prompt: "x" } }, "continue"],
    ]);
  });

  it.each([
    [7, ["examples"], "neither a list nor an object"],
    [{ denny: ["ls"] }, ["examples", "denny"], "`denny` is not a decision"],
    [{ deny: [7] }, ["examples", "deny", 0], "neither a string nor the arguments"],
    [["ls"], ["examples", 0], "it is not an object"],
    [[{ args: {} }], ["examples", 0], "it does not have `expect`"],
    [[{ args: {}, expct: "deny" }], ["examples", 0, "expct"], "a key `expct`"],
    [[{ expect: "denny" }], ["examples", 0, "expect"], '`expect` is "denny"; it has to be one of deny, ask'],
    [[{ expect: "deny", prompt: 5 }], ["examples", 0, "prompt"], "`prompt` is 5; it has to be a string"],
    [[{ expect: "deny", tol: "x" }], ["examples", 0, "tol"], "a key `tol`"],
    [[{ expect: "deny", event: "tool:pre" }], ["examples", 0], "not an event of Sluice"],
    [[{ expect: "deny", env: { A: "b" } }], ["examples", 0, "env"], "a key `env`"],
  ])("that cannot be read are told with their place: %j", (examples, path, words) => {
    const { problems } = readExamples(hook(examples));
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.message).toContain(words);
  });

  it("that expect nothing are told what they may expect", () => {
    const fixes = (example: object) => readExamples(hook([example])).problems.map(({ fix }) => fix);
    expect(fixes({ args: {} })).toEqual(["Add it; it may be deny, ask, modify, continue, allow, warn."]);
    expect(fixes({ args: {}, expct: "deny" })).toEqual(['Did you mean "expect"?']);
  });

  it("that are wrong cost no hook", () => {
    expect(hook("nonsense").toJSON()).toMatchObject({ examples: "nonsense" });
  });
});
