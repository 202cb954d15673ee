import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { answer } from "../../src/decide/answer.ts";
import { project } from "../cli/sluice.ts";

const TOKEN = `ghp_${"aB3dE5gH7j".repeat(4)}`;

/** Calls of an agent, answered in this process, and the records of them. */
async function recorded(agent: string, root: string, ...payloads: readonly object[]) {
  const state = mkdtempSync(join(tmpdir(), "sluice-fields-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const env = { HOME: state, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, "config"), PATH: process.env.PATH };
  for (const payload of payloads) await answer({ text: JSON.stringify(payload), agent }, { cwd: root, env });
  const folder = join(state, "sluice/decisions");
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line));
}

const call = (cwd: string, command: string, more: object = {}) => ({
  session_id: "s",
  transcript_path: "/x.jsonl",
  cwd,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});

it("a call that no hook matches is recorded, with its project, the hash of the hooks and what was taken out of it", async () => {
  const { root } = project({ ".sluice/hooks.yaml": "hooks: []\n" });
  const [plain, secret, sub] = await recorded(
    "claude-code",
    root,
    call(root, "ls"),
    call(root, `echo ${TOKEN}`),
    call(root, "ls", { agent_id: "a", agent_type: "general-purpose" }),
  );
  expect(plain).toMatchObject({
    kind: "decision",
    agent: "claude-code",
    session_id: "s",
    project: root,
    event: "tool:pre_execute",
    tool: "Bash",
    action: "continue",
    results: [],
    event_json: { data: { tool_args: { command: "ls" } } },
  });
  expect(plain.policy).toMatch(/^[0-9a-f]{12}$/);
  expect([plain.told, plain.redacted, plain.cut, plain.parent_session]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(secret).toMatchObject({ policy: plain.policy, redacted: ["/event_json/data/tool_args/command"] });
  expect(sub.parent_session).toBe("s");
});

it("what an agent was told instead is recorded, and other hooks have another hash", async () => {
  const rules = `hooks:\n  - { name: asks, event: tool:pre_execute, rules: 'args.command contains "ls" -> ask("really?")' }\n`;
  const { root } = project({ ".sluice/hooks.yaml": rules });
  const [asked] = await recorded("codex", root, {
    ...call(root, "ls"),
    turn_id: "t",
    model: "m",
    permission_mode: "default",
  });
  expect(asked).toMatchObject({ action: "ask", told: "deny", agent: "codex" });
  const { root: other } = project({ ".sluice/hooks.yaml": rules.replace("ask(", "deny(") });
  const [denied] = await recorded("codex", other, {
    ...call(other, "ls"),
    turn_id: "t",
    model: "m",
    permission_mode: "default",
  });
  expect(denied.policy).not.toBe(asked.policy);
});

it("a denial that the agent cannot carry out is recorded as what it was, and said on standard error", async () => {
  const { root } = project({
    ".sluice/hooks.yaml": `hooks:\n  - { name: no, event: UserPromptSubmit, rules: 'prompt contains "x" -> deny("not that")' }\n`,
  });
  const prompt = { sessionId: "s", timestamp: 1, cwd: root, prompt: "x" };
  const [denied] = await recorded("copilot", root, prompt);
  expect(denied).toMatchObject({ action: "deny", told: "continue", agent: "copilot" });
  const env = { HOME: root, XDG_STATE_HOME: join(root, "state"), PATH: process.env.PATH };
  const printed = await answer({ text: JSON.stringify(prompt), agent: "copilot" }, { cwd: root, env });
  expect(printed.stderr).toMatch(
    /^Copilot CLI continues all the same: .* A hook denied it: not that \(why: sluice why /,
  );
});
