import { Agent, hostedMcpTool, Runner, setTracingDisabled, shellTool, tool } from "@openai/agents-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answers, denies, hooked, namesOf } from "../../tests/programs/hooked.ts";
import { ScriptedOpenAiModel } from "../../tests/programs/scripted-openai-model.ts";
import { guardTool, guardTools } from "./openai-agents.ts";

setTracingDisabled(true);
const INPUT = z.object({ path: z.string() });
const ASK = answers("tool:pre_execute:write", { action: "ask", reason: "really?" });

describe("guarded tools of the OpenAI Agents SDK", () => {
  it.each([
    ["approves", ["a.txt"]],
    ["rejects", []],
  ])("let the run ask the program, which %s", async (answer, runs) => {
    const { agent, model, seen } = scribe([ASK], { approvals: true });
    const runner = new Runner();
    const paused = await runner.run(agent, "write it");
    expect(seen).toEqual([]);
    const [interruption] = paused.interruptions;
    expect(interruption?.name).toBe("write");
    if (answer === "approves") paused.state.approve(interruption!);
    else paused.state.reject(interruption!);
    const { finalOutput } = await runner.run(agent, paused.state);
    expect(seen).toEqual(runs);
    expect(finalOutput).toBe("done");
    expect(model.requests).toHaveLength(2);
  });

  it("ask nothing when the hooks have no question", async () => {
    const { agent, seen } = scribe([], { approvals: true });
    const { interruptions } = await new Runner().run(agent, "write it");
    expect(interruptions).toEqual([]);
    expect(seen).toEqual(["a.txt"]);
  });

  it("throw the denial of a tool whose answers have a schema", async () => {
    const { hooks } = hooked([denies("tool:pre_execute", "not today")]);
    const count = tool({
      name: "count",
      description: "",
      parameters: INPUT,
      outputSchema: z.object({ lines: z.number() }),
      execute: async () => ({ lines: 3 }),
    });
    const agent = new Agent({
      name: "counter",
      model: new ScriptedOpenAiModel("count", { path: "a.txt" }),
      tools: [guardTool(hooks, count)],
    });
    await expect(new Runner().run(agent, "count")).rejects.toThrow("not today");
  });

  it("hear of an error that the tool lets out", async () => {
    const { hooks, heard } = hooked([]);
    const failing = tool({
      name: "write",
      description: "",
      parameters: INPUT,
      errorFunction: null,
      execute: async () => {
        throw new Error("disk full");
      },
    });
    const agent = new Agent({
      name: "scribe",
      model: new ScriptedOpenAiModel("write", { path: "a.txt" }),
      tools: guardTools(hooks, [failing]),
    });
    await expect(new Runner().run(agent, "write it")).rejects.toThrow("disk full");
    expect(namesOf(heard)).toEqual(["tool:pre_execute", "tool:error"]);
  });

  it("are function tools; hosted ones pass, and others are refused aloud", () => {
    const { hooks } = hooked([]);
    const hosted = hostedMcpTool({ serverLabel: "docs", serverUrl: "https://example.com" });
    expect(guardTools(hooks, [hosted])).toEqual([hosted]);
    const shell = shellTool({ shell: { run: async () => ({ output: [] }) } });
    expect(() => guardTools(hooks, [shell])).toThrow('The tool "shell" is of type "shell"');
  });
});

function scribe(specs: readonly object[], options: { approvals: boolean }) {
  const seen: string[] = [];
  const execute = async ({ path }: { path: string }) => String(seen.push(path));
  const write = tool({ name: "write", description: "", parameters: INPUT, execute });
  const model = new ScriptedOpenAiModel("write", { path: "a.txt" });
  const agent = new Agent({ name: "scribe", model, tools: guardTools(hooked(specs).hooks, [write], options) });
  return { agent, model, seen };
}
