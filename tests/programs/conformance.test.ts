import { describe, expect, it } from "vitest";
import { answers, denies, hooked, namesOf } from "./hooked.ts";
import { type Input, PROGRAMS } from "./programs.ts";

describe.each(Object.entries(PROGRAMS))("hooks around the tools of %s", (_, program) => {
  const { call, tool, result, failure } = program;
  const before = `tool:pre_execute:${tool}`;

  function scribe() {
    const seen: Input[] = [];
    const write = async (input: Input) => {
      seen.push(input);
      return `wrote ${input.path}`;
    };
    return { seen, write };
  }

  it("let a call through, and hear of its result", async () => {
    const { hooks, heard } = hooked([]);
    const { seen, write } = scribe();
    expect(await call(hooks, write)).toContain("wrote a.txt");
    expect(seen).toEqual([{ path: "a.txt" }]);
    expect(namesOf(heard)).toEqual(["tool:pre_execute", "tool:post_execute"]);
    expect(heard.map(({ toolName, data }) => [toolName, data.tool_args])).toEqual([
      [tool, { path: "a.txt" }],
      [tool, { path: "a.txt" }],
    ]);
    expect(heard.at(-1)?.data.tool_result).toEqual(result("wrote a.txt"));
  });

  it("deny a call, and its caller is told every reason", async () => {
    const { hooks, heard } = hooked([denies(before, "not today"), denies(before, "nor tomorrow")]);
    const { seen, write } = scribe();
    const told = await call(hooks, write);
    expect(seen).toEqual([]);
    expect(told).toContain("not today");
    expect(told).toContain("nor tomorrow");
    expect(namesOf(heard)).toEqual(["tool:pre_execute"]);
  });

  it("change the input that reaches the tool", async () => {
    const modification = { action: "modify", modified_data: { patch: { path: "safe.txt" } } };
    const { hooks, heard } = hooked([answers(before, modification)]);
    const { seen, write } = scribe();
    expect(await call(hooks, write)).toContain("wrote safe.txt");
    expect(seen).toEqual([{ path: "safe.txt" }]);
    expect(heard.at(-1)?.data.tool_args).toEqual({ path: "safe.txt" });
  });

  it("change the result that is passed on", async () => {
    const modification = { action: "modify", modified_data: { result: result("cleaned") } };
    const { hooks } = hooked([answers("tool:post_execute", modification)]);
    const told = await call(hooks, scribe().write);
    expect(told).toContain("cleaned");
    expect(told).not.toContain("wrote a.txt");
  });

  it("add what the agent should know, before and after", async () => {
    const { hooks } = hooked([
      answers(before, { context: "tabs, not spaces" }),
      answers("tool:post_execute", { action: "deny", reason: "line 3 is too long" }),
    ]);
    const told = await call(hooks, scribe().write);
    expect(told).toContain("wrote a.txt");
    expect(told).toContain("tabs, not spaces");
    expect(told).toContain("line 3 is too long");
  });

  it("hear of a tool that fails, and do not swallow its error", async () => {
    const { hooks, heard } = hooked([]);
    const told = await call(hooks, async () => {
      throw new Error("disk full");
    });
    expect(told).toContain(failure);
    expect(namesOf(heard)).toEqual(["tool:pre_execute", "tool:error"]);
    expect(heard.at(-1)?.data.error).toContain(failure);
  });

  it("deny what they would ask about when no user can be asked", async () => {
    const { hooks } = hooked([answers(before, { action: "ask", reason: "really?" })]);
    const { seen, write } = scribe();
    expect(await call(hooks, write)).toContain("really?");
    expect(seen).toEqual([]);
  });

  it.each([
    [true, [{ path: "a.txt" }]],
    [false, []],
  ])("go by the answer when somebody can be asked: %s", async (answer, runs) => {
    const { hooks } = hooked([answers(before, { action: "ask", reason: "really?" })], () => answer);
    const { seen, write } = scribe();
    await call(hooks, write);
    expect(seen).toEqual(runs);
  });

  it("keep the gate shut when a hook breaks", async () => {
    const { hooks } = hooked([{ event: before, args: ["/no/such/program"] }]);
    const { seen, write } = scribe();
    expect(await call(hooks, write)).toContain("/no/such/program");
    expect(seen).toEqual([]);
  });
});
