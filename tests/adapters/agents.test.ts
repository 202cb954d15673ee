import { describe, expect, it } from "vitest";
import type { Ended } from "./agents/agent.ts";
import { AGENTS, agentNamed } from "./agents/index.ts";
import { recorded } from "./saying.ts";

const CALLS = {
  "claude-code": ["PreToolUse", recorded("claude-code")["PreToolUse.Bash"]],
  codex: ["PreToolUse", recorded("codex")["PreToolUse.Bash"]],
  "gemini-cli": ["BeforeTool", recorded("gemini-cli")["BeforeTool.run_shell_command"]],
  "qwen-code": ["PreToolUse", recorded("qwen-code")["PreToolUse.run_shell_command"]],
} as const;

/** What each of the four was seen to do; an agent that is not named was not tried. */
const SEEN: readonly (readonly [what: string, ended: (hookEvent: string) => Partial<Ended>, Seen])[] = [
  ["exit 2 with words", () => ({ exitCode: 2, stderr: "no" }), all("blocked")],
  ["exit 2 without words", () => ({ exitCode: 2 }), { ...all("ran"), "claude-code": "blocked" }],
  ["a nested deny", (hookEvent) => deny({ hookEventName: hookEvent }), { ...all("blocked"), "gemini-cli": "ran" }],
  ["a block on the top level", () => ({ stdout: '{"decision":"block","reason":"no"}' }), all("blocked")],
  [
    "a nested deny with exit 1",
    (hookEvent) => ({ ...deny({ hookEventName: hookEvent }), exitCode: 1 }),
    { "claude-code": "blocked", codex: "ran" },
  ],
  [
    "a top-level deny with exit 1",
    () => ({ stdout: '{"decision":"deny","reason":"no"}', exitCode: 1 }),
    { "gemini-cli": "blocked" },
  ],
  [
    "a deny with an unknown key",
    (hookEvent) => deny({ hookEventName: hookEvent, more: 1 }),
    { "claude-code": "blocked", codex: "ran" },
  ],
  [
    "a deny without the name of its hook event",
    () => deny({}),
    { "claude-code": "ran", codex: "ran", "qwen-code": "blocked" },
  ],
  [
    "a deny in capitals",
    (hookEvent) => deny({ hookEventName: hookEvent, permissionDecision: "DENY" }),
    { "claude-code": "ran", codex: "ran" },
  ],
  ["a line before the JSON", () => ({ stdout: 'log\n{"decision":"block","reason":"no"}\n' }), all("ran")],
  [
    "a line after the JSON",
    () => ({ stdout: '{"decision":"block","reason":"no"}\nlog\n' }),
    { "claude-code": "ran", codex: "ran" },
  ],
  [
    "JSON on several lines",
    () => ({ stdout: '{\n  "decision": "block",\n  "reason": "no"\n}\n' }),
    { "claude-code": "blocked", codex: "blocked" },
  ],
  [
    "ask",
    (hookEvent) => deny({ hookEventName: hookEvent, permissionDecision: "ask" }),
    { "claude-code": "asked", codex: "ran", "qwen-code": "asked" },
  ],
  ["exit 1", () => ({ exitCode: 1, stderr: "broke" }), all("ran")],
  ["exit 3 with words", () => ({ exitCode: 3, stderr: "broke" }), { "gemini-cli": "blocked" }],
  [
    "a hook that is not there",
    () => ({ exitCode: 127, stderr: "not found" }),
    { ...all("ran"), "gemini-cli": "blocked" },
  ],
  ["text that is no JSON", () => ({ stdout: "garbage\n" }), all("ran")],
  ["a long text that is no JSON", () => ({ stdout: "x".repeat(100_000) }), all("ran")],
  [
    "another input with allow",
    (hookEvent) => changed(hookEvent, { permissionDecision: "allow" }),
    { "claude-code": "changed", codex: "changed", "gemini-cli": "ran", "qwen-code": "ran" },
  ],
  ["another input alone", (hookEvent) => changed(hookEvent, {}), { "claude-code": "changed", codex: "ran" }],
  ["a bare allow", (hookEvent) => deny({ hookEventName: hookEvent, permissionDecision: "allow" }), { codex: "ran" }],
];

describe("the models of agents", () => {
  const rows = SEEN.flatMap(([what, ended, seen]) =>
    Object.entries(seen).map(([id, effect]) => [id, what, ended, effect] as const),
  );

  it.each(rows)("%s does what it was seen to do: %s", async (id, _what, ended, effect) => {
    const [hookEvent, payload = {}] = CALLS[id as keyof typeof CALLS];
    const does = await agentNamed(id).reads(
      { stdout: "", stderr: "", exitCode: 0, ...ended(hookEvent) },
      { hookEvent, payload },
    );
    const went = does.input === payload.tool_input ? "ran" : "changed";
    expect({ "goes on": went, "is stopped": "blocked", "asks its user": "asked" }[does.then]).toBe(effect);
  });

  it("there is one for every agent", () => {
    expect(new Set(AGENTS.map(({ id }) => id)).size).toBe(AGENTS.length);
  });
});

type Effect = "ran" | "blocked" | "asked" | "changed";
type Seen = Readonly<Partial<Record<keyof typeof CALLS, Effect>>>;

function all(effect: Effect): Required<Seen> {
  return { "claude-code": effect, codex: effect, "gemini-cli": effect, "qwen-code": effect };
}

function deny(output: object): Partial<Ended> {
  const verdict = { permissionDecision: "deny", permissionDecisionReason: "no", ...output };
  return { stdout: JSON.stringify({ hookSpecificOutput: verdict }) };
}

function changed(hookEventName: string, output: object): Partial<Ended> {
  return {
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, updatedInput: { command: "ls" }, ...output } }),
  };
}
