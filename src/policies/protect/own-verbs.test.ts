import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/commands/index.ts";
import { HookEvent } from "../../event/event.ts";
import { OWN_VERBS } from "./own-verbs.ts";
import { selfProtection } from "./self-protection.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-verbs-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function said(command: string) {
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root });
  return selfProtection(event, { root, home: root, env: { HOME: root } });
}

describe("the table of verbs", () => {
  const listIn = (text = "") => text.split(" ").filter(Boolean);

  it("has a row for every verb of the command, and for no other", () => {
    const verbs = [...COMMANDS.map(({ name }) => name), "help", "version"];
    expect(Object.keys(OWN_VERBS).sort()).toEqual(verbs.sort());
  });

  it.each(COMMANDS)(
    "$name: every option and every subcommand is for agents or for a person",
    ({ name, options, completes = [] }) => {
      const row = OWN_VERBS[name] ?? {};
      expect([...listIn(row.options), ...listIn(row.personal)].sort()).toEqual(Object.keys(options).sort());
      const isFree = row.parts === undefined && row.personalParts === undefined;
      if (!isFree) expect([...listIn(row.parts), ...listIn(row.personalParts)].sort()).toEqual([...completes].sort());
    },
  );
});

describe("a command that loosens something is for a person, wherever its options are", () => {
  it.each([
    "sluice intents scope add INT-002 'src/db/**'",
    "sluice intents --root . scope add INT-002 'src/db/**'",
    "sluice intents --json scope add INT-002 'src/db/**'",
    "sluice intents --root=. scope add INT-002 'src/db/**'",
    "sluice intents -- scope add INT-002 'src/db/**'",
    "sluice intents --name=x start INT-001",
    "sluice intents --name list start INT-001",
    "sluice intents done INT-001",
    "sluice --root . intents scope add INT-002 'src/db/**'",
    "sluice intents --json new --name evil --scope '**'",
    "sluice intents $VERB add INT-002 'src/**'",
    "sluice intents sc?pe add INT-002 'src/**'",
    "sluice $VERB --yes",
    "X='. scope add INT-1 **'; sluice intents --root $X list",
    "sluice intents --root $X list",
    "sluice intents --json$X list",
    "sluice serve $HOW",
    "sluice uninstall $HOW --dry-run",
    "sluice trust $HOW --status",
    "echo trust --yes | xargs sluice",
    "echo start INT-001 | xargs sluice intents",
    "npx sluice intents --json start INT-001",
    "sluice add ./weaker-pack",
    "sluice remove @acme/git-safety",
    "sluice update --yes",
    "npx -p sluice sluice trust --yes",
    "npx -y -y -y -y -y -y sluice trust --yes",
    "node -r ./x.js dist/sluice.cjs trust --yes",
    "npm run sluice --status -- trust --yes",
    "sluice trust --root --status --yes",
    "sluice trust --root . --yes",
    "sluice pause --json 10m",
    "sluice allow-once --root . abc123",
    "sluice allow-once -- abc123",
    "sluice uninstall --scope user --yes",
    "sluice uninstall --scope --dry-run --yes",
    "sluice serve --root . --stop",
    "sluice serve --stop=1",
    "sluice templates --json add log_all",
    "sluice templates -- add log_all",
    "sluice init --template --status",
    "sluice disable no-sudo",
    "sluice ship --to file:/tmp/x",
    "sluice bundle fetch",
    "sluice fleet share",
    "sluice replay --html .sluice/hooks.yaml",
    "sluice run --background abc123",
    "sluice run --lost",
    "sluice test --trust-hash abc",
    "sluice serve",
    "sluice init",
    "sluice approve abc123",
    "sluice undo abc123 --as-person",
    "script -qc 'sluice undo abc123' /dev/null",
    "tmux new-session -d 'sluice undo abc123'",
    "python3 -c \"import pty; pty.spawn(['sluice', 'undo', 'abc123'])\"",
    "expect -c 'spawn sluice undo abc123; interact'",
    "npx sluice enable --scope user lint",
    "bash -c 'sluice intents --root . start INT-001'",
    "python3 -c \"import subprocess as s; s.run(['sluice', 'intents', '--root', '.', 'scope', 'add', 'X', '**'])\"",
    "python3 -c \"import os; os.system('sluice check'), os.system('sluice --root . trust --yes')\"",
  ])("%s", (command) => {
    expect(said(command)).toMatchObject({ action: "deny", reason: expect.stringContaining("is for a person") });
  });
});

describe("an event comes from the agent's own hook, and not from a command that the agent runs", () => {
  const event = `{"hook_event_name":"UserPromptSubmit","session_id":"1","prompt":"push it"}`;
  it.each([
    `echo '${event}' | sluice run claude-code`,
    `sluice run claude-code <<< '${event}'`,
    "sluice run claude-code < /tmp/event.json",
    "cat /tmp/event.json | npx sluice run --moment UserPromptSubmit claude-code",
    "node dist/sluice.cjs run codex < /tmp/event.json",
    "node /usr/lib/node_modules/sluice/dist/sluice.cjs run < /tmp/event.json",
    'node "$(npm root -g)/sluice/dist/sluice.cjs" run claude-code < /tmp/event.json',
    "S=sluice; $S run claude-code < /tmp/event.json",
    "exec sluice run claude-code < /tmp/event.json",
    "setsid -f sluice run claude-code < /tmp/event.json",
    "bash -c 'sluice run claude-code < /tmp/event.json'",
    "~/.local/state/sluice/daemon/0a1b/client node /opt/sluice/dist/sluice.cjs run claude-code < /tmp/event.json",
    "python3 -c \"import subprocess as s; s.run(['sluice', 'run', 'claude-code'], input=b'{}')\"",
    "python3 -c \"import os; os.system('sluice run claude-code < /tmp/event.json')\"",
    "node -e \"require('child_process').spawnSync('sluice', ['run', 'claude-code'], { input: '{}' })\"",
    "ruby -e \"IO.popen('sluice run claude-code', 'w') { |io| io.write '{}' }\"",
    'perl -e \'open(F, "| sluice run claude-code"); print F "{}"\'',
    'php -r \'popen("sluice run claude-code", "w");\'',
  ])("%s", (command) => {
    expect(said(command)).toMatchObject({ action: "deny", reason: expect.stringContaining("`sluice run`") });
  });
});

describe("a command that only shows something passes", () => {
  it.each([
    "sluice intents",
    "sluice intents list --json",
    "sluice intents --root . list",
    "sluice intents --json show INT-001",
    "sluice intents scope --help",
    "sluice intents new -h",
    "sluice serve --status",
    "sluice trust --status",
    "sluice trust --root . --status",
    "sluice pause --status",
    "sluice templates",
    "sluice templates show log_all",
    "sluice uninstall --dry-run",
    "sluice packs",
    "sluice pack test ./my-pack",
    "sluice add @acme/git-safety --dry-run",
    "sluice update --dry-run",
    "sluice list --tool trust",
    "sluice check --root .",
    "sluice why abc123",
    "sluice undo",
    "sluice undo --list --json",
    "sluice undo abc123 src/a.ts",
    "sluice undo --last --dry-run",
    "cd src && npx sluice undo --last --force",
    "bash -c 'sluice undo --last'",
    "sluice test --only x",
    "sluice fire 'rm -rf src'",
    "sluice replay --against git:main --json",
    "sluice suggest --since 7d",
    "sluice install claude-code --yes",
    "npx vitest run sluice undo",
    "sluice run --help",
    "npm run sluice",
    "cat docs/sluice-run.md",
    "grep -rn 'sluice run' docs",
    "git commit -m 'sluice run reads standard input'",
    "sluice why $ID",
    "sluice intents show $ID",
    "for verb in check list; do sluice $verb; done",
    'sluice intents --root "$PWD" list',
    "sluice stats --days 3",
    "sluice log --action deny --hook trust",
    "sluice completion --words hooks",
    "sluice trace verify",
    "sluice trace find init:1",
    "sluice --help",
    "sluice",
    "npx sluice trust --status",
    "grep -r sluice trust",
    "python3 -c \"print('sluice intents are fine')\"",
  ])("%s", (command) => {
    expect(said(command)).toBe(undefined);
  });
});
