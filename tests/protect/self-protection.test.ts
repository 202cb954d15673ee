import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentFiles } from "../../src/policies/protect/places.ts";
import { household } from "./household.ts";
import { protectedProject } from "./project.ts";

const { call, bash, put, root, home } = protectedProject();

put(".sluice/hooks/pre-bash.sh", "#!/bin/sh\n");
put("scripts/guard.sh", "#!/bin/sh\nexit 0\n");
chmodSync(join(root, "scripts/guard.sh"), 0o755);
put(
  ".sluice/hooks.yaml",
  "hooks:\n  - { name: guard, event: 'tool:pre_execute:NeverCalled', command: ./scripts/guard.sh }\n",
);
put(".claude/settings.json", "{}");
put("src/a.ts", "export {};\n");
put("~/.claude/settings.json", "{}");
put("~/.local/state/sluice/trust/x.json", "{}");
put("evil.yaml", "hooks: []\n");
put("../neighbour/.sluice/hooks.yaml", "hooks: []\n");

const TARGETS = [
  "N14 .sluice/hooks.yaml",
  "N15 .sluice/hooks.local.yaml",
  "N15 .sluice/hooks.json",
  "N15 .opencode/hooks.json",
  "N15 .src/forge/hooks.json",
  "N15 packages/a/.sluice/hooks.yaml",
  "N15 ../neighbour/.sluice/hooks.yaml",
  "N15 ~/.config/sluice/hooks.yaml",
  "N15 ~/.config/forge/hooks.json",
  "N21 .sluice/hooks/pre-bash.sh",
  "N21 scripts/guard.sh",
  "N22 node_modules/sluice/dist/sluice.cjs",
  `N22 node_modules/sluice-client-${process.platform}-${process.arch}/client`,
  "N25 .claude/settings.json",
  "N25 .claude/settings.local.json",
  "N25 ~/.claude/settings.json",
  "T9 ~/.local/state/sluice/trust/x.json",
  "T9 ~/.local/state/sluice/decisions/2026-01-01.jsonl",
  "T9 ~/.cache/sluice/x",
  "T9 .orchestration/active_intents.yaml",
  "T9 .orchestration/agent_trace.jsonl",
].map((row) => row.split(" ") as [string, string]);

const whole = (path: string) => path.replace(/^~/, home);

const WAYS: Readonly<Record<string, (path: string) => ReturnType<typeof call>>> = {
  Bash: (path) => bash(`echo x > ${path}`),
  Write: (path) => call("Write", { file_path: whole(path), content: "x" }),
  apply_patch: (path) =>
    call("apply_patch", {
      input: `*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Update File: ${whole(path)}\n@@\n-a\n+b\n*** End Patch`,
    }),
  MCP: (path) => call("mcp__files__put", { location: whole(path), data: "x" }),
};

describe("no agent changes what its hooks are made of", () => {
  it.each(TARGETS.flatMap(([kind, path]) => Object.keys(WAYS).map((way) => [kind, path, way] as const)))(
    "%s %s by %s",
    (_, path, way) => {
      expect(WAYS[way]?.(path)).toMatchObject({
        action: "deny",
        reason: expect.stringContaining("Sluice protects itself"),
      });
    },
  );
});

describe("the settings of every agent are protected in both scopes, also where there are none yet", () => {
  const files = [
    ...agentFiles("project").map((file) => join(root, file)),
    ...agentFiles("user").map((file) => join(home, file)),
  ];
  it("there are more than twenty of them", () => {
    expect(files.length).toBeGreaterThan(20);
  });
  it.each(files.map((file) => [file.replace(home, "~"), file]))("%s", (_, file) => {
    expect(call("Edit", { file_path: file, old_string: "a", new_string: "b" }).action).toBe("deny");
  });
});

describe("attacks by the shell", () => {
  it.each([
    ["N14 in place", "sed -i s/deny/continue/ .sluice/hooks.yaml"],
    ["N14 tee", "echo x | tee -a .sluice/hooks.yaml"],
    ["N14 through dots", "echo x > src/../.sluice/hooks.yaml"],
    ["N14 after cd", "cd .sluice && echo x > hooks.yaml"],
    ["N14 quoted in pieces", 'echo x > .slu"ice/ho"oks.yaml'],
    ["N14 by a variable", "d=.sluice; echo x > $d/hooks.yaml"],
    ["N14 by an unknown variable", 'echo x > "$(pwd)/.sluice/hooks.yaml"'],
    ["N14 copied over", "cp evil.yaml .sluice/hooks.yaml"],
    ["N14 copied into", "cp evil.yaml .sluice"],
    ["N14 dd", "dd if=evil.yaml of=.sluice/hooks.yaml"],
    ["N14 in a nested shell", "bash -c 'echo x > .sluice/hooks.yaml'"],
    ["N14 by python", "python3 -c \"open('.sluice/hooks.yaml','w').write('')\""],
    ["N14 by python with joined names", "python3 -c \"import os;open(os.path.join('.claude','settings.json'),'w')\""],
    ["N14 by node", "node -e \"require('fs').writeFileSync('.claude/settings.json','{}')\""],
    ["N14 by a heredoc", "python3 - <<'E'\nimport pathlib\npathlib.Path('.sluice/hooks.yaml').write_text('')\nE"],
    ["N15 a folder of its own deeper down", "mkdir src/.sluice"],
    ["N15 a folder of settings copied in", "cp -r /tmp/evil .gemini"],
    ["N16 moved away", "mv .sluice .sluice.old"],
    ["N16 the folder of settings moved away", "mv .claude /tmp/"],
    ["N16 removed", "rm -rf .sluice"],
    ["N16 removed with everything", "rm -rf ."],
    ["N16 removed with the project", "cd .. && rm -rf project"],
    ["N16 removed by a pattern", "rm -rf .s*"],
    ["N21 the script of a hook removed with all that is not hidden", "rm -rf *"],
    ["N16 removed by find", "find . -name hooks.yaml -delete"],
    ["N17 not executable any more", "chmod -x .sluice/hooks/pre-bash.sh"],
    ["N17 the script of a hook not executable", "chmod 644 scripts/guard.sh"],
    ["N18 locked", "chmod 000 .sluice/hooks.yaml"],
    ["N18 locked with its folder", "chmod 000 .claude"],
    ["N18 made immutable", "chattr +i .claude/settings.json"],
    ["N18 all locked", "chmod -R a-x ."],
    ["N19 a second name", "ln .sluice/hooks.yaml alias.yaml"],
    ["N20 a link in its place", "ln -sfn /tmp/evil .sluice"],
    ["N20 a link in place of settings that are not there", "ln -s /tmp/evil .gemini"],
    ["N27 another home", "HOME=/tmp/x claude -p hi"],
    ["N27 another home for all", "export HOME=/tmp/x; claude -p hi"],
    ["N27 other settings", "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi"],
    ["N27 other settings of another agent", "env CODEX_HOME=/tmp/x codex exec hi"],
    ["N27 no environment", "env -i claude -p hi"],
    ["N28 bare", "claude --bare -p hi"],
    ["N28 safe mode", "claude -p hi --safe-mode"],
    ["N28 permissions skipped", "claude --dangerously-skip-permissions -p hi"],
    ["N28 hooks off by settings", "claude --settings '{\"disableAllHooks\": true}' -p hi"],
    ["N28 trust of hooks bypassed", "codex exec --dangerously-bypass-hook-trust hi"],
    ["N28 other hooks for one run", "codex exec -c hooks='[]' hi"],
    ["N28 hooks turned off for one run", "codex exec -c 'features.hooks = false' 'do it'"],
    ["N28 hooks turned off in settings", `claude -p hi --settings '{ "disableAllHooks": true }'`],
    ["N28 other hooks of one hook event for one run", "codex --config=hooks.PreToolUse=[] exec hi"],
    ["N28 through npx", "npx -y claude --bare -p hi"],
    ["N30 other code loaded", "NODE_OPTIONS='--require ./evil.js' claude -p hi"],
    ["N28 by the file behind the name", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare"],
    ["N29 other programs in front", "PATH=/tmp/evil:$PATH claude -p hi"],
    ["N30 a library in front", "LD_PRELOAD=./evil.so sluice run"],
    ["N31 ended by name", "pkill -f sluice"],
    ["N31 ended by what is found", "kill -9 $(pgrep -f sluice)"],
    ["N31 ended through a pipe", "pgrep sluice | xargs kill"],
    ["N31 stopped", "systemctl --user stop sluice"],
    ["N31 uninstalled as a package", "npm uninstall -g sluice"],
    ["N31 its program removed", "rm $(which sluice)"],
    ["N17 its program not executable", 'chmod -x "$(command -v sluice)"'],
    ["N16 removed by a list", "ls .sluice/* | xargs rm"],
    ["approving itself", "sluice trust --yes"],
    ["bringing hooks in", "sluice import e.json --yes"],
    ["adding hooks", "sluice templates add log_all"],
    ["beginning anew", "sluice init --yes"],
    ["ending the engine", "sluice serve --stop"],
    ["widening its own scope behind an option", "sluice intents --root . scope add INT-002 'src/db/**'"],
    ["approving itself through npx", "npx sluice trust --yes"],
    ["approving itself through node", "node node_modules/sluice/dist/sluice.cjs trust --yes"],
    ["uninstalling", "sluice uninstall --yes"],
    ["pausing at a made-up terminal", "script -qec 'sluice pause 10m' /dev/null"],
    ["allowing once", "sluice allow-once abc123"],
    ["records removed", "rm -rf ~/.local/state/sluice"],
    ["approvals replaced", "cp evil.yaml ~/.local/state/sluice/trust/x.json"],
  ])("%s: %s", (_, command) => {
    expect(bash(command)).toMatchObject({ action: "deny", reason: expect.stringContaining("Sluice protects itself") });
  });
});

describe("other names of the same file", () => {
  it("symlink: a link to the configuration is followed", () => {
    symlinkSync(join(root, ".sluice"), join(root, "elsewhere"));
    expect(call("Write", { file_path: "elsewhere/hooks.yaml", content: "" }).action).toBe("deny");
    expect(bash("echo x > elsewhere/hooks.yaml").action).toBe("deny");
  });

  it("symlink: settings that are a link are protected where they lie", () => {
    put("~/dotfiles/qwen.json", "{}");
    mkdirSync(join(home, ".qwen"));
    symlinkSync(join(home, "dotfiles/qwen.json"), join(home, ".qwen/settings.json"));
    expect(call("Write", { file_path: join(home, "dotfiles/qwen.json"), content: "{}" }).action).toBe("deny");
  });

  it("symlink: dots behind a link go up from where it leads", () => {
    mkdirSync(join(root, "a/b"), { recursive: true });
    symlinkSync(join(root, ".sluice/hooks"), join(root, "a/b/link"));
    expect(call("mcp__files__put", { where: `${root}/a/b/link/../hooks.yaml`, data: "" }).action).toBe("deny");
  });

  it("a tool whose name begins like reading and goes on like writing, and the file that a reading tool keeps its result in", () => {
    expect(call("mcp__files__search_and_replace", { file: ".sluice/hooks.yaml", with: "x" }).action).toBe("deny");
    expect(call("mcp__web__fetch", { url: "https://example.com", output_path: ".sluice/hooks.yaml" }).action).toBe(
      "deny",
    );
    expect(call("mcp__files__open_file", { path: ".sluice/hooks.yaml" }).action).toBe("continue");
  });

  it("hard link: a second name of the configuration is the configuration", () => {
    linkSync(join(root, ".claude/settings.json"), join(root, "second.json"));
    expect(call("Write", { file_path: "second.json", content: "" }).action).toBe("deny");
    expect(bash("echo x > second.json").action).toBe("deny");
  });
});

describe("git", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, stdio: "pipe" });

  it("N23 N24: what would swap or remove the configuration is denied, everything else passes", () => {
    git("init", "-q", "-b", "main");
    put(".gitignore", "*.local.yaml\n");
    git("add", ".gitignore", "src");
    git("commit", "-qm", "one");
    expect(bash("git clean -fd").action).toBe("deny");
    expect(bash("git stash -u").action).toBe("deny");
    expect(bash("git stash").action).toBe("continue");
    git("add", ".sluice", ".claude", "scripts");
    git("commit", "-qm", "two");
    git("branch", "other");
    git("branch", "bare-of-hooks", "HEAD~1");
    expect(bash("git checkout other").action).toBe("continue");
    expect(bash("git checkout bare-of-hooks").action).toBe("deny");
    expect(bash("git switch bare-of-hooks").action).toBe("deny");
    expect(bash("git reset --hard HEAD~1").action).toBe("deny");
    expect(bash("git reset --keep HEAD~1").action).toBe("deny");
    expect(bash("git reset --merge HEAD~1").action).toBe("deny");
    expect(bash("git reset --keep HEAD").action).toBe("continue");
    expect(bash("git stash").action).toBe("continue");
    put(".sluice/hooks.local.yaml", "hooks: []\n");
    expect(bash("git clean -fdx").action).toBe("deny");
    expect(bash("git checkout bare-of-hooks -- .sluice/hooks.yaml").action).toBe("deny");
    expect(bash("git rm .sluice/hooks.yaml").action).toBe("deny");
    expect(bash("git commit -am 'change .sluice/hooks.yaml'").action).toBe("continue");
  });
});

describe("everything else passes", () => {
  it.each([
    "cat .sluice/hooks.yaml",
    "grep -r deny .sluice ~/.config/sluice",
    "jq . .claude/settings.json",
    "diff .sluice/hooks.yaml evil.yaml",
    "cp .sluice/hooks.yaml /tmp/copy.yaml",
    'python3 -c "print(1)"',
    "node -e \"require('fs').writeFileSync('out.txt','x')\"",
    "python3 -c \"import json;print(json.load(open('.claude/settings.json')))\"",
    'cp .sluice/hooks.yaml "$BACKUP"',
    "tar czf /tmp/backup.tgz .",
    "find . -name '*.pyc' -delete",
    "npm uninstall lodash",
    "sluice check",
    "sluice list --json",
    "sluice doctor",
    "sluice why",
    "sluice trust --status",
    "sluice pause --status",
    "sluice intents --json list",
    "sluice test",
    "sluice fire tool:pre_execute --tool Bash",
    "sluice install --yes",
    "npx sluice check",
    "claude -p hi",
    "codex exec hi",
    "codex exec 'what does hooks=false do'",
    "claude -p 'explain what disableAllHooks is for'",
    "claude -p 'is the hook set in the plugin? remove what is not needed'",
    "codex exec 'explain hooks.ts and what hooks = [] means there'",
    "FOO=1 claude -p hi",
    "NODE_OPTIONS=--max-old-space-size=4096 claude -p hi",
    "export PATH=$PATH:node_modules/.bin && sluice check",
    "kill 4242424",
    "cd /tmp && pkill -f webpack",
    "rm -rf node_modules/left-pad dist",
    "rm src/a.ts",
    "mkdir .claude/commands",
    "echo x > .claude/commands/fix.md",
    "mv src/a.ts src/b.ts",
    "cp -r src copy",
    "echo 'sluice trust --yes' >> README.md",
    "git commit -m 'rm -rf .sluice'",
    "chmod +x src/a.ts",
    "npm test",
    "ls -la ~/.claude",
    "sed -n 1,5p .sluice/hooks.yaml",
  ])("%s", (command) => {
    expect(bash(command)).toMatchObject({ action: "continue" });
  });

  it("reading tools, and tools that speak about a protected file", () => {
    expect(call("Read", { file_path: ".sluice/hooks.yaml" }).action).toBe("continue");
    expect(call("Grep", { pattern: "x", path: ".claude/settings.json" }).action).toBe("continue");
    expect(call("mcp__files__read_file", { path: `${root}/.sluice/hooks.yaml` }).action).toBe("continue");
    expect(call("Task", { prompt: "look at .sluice/hooks.yaml and tell me" }).action).toBe("continue");
    expect(call("Write", { file_path: "notes.md", content: ".sluice/hooks.yaml" }).action).toBe("continue");
  });
});

describe("no configuration switches it off", () => {
  it("neither the project nor the user's own files, nor a variable", () => {
    put("~/.config/sluice/hooks.yaml", "hooks:\n  definitions: []\n  disabled: [self-protection, deny-memory]\n");
    expect(bash("rm -rf .sluice").action).toBe("deny");
  });

  it("`sluice list` shows it, `sluice why` explains it", () => {
    const made = household();
    made.put("~/.config/sluice/hooks.yaml", "hooks: [{ name: a, event: 'session:start', command: 'true' }]\n");
    expect(made.sluice(["list"]).out).toContain("built in  self-protection");
    const { id = "" } = made.bash("rm -rf .sluice");
    const why = made.sluice(["why", id]).out;
    expect(why).toContain("self-protection");
    expect(why).not.toContain("no longer there");
    expect(why).not.toContain("allow-once");
  });

  it("`sluice fire` is protected as well", () => {
    const made = household();
    const words = ["fire", "tool:pre_execute", "--tool", "Bash", "--args", '{"command":"rm -rf .sluice"}'];
    expect(made.sluice(words)).toMatchObject({ code: 2 });
  });
});
