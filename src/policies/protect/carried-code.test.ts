import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { selfProtection } from "./self-protection.ts";

const FILES: Readonly<Record<string, string>> = {
  ".sluice/hooks.yaml": "hooks: []\n",
  ".claude/settings.json": '{ "hooks": [{ "command": "/x/.sluice/client run" }] }\n',
  "package.json": '{ "name": "a", "scripts": { "build": "echo" } }\n',
  "off.cjs": 'require("fs").rmSync(".sluice/hooks.yaml");\n',
  "off.sh": "rm -f .sluice/hooks.yaml\n",
  "off.txt": "rm -f .sluice/hooks.yaml\n",
  "off.py": 'import os\nos.remove(".sluice/hooks.yaml")\n',
  "off.vim": "call delete('.sluice/hooks.yaml')\n",
  "off.gitconfig": "[core]\n\tfsmonitor = ./off.sh\n",
  "off/__main__.py": 'import os\nos.remove(".sluice/hooks.yaml")\n',
  "off/Off.pm": 'unlink ".sluice/hooks.yaml";\n',
  "off/npmrc": "script-shell=./off.sh\n",
  "fine.cjs": "globalThis.fine = 1;\n",
  "fine.sh": "echo fine\n",
  "docs/notes.md": "`rm -f .sluice/hooks.yaml` is denied.\n",
  "src/a.ts": "export const a = 1;\n",
};

const home = realpathSync(mkdtempSync(join(tmpdir(), "carried-")));
const root = join(home, "project");
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
symlinkSync("off.sh", join(root, "linked"));

function said(command: string): string {
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root });
  return selfProtection(event, { root, home, env: { HOME: home }, files: [] })?.action ?? "nothing";
}

describe("code that a line may load besides its main program is judged by its content", () => {
  it.each([
    "node -r ./off.cjs -e 1",
    "node --import=./off.cjs -e 1",
    "node -e \"require('./off.cjs')\"",
    "NODE_OPTIONS='-r ./off' npm run build",
    "export NODE_OPTIONS=--require=./off.cjs; npm -v",
    "mocha -r ./off.cjs",
    "npx jest --setupFiles=./off.cjs",
    "npm run build --script-shell ./off.sh",
    "npm_config_script_shell=./off.sh npm test",
    "NPM_CONFIG_USERCONFIG=off/npmrc npm test",
    "cp off/npmrc .npmrc; npm test",
    "TAR_OPTIONS=--to-command=./off.sh tar xf a.tar -C /nowhere",
    `python3 -c "import runpy; runpy.run_path('off.py')"`,
    `python3 -c "exec(open('off.txt').read())"; python3 -c "import off.__main__"`,
    "python3 off",
    "python3 -m cProfile off.py",
    "perl -Ioff -MOff -e 1",
    "PERL5OPT='-Ioff -MOff' perl -v",
    "vim -es -S off.vim",
    "GIT_CONFIG_GLOBAL=off.gitconfig git status",
    "./linked",
  ])("%s is denied", (command) => {
    expect(said(command)).toBe("deny");
  });

  it.each([
    "cp off.sh /nowhere/b; sh /nowhere/b",
    "mv off.sh b; ./b",
    "ln -s ../off.sh src/b; sh src/b",
    "cp -r off o2 && python3 -m o2",
    "cat off.sh > b; sh b",
    "gzip -c off.sh | gunzip > b; sh b",
    "tar cf - off.sh | tar xf - -C /nowhere; sh /nowhere/off.sh",
    "while read -r l; do $l; done < off.txt",
    'eval "$(tail -n1 off.txt)"',
    "awk '{ system($0) }' off.txt",
  ])("%s is denied, because the line may run the files that it reads", (command) => {
    expect(said(command)).toBe("deny");
  });

  it.each([
    'cd "$(dirname "$(realpath .sluice/hooks.yaml)")" && rm hooks.yaml',
    'D=$(dirname .sluice/hooks.yaml); cd "$D"; rm hooks.yaml',
    'D=$(realpath .sluice); rm -rf "$D"',
    'cd "$(ls -d .s*)" && rm hooks.yaml',
    "C=$(readlink -f $(which sluice)); : > $C",
    "read -r C < <(readlink -f .sluice/hooks.yaml); rm $C",
  ])("%s is denied, because a variable or the output of another command names the place", (command) => {
    expect(said(command)).toBe("deny");
  });

  it.each([
    "node -r ./fine.cjs -e 1",
    "node -r dotenv/config -e 1",
    "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
    "npm run build --script-shell=bash",
    "cp fine.sh b; sh b",
    "cat off.sh",
    "cp off.sh /nowhere/backup.sh",
    "git add off.sh",
    "git commit -F off.txt",
    "gh pr create --body-file docs/notes.md",
    "awk '/rm -f .sluice/' docs/notes.md",
    "python3 -c \"print('rm -rf .sluice')\"",
    "node -e \"console.log('rm -rf .sluice')\"",
    'gh issue create --title x --body "rm -rf .sluice"',
    "git notes add -m 'rm -rf .sluice'",
    "npm version patch -m 'remove .sluice/hooks.yaml'",
    "claude -p 'what would rm -rf .sluice do'",
    "curl -s https://h.test/x --data-urlencode 'text=rm -f .sluice/hooks.yaml'",
    'cd "$(git rev-parse --show-toplevel)" && rm -f src/a.ts',
    'cd "$(dirname "$(realpath src/a.ts)")" && rm a.ts',
    "D=$(mktemp -d); cp -r src $D",
  ])("%s passes", (command) => {
    expect(said(command)).toBe("nothing");
  });
});

describe("an agent that is started where it does not find its hooks", () => {
  it.each([
    "env HOME=/x bash -c 'claude -p hi'",
    "f() { claude -p hi; }; HOME=/x f",
    "HOME=/x $(which claude) -p hi",
    "CODEX_HOME=/x sh -c 'codex exec hi'",
    "sudo -u nobody claude -p hi",
    "su nobody -c 'claude -p hi'",
    "machinectl shell nobody@ /usr/bin/claude -p hi",
    "bwrap --bind / / --tmpfs ~/.claude claude",
    "bwrap --bind / / --bind /x ~ sh -c claude",
    "unshare -R /x claude -p hi",
    "systemd-run --user -E CLAUDE_CONFIG_DIR=/x claude",
    "tmux new-session -d -e CLAUDE_CONFIG_DIR=/x 'claude -p hi'",
    "docker run -v $PWD:/w image sh -c 'claude -p hi'",
    "ssh localhost claude -p hi",
    "python3 -c \"import os; os.environ['HOME']='/x'; os.system('claude -p hi')\"",
    `perl -e '$ENV{HOME}="/x"; exec "claude"'`,
  ])("%s is denied", (command) => {
    expect(said(command)).toBe("deny");
  });

  it.each([
    "claude -p hi",
    "sudo claude --version",
    "HOME=/x npm test",
    "HOME=/x bash -c 'npm test'",
    "sudo -u nobody ls",
    "docker run --rm image npm test",
    "ssh h.test claude -p hi",
    "bwrap --bind / / --dev /dev claude -p hi",
    "tmux new-session -d 'claude -p hi'",
    "systemd-run --user claude -p hi",
    "grep -rn 'HOME=/tmp claude' docs",
  ])("%s passes", (command) => {
    expect(said(command)).toBe("nothing");
  });
});
