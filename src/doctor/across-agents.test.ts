import { describe, expect, it } from "vitest";
import { adapterNamed } from "../adapters/index.ts";
import { Hook } from "../hook/hook.ts";
import { acrossAgents } from "./across-agents.ts";

/** The hooks that are named as never called when this agent is the only one. */
function uncalledIn(agent: string, ...events: string[]): string[] {
  const adapter = adapterNamed(agent);
  if (adapter === undefined) throw new Error(`there is no agent ${agent}`);
  const hooks = events.map((event) => Hook.fromJSON({ name: event, event, command: "true" }));
  return acrossAgents([adapter], [adapter], hooks).flatMap(({ state, what }) =>
    state === "wrong" ? [/hook "([^"]+)"/.exec(what)?.[1] ?? what] : [],
  );
}

describe("hooks that can never be called", () => {
  it.each(["claude-code", "codex", "gemini-cli", "cursor", "copilot", "qwen-code", "kiro", "auggie"])(
    "do not include those on events that are derived from the calls of %s",
    (agent) => {
      expect(uncalledIn(agent, "memory:update", "MemoryUpdate")).toEqual([]);
    },
  );

  it.each(["claude-code", "gemini-cli", "cursor", "copilot", "qwen-code", "kiro", "auggie"])(
    "do not include those on failed tools where %s tells of them, whichever hook event brings it",
    (agent) => {
      expect(uncalledIn(agent, "tool:error", "session:error")).toEqual([]);
    },
  );

  it("are named, with the agents that never send their event", () => {
    expect(uncalledIn("claude-code", "llm:stream_start", "tool:pre_execute", "file:changed")).toEqual([
      "llm:stream_start",
      "file:changed",
    ]);
  });

  it.each([
    ["claude-code", "tool:pre_execute:bash", "names the tool bash, but Claude Code calls its shell Bash"],
    ["gemini-cli", "PreToolUse:Bash,PostToolUse:Bash", "but Gemini CLI calls its shell run_shell_command"],
    ["opencode", "tool:pre_execute:bash", undefined],
    ["claude-code", "tool:pre_execute:@shell", undefined],
    ["claude-code", "tool:pre_execute:bash,session:start", "names the tool bash"],
    ["claude-code", "tool:pre_execute:bash,tool:pre_execute:Bash", undefined],
    ["claude-code", "tool:pre_execute:b*", undefined],
    ["claude-code", "tool:pre_execute:my_tool", undefined],
    ["claude-code", "*", undefined],
  ])("include those that name the shell of another agent than %s: %s", (agent, event, words) => {
    const adapter = adapterNamed(agent);
    const found = acrossAgents(adapter ? [adapter] : [], [], [Hook.fromJSON({ name: "h", event, command: "true" })]);
    expect(found).toEqual(
      words === undefined ? [] : [expect.objectContaining({ state: "note", what: expect.stringContaining(words) })],
    );
  });

  it("leave nothing to say where every hook is called", () => {
    const adapter = adapterNamed("claude-code");
    const hooks = [Hook.fromJSON({ event: "session:error:Bash", command: "true" })];
    expect(acrossAgents(adapter ? [adapter] : [], adapter ? [adapter] : [], hooks)).toEqual([
      { state: "fine", what: "every hook is called by Claude Code" },
    ]);
  });
});
