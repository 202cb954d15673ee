import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS, adapterNamed } from "../../src/adapters/index.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { addition, keepReadable, missing } from "../../src/install/import/addition.ts";
import type { ForeignFinding, Imported } from "../../src/install/import/foreign-hooks.ts";
import { hooksInFile, hooksOfAgent, hooksOfProject } from "../../src/install/import/sources.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { Household } from "./household.ts";

/** The hooks that an agent's file holds. */
function found(agent: string, file: string, text: unknown): readonly ForeignFinding[] {
  const house = new Household();
  house.write(file, typeof text === "string" ? text : JSON.stringify(text));
  const adapter = adapterNamed(agent);
  return adapter === undefined ? [] : hooksOfAgent(adapter, "user", house.around);
}

function specs(findings: readonly ForeignFinding[]): unknown[] {
  return findings.map((one) => (one.kind === "imported" ? one.spec : one.why));
}

const CLAUDE = ".claude/settings.json";
const COMMON = { on_error: "continue", exit_codes: "claude" };

function claude(hookEvent: string, group: object): readonly ForeignFinding[] {
  return found("claude-code", CLAUDE, { hooks: { [hookEvent]: [group] } });
}

const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });

describe("plugins of Claude Code", () => {
  const REGISTRY = ".claude/plugins/installed_plugins.json";
  const HOOKS = {
    description: "What it is for.",
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [command('"${CLAUDE_PLUGIN_ROOT}/check.sh" --quick')] }] },
  };

  /** A home with a plugin in its folder, and what its registry and the settings say. */
  function withPlugin(
    files: Readonly<Record<string, unknown>>,
    install: object = {},
    settings: object = {},
  ): Household {
    const house = new Household();
    const folder = join(house.around.home, ".claude/plugins/cache/market/guard/1.2.3");
    for (const [name, content] of Object.entries(files))
      house.write(`.claude/plugins/cache/market/guard/1.2.3/${name}`, JSON.stringify(content));
    const plugins = { "guard@market": [{ scope: "user", installPath: folder, version: "1.2.3", ...install }] };
    house.write(REGISTRY, JSON.stringify({ version: 2, plugins }));
    house.write(CLAUDE, JSON.stringify(settings));
    return house;
  }
  const hooksOf = (house: Household, scope: "user" | "project" = "user") => {
    const adapter = adapterNamed("claude-code");
    return adapter === undefined ? [] : hooksOfAgent(adapter, scope, house.around);
  };

  it("bring their hooks along, with the folder in which they find their programs", () => {
    const house = withPlugin({ "hooks/hooks.json": HOOKS });
    const [one] = hooksOf(house);
    const folder = join(house.around.home, ".claude/plugins/cache/market/guard/1.2.3");
    expect(one).toMatchObject({
      kind: "imported",
      isNeeded: true,
      notes: [expect.stringContaining("guard@market, which runs it as well while it is on")],
      spec: {
        name: "guard-PreToolUse-check.sh",
        matcher: { events: ["tool:pre_execute"], tools: ["@shell"] },
        command: '"${CLAUDE_PLUGIN_ROOT}/check.sh" --quick',
        env: { CLAUDE_PLUGIN_ROOT: folder, PLUGIN_ROOT: folder },
      },
    });
  });

  it("hold hooks in their manifest, or name files with them", () => {
    const inside = withPlugin({ ".claude-plugin/plugin.json": { name: "guard", ...HOOKS } });
    expect(specs(hooksOf(inside))).toMatchObject([{ name: "guard-PreToolUse-check.sh" }]);
    const named = withPlugin({ ".claude-plugin/plugin.json": { hooks: ["./more.json"] }, "more.json": HOOKS });
    expect(specs(hooksOf(named))).toMatchObject([{ name: "guard-PreToolUse-check.sh" }]);
  });

  it("are left out with the reason where nothing of theirs can be taken over", () => {
    const off = withPlugin({ "hooks/hooks.json": HOOKS }, {}, { enabledPlugins: { "guard@market": false } });
    expect(specs(hooksOf(off))).toEqual(["it is switched off in the agent's settings"]);
    const gone = withPlugin({ "hooks/hooks.json": HOOKS }, { installPath: "/nowhere/at/all" });
    expect(specs(hooksOf(gone))).toEqual(["its folder is gone; the agent installs it anew"]);
    const inside = withPlugin({ "hooks/hooks.json": { modules: ["./register.ts"] } });
    expect(hooksOf(inside)).toMatchObject([
      { what: "plugin guard@market: ./register.ts", why: expect.stringContaining("inside the agent") },
    ]);
    const asks = withPlugin({
      "hooks/hooks.json": { hooks: { Stop: [{ hooks: [{ type: "prompt", prompt: "done?" }] }] } },
    });
    expect(hooksOf(asks)).toMatchObject([{ kind: "left", what: "plugin guard@market: Stop: done?" }]);
  });

  it("count where they are installed", () => {
    const house = withPlugin({ "hooks/hooks.json": HOOKS }, { scope: "project", projectPath: "/elsewhere" });
    expect([hooksOf(house), hooksOf(house, "project")]).toEqual([[], []]);
    const here = withPlugin({ "hooks/hooks.json": HOOKS });
    expect(hooksOf(here, "project")).toEqual([]);
  });

  it("are read from a folder that is named", () => {
    const house = withPlugin({ "hooks/hooks.json": HOOKS });
    const folder = join(house.around.home, ".claude/plugins/cache/market/guard/1.2.3");
    for (const path of [folder, join(folder, "hooks/hooks.json")])
      expect(hooksInFile(path, house.around.root, ADAPTERS)).toMatchObject([{ kind: "imported", isNeeded: true }]);
  });
});

describe("hooks of Claude Code", () => {
  it("keep their tools by kind, their time and the meaning of their exit codes", () => {
    const [one] = specs(claude("PreToolUse", { matcher: "Bash|Edit", hooks: [command("./check.sh", { timeout: 5 })] }));
    expect(one).toEqual({
      name: "claude-code-PreToolUse-check.sh",
      matcher: { events: ["tool:pre_execute"], tools: ["@shell", "Edit"] },
      command: "./check.sh",
      timeout: 5,
      ...COMMON,
    });
  });

  const matchers: readonly (readonly [matcher: string | undefined, wanted: object])[] = [
    [undefined, { matcher: { events: ["tool:pre_execute"] } }],
    ["", { matcher: { events: ["tool:pre_execute"] } }],
    ["*", { matcher: { events: ["tool:pre_execute"] } }],
    ["mcp__memory__.*", { matcher: { events: ["tool:pre_execute"], tools: ["*mcp__memory__*"] } }],
    ["^Bash$", { matcher: { events: ["tool:pre_execute"], tools: ["@shell"] } }],
    ["^(Write|Edit)$", { matcher: { events: ["tool:pre_execute"], tools: ["@write"] } }],
    ["Edit|MultiEdit|Write|NotebookEdit", { matcher: { events: ["tool:pre_execute"], tools: ["@write"] } }],
    [
      "Read|Bash|Write|Edit|Task",
      { matcher: { events: ["tool:pre_execute"], tools: ["Read", "@shell", "@write", "Task"] } },
    ],
    ["Write", { matcher: { events: ["tool:pre_execute"], tools: ["Write"] } }],
    ["Read", { matcher: { events: ["tool:pre_execute"], tools: ["Read"] } }],
    ["WebFetch|WebSearch", { matcher: { events: ["tool:pre_execute"], tools: ["@network"] } }],
    ["mcp__.*", { matcher: { events: ["tool:pre_execute"], tools: ["@mcp"] } }],
    ["Notebook.*", { matcher: { events: ["tool:pre_execute"], tools: ["*Notebook*"] } }],
    ["^mcp__(a|b)__\\w+$", { when: { if: 'tool matches "^mcp__(a|b)__\\w+$"' } }],
  ];
  it.each(matchers)("matcher %s", (matcher, wanted) => {
    const [one] = specs(claude("PreToolUse", { matcher, hooks: [command("x")] }));
    expect(one).toMatchObject(wanted);
  });

  const rules: readonly (readonly [rule: string, wanted: object])[] = [
    ["Bash(git *)", { tools: ["@shell"], command_patterns: ["git *", "*[;&|] git *", "*[;&|]git *"] }],
    ["Bash(npm run test:*)", { command_patterns: expect.arrayContaining(["npm run test*"]) }],
    ["Edit(src/**)", { tools: ["Edit"], path_patterns: ["src/**"] }],
    ["Bash", { tools: ["@shell"] }],
  ];
  it.each(rules)("if: %s", (rule, wanted) => {
    const [one] = specs(claude("PreToolUse", { hooks: [command("x", { if: rule })] }));
    expect(one).toMatchObject({ matcher: wanted });
  });

  it("keep what they are about where no tool is at work", () => {
    const [one] = specs(claude("SessionStart", { matcher: "startup|resume", hooks: [command("x")] }));
    expect(one).toMatchObject({
      matcher: { events: ["session:start"] },
      when: { if: 'source in ["startup", "resume"]', then: { command: "x" } },
    });
  });

  it("keep words that no shell reads, and let a shell put variables in", () => {
    const hooks = [
      command("node", { args: ["a b.js", "$HOME"] }),
      command("node", { args: ["${CLAUDE_PROJECT_DIR}/h.js", "it's"] }),
    ];
    const [plain, variables] = specs(claude("Stop", { hooks }));
    expect(plain).toMatchObject({ args: ["node", "a b.js", "$HOME"] });
    expect(variables).toMatchObject({ command: "node \"${CLAUDE_PROJECT_DIR}/h.js\" 'it'\\''s'" });
  });

  it("deny when they break only where they did", () => {
    const [one] = specs(claude("PreToolUse", { hooks: [command("x", { onFailure: "block" })] }));
    expect(one).toMatchObject({ on_error: "deny" });
  });

  it("are named with the reason when they have no counterpart", () => {
    const hooks = [
      { type: "prompt", prompt: "safe? $ARGUMENTS" },
      { type: "agent", prompt: "look" },
      { type: "mcp_tool", server: "s", tool: "t" },
      { type: "http", url: "https://x", headers: { Authorization: "Bearer $TOK" }, allowedEnvVars: ["TOK"] },
      { type: "telepathy" },
    ];
    const left = claude("PreToolUse", { hooks });
    expect(left.map(({ kind }) => kind)).toEqual(Array(5).fill("left"));
    expect(specs(left).join("\n")).toMatch(
      /own model[\s\S]*agent of the agent[\s\S]*MCP server[\s\S]*TOK[\s\S]*telepathy/,
    );
    expect(specs(claude("MadeUpMoment", { hooks: [command("x")] }))).toEqual([
      "no event of Sluice's is Claude Code's MadeUpMoment",
    ]);
  });

  it("are left out when they are ours", () => {
    expect(claude("PreToolUse", { hooks: [command("/n /x/sluice.cjs run claude-code || exit 2")] })).toEqual([]);
  });

  it("are read from the file that one developer keeps, with comments in it", () => {
    const text = `// mine\n{ "hooks": { "Stop": [ { "hooks": [ ${JSON.stringify(command("say done"))}, ] } ] } }`;
    expect(specs(found("claude-code", ".claude/settings.local.json", text))).toMatchObject([{ command: "say done" }]);
  });
});

describe("hooks of other agents", () => {
  const rows: Record<string, readonly [agent: string, file: string, text: unknown, wanted: object]> = {
    "Codex, JSON": [
      "codex",
      ".codex/hooks.json",
      { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [command("./h.sh", { timeout: 600 })] }] } },
      { matcher: { events: ["tool:pre_execute"], tools: ["@shell"] }, command: "./h.sh", timeout: 600 },
    ],
    "Codex, TOML": [
      "codex",
      ".codex/config.toml",
      'model = "x"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = \'say "done"\'\ntimeout = 9\n',
      { matcher: { events: ["session:stop"] }, command: 'say "done"', timeout: 9 },
    ],
    "Gemini, milliseconds": [
      "gemini-cli",
      ".gemini/settings.json",
      {
        hooks: {
          BeforeTool: [{ matcher: "write_file|replace", hooks: [command("h", { name: "scan", timeout: 5000 })] }],
        },
      },
      { name: "scan", matcher: { events: ["tool:pre_execute"], tools: ["@write"] }, timeout: 5 },
    ],
    "Qwen, milliseconds": [
      "qwen-code",
      ".qwen/settings.json",
      { hooks: { PreToolUse: [{ matcher: "^run_shell_command$", hooks: [command("h", { timeout: 60000 })] }] } },
      { matcher: { events: ["tool:pre_execute"], tools: ["@shell"] }, timeout: 60 },
    ],
    "Cursor, a hook event for each kind of tool": [
      "cursor",
      ".cursor/hooks.json",
      { version: 1, hooks: { beforeShellExecution: [{ command: "./a.sh", matcher: "curl|wget", failClosed: true }] } },
      {
        matcher: { events: ["tool:pre_execute"], tools: ["@shell"] },
        when: { if: 'args.command matches "curl|wget"', then: { command: "./a.sh" } },
        on_error: "deny",
      },
    ],
    "Copilot, where every exit code denies": [
      "copilot",
      ".copilot/hooks/team.json",
      {
        version: 1,
        hooks: {
          preToolUse: [{ type: "command", bash: "./p.sh", powershell: "./p.ps1", timeoutSec: 15, cwd: "scripts" }],
        },
      },
      { command: "{ ./p.sh\n} || exit 2", working_dir: "scripts", timeout: 15 },
    ],
    "Droid, with a regular expression for commands": [
      "droid",
      ".factory/hooks.json",
      { PreToolUse: [{ matcher: "Execute", commandRegex: "^git ", hooks: [command("gate")] }] },
      { matcher: { tools: ["@shell"] }, when: { if: 'args.command matches "^git "', then: { command: "gate" } } },
    ],
    "Windsurf, without times": [
      "windsurf",
      ".codeium/windsurf/hooks.json",
      { hooks: { pre_run_command: [{ command: "python3 audit.py", show_output: true, working_directory: "/opt" }] } },
      {
        matcher: { events: ["tool:pre_execute"], tools: ["@shell"] },
        command: "python3 audit.py",
        working_dir: "/opt",
      },
    ],
    "Kiro, a list": [
      "kiro",
      ".kiro/hooks/lint.json",
      {
        version: "v1",
        hooks: [
          {
            name: "lint",
            trigger: "PreToolUse",
            matcher: "fs_write",
            action: command("npm run lint"),
            timeout: 20,
            enabled: false,
          },
        ],
      },
      { name: "lint", matcher: { tools: ["@write"] }, command: "npm run lint", timeout: 20, enabled: false },
    ],
  };

  it.each(Object.entries(rows))("%s", (_, [agent, file, text, wanted]) => {
    const all = found(agent, file, text);
    expect(specs(all)).toMatchObject([wanted]);
    for (const one of all) if (one.kind === "imported") Hook.fromJSON(one.spec);
  });

  it("are told by the file's place or by the hook events in it", () => {
    const house = new Household();
    house.write("copy.json", JSON.stringify({ hooks: { BeforeTool: [{ hooks: [command("h", { timeout: 2000 })] }] } }));
    expect(specs(hooksInFile(join(house.home, "copy.json"), house.root, ADAPTERS))).toMatchObject([{ timeout: 2 }]);
    house.write("other.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [command("h", { timeout: 2 })] }] } }));
    expect(specs(hooksInFile(join(house.home, "other.json"), house.root, ADAPTERS))).toMatchObject([
      { name: "claude-code-PreToolUse-h", timeout: 2 },
    ]);
  });
});

describe("git hooks and hookify rules of a project", () => {
  it("a git hook runs before the agent's own git command", () => {
    const house = new Household();
    const husky = join(house.root, ".husky");
    mkdirSync(join(husky, "_"), { recursive: true });
    for (const name of ["pre-commit", "commit-msg", "post-merge", "README"])
      writeFileSync(join(husky, name), "npm test\n");
    const all = hooksOfProject(house.root);
    expect(all.map(({ kind }) => kind)).toEqual(["left", "left", "imported"]);
    const hook = Hook.fromJSON(all.find((one): one is Imported => one.kind === "imported")?.spec ?? {});
    const says = (line: string) => hook.matches(HookEvent.toolPreExecute("Bash", { command: line }));
    expect(says("git commit -m x")).toBe(true);
    expect(says("npm test && git commit -am x")).toBe(true);
    expect(says("git status")).toBe(false);
  });

  const RULES: Record<string, readonly [text: string, wanted: object | RegExp]> = {
    "a pattern that blocks": [
      '---\nname: no-rm\nenabled: true\nevent: bash\npattern: rm\\s+-rf\naction: block\n---\n\nDo not **remove** "it".\n',
      {
        name: "hookify-no-rm",
        event: "tool:pre_execute:@shell",
        rules: 'args.command matches "(?i)rm\\s+-rf" -> deny("Do not **remove** \\"it\\".")',
      },
    ],
    "a warning": [
      "---\nname: log\nenabled: false\nevent: file\nconditions:\n  - field: file_path\n    operator: regex_match\n    pattern: \\.tsx?$\n  - field: new_text\n    operator: contains\n    pattern: console.log(\n---\nNo logging.",
      {
        enabled: false,
        event: "tool:pre_execute:@write",
        when: {
          if: expect.stringContaining('path matches "(?i)\\.tsx?$" and (args.new_string contains "console.log("'),
        },
      },
    ],
    "a transcript": [
      "---\nname: tests\nevent: stop\nconditions:\n  - {field: transcript, operator: not_contains, pattern: npm test}\naction: block\n---\nRun tests.",
      /no rule can read its field "transcript"/,
    ],
    "no head": ["just words", /does not begin with YAML/],
    "an unknown event": ["---\nname: x\nevent: moon\npattern: a\n---\nx", /"moon"/],
    "a pattern that cannot be kept": [
      "---\nname: x\nevent: bash\npattern: (a)\\1\n---\nx",
      /cannot be written as a rule/,
    ],
  };

  it.each(Object.entries(RULES))("hookify: %s", async (_, [text, wanted]) => {
    const house = new Household();
    mkdirSync(join(house.root, ".claude"));
    writeFileSync(join(house.root, ".claude/hookify.x.local.md"), text);
    const [spec] = specs(await keepReadable(hooksOfProject(house.root)));
    if (wanted instanceof RegExp) expect(spec).toMatch(wanted);
    else {
      expect(spec).toMatchObject(wanted);
      Hook.fromJSON(spec as object);
    }
  });
});

describe("an imported hook means what it meant", () => {
  async function decide(spec: object, event: HookEvent) {
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON(spec));
    return new HookExecutor({ registry }).decide(event);
  }

  it("reads the agent's own payload, stops with 2 and with nothing else", async () => {
    const house = new Household();
    const script = join(house.home, "check.cjs");
    writeFileSync(
      script,
      `#!/usr/bin/env node
const { hook_event_name, tool_input, transcript_path } = JSON.parse(require("fs").readFileSync(0, "utf8"));
if (hook_event_name !== "PreToolUse" || transcript_path !== "/t.jsonl") process.exit(1);
if (tool_input.command.includes("rm")) { console.error("no rm"); process.exit(2); }
process.exit(7);`,
    );
    chmodSync(script, 0o755);
    const [spec] = specs(claude("PreToolUse", { matcher: "Bash", hooks: [command(script)] }));
    const event = (line: string) => {
      const raw = {
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: line },
        transcript_path: "/t.jsonl",
      };
      return HookEvent.toolPreExecute("Bash", { command: line }, { raw, cwd: house.home });
    };
    const denied = await decide(spec as object, event("rm -rf x"));
    expect([denied.action, denied.reasons.join()]).toEqual(["deny", expect.stringContaining("no rm")]);
    expect((await decide(spec as object, event("ls"))).action).toBe("continue");
  });

  it("a warning of hookify reaches the model and stops nothing", async () => {
    const house = new Household();
    mkdirSync(join(house.root, ".claude"));
    const rule = '---\nname: warn\nevent: bash\npattern: chmod 777\n---\nToo *open*: it\'s "public".';
    writeFileSync(join(house.root, ".claude/hookify.warn.local.md"), rule);
    const [spec] = specs(hooksOfProject(house.root));
    const warned = await decide(
      spec as object,
      HookEvent.toolPreExecute("Bash", { command: "CHMOD 777 x" }, { cwd: house.home }),
    );
    expect([warned.action, warned.contexts]).toEqual(["continue", ['Too *open*: it\'s "public".']]);
    const quiet = await decide(
      spec as object,
      HookEvent.toolPreExecute("Bash", { command: "ls" }, { cwd: house.home }),
    );
    expect(quiet.contexts).toEqual([]);
  });

  it("says deny in Cursor's words", async () => {
    const line = `echo '{"permission":"deny","user_message":"not here"}'`;
    const [spec] = specs(
      found("cursor", ".cursor/hooks.json", { version: 1, hooks: { beforeShellExecution: [{ command: line }] } }),
    );
    const said = await decide(spec as object, HookEvent.toolPreExecute("Shell", { command: "ls" }));
    expect([said.action, said.reasons]).toEqual(["deny", ["not here"]]);
  });
});

describe("where imported hooks go", () => {
  const one: Imported = {
    kind: "imported",
    file: "x",
    notes: [],
    spec: { name: "a", matcher: { events: ["tool:pre_execute"] }, command: "x" },
  };

  it("to a new file that explains itself, or to the end of the list that is there", () => {
    const house = new Household();
    const fresh = addition("project", house.root, [one.spec], {});
    expect(fresh.path).toBe(join(house.root, ".sluice/hooks.yaml"));
    expect(fresh.after).toMatch(/^# The hooks of this project\.[\s\S]*\nhooks:\n {2}- name: a\n/);
    mkdirSync(join(house.root, ".sluice"));
    writeFileSync(fresh.path, "# mine\nhooks:\n  # first\n  - event: '*'\n    command: y # why\n");
    const more = addition("project", house.root, [one.spec], {});
    expect(more.after.startsWith("# mine\nhooks:\n  # first\n  - event: '*'\n    command: y # why\n")).toBe(true);
    expect(more.after).toContain("- name: a\n");
  });

  it("never twice; other hooks of the same name get another one", () => {
    const there = [Hook.fromJSON(one.spec)];
    expect(missing([one], there)).toEqual([]);
    expect(missing([one, one], [])).toHaveLength(1);
    const other = { ...one, spec: { ...one.spec, command: "z" } };
    expect(missing([other], there).map(({ spec }) => spec.name)).toEqual(["a-2"]);
  });
});
