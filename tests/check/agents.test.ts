import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { knownNames } from "../../src/check/agent-facts.ts";
import { deepProblems } from "../../src/check/check-hooks.ts";
import { defineHook, Hook } from "../../src/index.ts";

/** What `sluice check` and the editor say about rules that the agents of this machine can never meet. */

const home = mkdtempSync(join(tmpdir(), "agents-home-"));
const root = mkdtempSync(join(tmpdir(), "agents-root-"));
const line = (agent: string) => ({ hooks: [{ type: "command", command: `sluice run ${agent} || exit 2` }] });
const FILES = {
  [join(home, ".claude/settings.json")]: JSON.stringify({ hooks: { PreToolUse: [line("claude-code")] } }),
  [join(home, ".codex/hooks.json")]: JSON.stringify({ hooks: { PreToolUse: [line("codex")] } }),
  [join(home, ".codex/config.toml")]: '[mcp_servers.linear]\ncommand = "x"\n\n[mcp_servers."my db"]\ncommand = "y"\n',
  [join(home, ".claude.json")]: JSON.stringify({ projects: { [root]: { mcpServers: { sentry: {} } } } }),
  [join(root, ".mcp.json")]: '{ "mcpServers": { "github": { "command": "z" } } }',
};

beforeAll(() => {
  vi.stubEnv("HOME", home);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const folder of [home, root]) rmSync(folder, { recursive: true, force: true });
});

async function warnings(rules: string, more: object = { event: "tool:pre_execute" }) {
  const found = await deepProblems([Hook.fromJSON({ name: "h", rules, ...more })], root);
  return found.warnings.map(({ message, fix }) => `${message} ${fix}`);
}

describe("a field that an installed agent never sends", () => {
  it.each([
    ['args.content contains "x"', "Codex never sends", "content"],
    ['tool_input.content matches "x"', "Codex never sends", "content"],
    ['not args.new_string contains "x"', "Codex never sends", "content"],
    ['args.edits.*.new_string contains "x"', "Codex never sends", "content"],
    ['args.file_text contains "x"', "Claude Code and Codex never send", "content"],
    ['args.filePath ends_with ".ts"', "Claude Code and Codex never send", "path"],
    ['count(args.newString contains "x") per session gt 2', "Claude Code and Codex never send", "content"],
  ])("%s is a warning that says that %s, and the field %s for all agents", async (condition, agents, meant) => {
    const [warning, ...others] = await warnings(`${condition} -> deny("no")`);
    expect(others).toEqual([]);
    expect(warning).toContain(`which ${agents};`);
    expect(warning).toContain(`Write \`${meant}\``);
  });

  it.each([
    ['content contains "x"', {}],
    ['args.command contains "x"', {}],
    ['args.owner equals "x"', {}],
    ['tool equals "Write" and args.content contains "x"', {}],
    ['agent equals "claude-code" and args.content contains "x"', {}],
    ['args.content contains "x"', { event: "tool:pre_execute:Write" }],
    ['args.content contains "x"', { event: undefined, matcher: { events: ["PreToolUse"], tools: ["Write"] } }],
  ])("%s is none: it is sent, or meant for one agent (%o)", async (condition, more) => {
    expect(await warnings(`${condition} -> deny("no")`, { event: "tool:pre_execute", ...more })).toEqual([]);
  });
});

describe("a field of other events", () => {
  it.each(["prompt", "user_input", "perm_level", "last_assistant_message"])(
    "%s is a warning in a rule about calls",
    async (field) => {
      const [warning, ...others] = await warnings(`${field} contains "x" -> deny("no")`);
      expect(others).toEqual([]);
      expect(warning).toContain(`asks about ${field}, which no agent sends with tool:pre_execute`);
      expect(await warnings(`${field} contains "x" -> deny("no")`, { event: "*" })).toEqual([]);
      expect(await warnings(`${field} not_exists -> deny("no")`)).toEqual([]);
    },
  );
});

describe("an MCP server", () => {
  it.each([
    ['tool equals "mcp__githb__create_issue"', "githb", 'Did you mean "github"?'],
    ['tool glob "mcp__liner__*"', "liner", 'Did you mean "linear"?'],
    ['tool equals "mcp_githb_create_issue"', "githb", 'Did you mean "github"?'],
    ['tool in ["mcp__sentry__x", "mcp__jira__y"]', "jira", "There are linear, my db, "],
  ])("in %s that no agent has is a warning, with the one that was meant", async (condition, server, fix) => {
    const [warning, ...others] = await warnings(`${condition} -> ask("sure?")`);
    expect(others).toEqual([]);
    expect(warning).toContain(`the MCP server ${server}, which no agent has`);
    expect(warning).toContain(fix);
  });

  it("in the event or the matcher of a hook is looked up, too", async () => {
    const rules = 'args.x exists -> deny("no")';
    for (const more of [
      { event: "tool:pre_execute:mcp__githb__x" },
      { event: undefined, matcher: { events: ["PreToolUse"], tools: ["mcp__githb__x"] } },
    ])
      expect((await warnings(rules, more)).join()).toContain('Did you mean "github"?');
  });

  it.each([
    "mcp__github__x",
    "mcp__my_db__query",
    "mcp__sluice__x",
    "mcp_github_x",
    "mcp_other_x",
    "mcp__plugin_a_b__c",
    "mcp__*__delete",
    "Bash",
  ])("of %s is known, or in no settings", async (tool) => {
    expect(await warnings(`tool glob "${tool}" -> deny("no")`)).toEqual([]);
  });

  it("is unknown, too, where the agents that call Sluice have none at all", async () => {
    const bare = mkdtempSync(join(tmpdir(), "agents-bare-"));
    mkdirSync(join(bare, ".codex"));
    writeFileSync(join(bare, ".codex/hooks.json"), FILES[join(home, ".codex/hooks.json")] ?? "");
    const hook = Hook.fromJSON({ event: "tool:pre_execute", rules: 'tool glob "mcp__github__*" -> deny("no")' });
    vi.stubEnv("HOME", bare);
    expect((await deepProblems([hook], bare)).warnings.join()).toContain("the MCP server github");
    rmSync(join(bare, ".codex/hooks.json"));
    expect((await deepProblems([hook], bare)).warnings).toEqual([]);
    vi.stubEnv("HOME", home);
    rmSync(bare, { recursive: true });
  });

  it("is among the names that the editor and the shell complete, besides events, agents, kinds and tools", () => {
    const names = knownNames(root);
    expect(names.tools).toEqual(
      expect.arrayContaining(["@shell", "Bash", "mcp__github__", "mcp__my_db__", "mcp__sluice__"]),
    );
    expect(names.agents).toContain("codex");
    expect(names.events).toEqual(expect.arrayContaining(["PreToolUse", "tool:pre_execute:@write"]));
    expect(names.fields).toContain("path");
    expect(names.operators).toContain("not_runs");
  });
});

describe("a program", () => {
  it.each([
    ['args.content contains "x"', "Codex never sends"],
    ['tool equals "mcp__githb__x"', "the MCP server githb"],
    ['prompt contains "x"', "no agent sends with tool:pre_execute"],
  ])("sees the warning about %s in `hook.warnings`, as `sluice check` has it", async (condition, message) => {
    const spec = { name: "h", event: "tool:pre_execute", rules: `${condition} -> deny("no")` } as const;
    const { warnings: told } = await deepProblems([Hook.fromJSON(spec)], process.cwd());
    expect(told).toHaveLength(1);
    for (const hook of [Hook.fromJSON(spec), defineHook(spec)]) {
      expect(hook.warnings.map(String)).toEqual(told.map(String));
      expect(hook.warnings[0]?.message).toContain(message);
    }
  });

  it("sees no warning where there is nothing to warn about", () => {
    expect(defineHook({ event: "tool:pre_execute", rules: 'call writes "x" -> deny("no")' }).warnings).toEqual([]);
  });
});
