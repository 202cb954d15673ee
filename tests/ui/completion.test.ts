import { describe, expect, it } from "vitest";
import { completionsAt } from "../../ui/schema-words.ts";

/** What the editor of the page offers at the end of a text. */
const NAMES = {
  events: ["tool:pre_execute", "PreToolUse"],
  agents: ["codex"],
  tools: ["@shell", "Bash", "mcp__github__"],
  fields: ["call", "agent", "tool"],
  operators: ["runs", "equals"],
};

function offered(text: string): string[] {
  return completionsAt(text, text.length, NAMES).map(({ label }) => label);
}

const RULES = "hooks:\n  - name: a\n    event: tool:pre_execute\n    rules: |\n      ";

describe("the editor offers", () => {
  it.each([
    ["events", "hooks:\n  - event: ", NAMES.events],
    ["events in a list of events", "hooks:\n  - name: a\n    event: session:stop,", NAMES.events],
    ["events of a matcher", "hooks:\n  - matcher: { events: [PreToolUse, ", NAMES.events],
    ["tools and MCP servers of a matcher", "hooks:\n  - matcher:\n      tools:\n        - ", NAMES.tools],
    ["tools of a matcher in one line", "hooks:\n  - matcher: { tools: [", NAMES.tools],
    ["agents in a rule", `${RULES}agent equals "`, NAMES.agents],
    ["tools and MCP servers in a rule", `${RULES}call runs "x" and (tool in ["Bash", "`, NAMES.tools],
    ["events in a rule", `${RULES}event equals "`, NAMES.events],
    [
      "tools in a rule of a list",
      "hooks:\n  - inline_rules:\n      - { field: tool, operator: glob, value: ",
      NAMES.tools,
    ],
    ["operators after a field", `${RULES}call `, NAMES.operators],
    ["fields where a condition begins", RULES, ["call", "agent", "tool", "and", "or", "not", "count("]],
  ])("%s", (_, text, words) => {
    expect(offered(text)).toEqual(words);
  });

  it("keys where a key is written, and nothing of names inside of a text", () => {
    expect(offered("hooks:\n  - name: a\n    ")).toContain("rules");
    expect(offered(`${RULES}args.command contains "tool `)).not.toContain("runs");
  });
});
