import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCall } from "../../src/adapters/read-call.ts";
import { HookEvent } from "../../src/event/event.ts";
import { selfProtection } from "../../src/policies/protect/self-protection.ts";

const box = realpathSync(mkdtempSync(join(tmpdir(), "sluice-same-act-")));
const [root, home] = [join(box, "work/project"), join(box, "home")];
afterAll(() => rmSync(box, { recursive: true, force: true }));

put(".claude/settings.json", "{}");
put(".claude/notes.md", "");
put(".claude/agents/one.md", "");
put(".sluice/hooks.yaml", "hooks: []\n");
put("docs/.claude-notes/a.md", "");
put("x/settings.json", "{}");
put("x/hooks.yaml", "hooks: []\n");
put("x/notes.md", "");
put("src/a.ts", "export {};\n");
put("old.md", "");
put("~/.local/state/sluice/trust/x.json", "{}");
put("~/.local/state/other/x.json", "{}");
put("~/.claude/settings.json", "{}");
git("init", "-q", "-b", "main");
git("add", ".");
git("commit", "-qm", "one");
git("checkout", "-qb", "other");
put(".claude/settings.json", '{"hooks":{}}');
git("commit", "-qam", "two");
git("checkout", "-q", "main");
git("checkout", "-qb", "docs");
put("src/a.ts", "export const a = 1;\n");
git("commit", "-qam", "three");
git("checkout", "-q", "main");
put(".sluice/new.yaml", "hooks: []\n");
put("paths.txt", ".sluice/hooks.yaml\n");
put("other-paths.txt", "old.md\n");
symlinkSync(".claude", join(root, "way"));
symlinkSync("docs", join(root, "elsewhere"));
symlinkSync(".claude/agents", join(root, "deep-way"));
linkSync(join(root, ".claude/settings.json"), join(root, "second.json"));
put("in/.claude/settings.json", "{}");
execFileSync("tar", ["-czf", join(root, "evil.tgz"), "-C", join(root, "in"), ".claude/settings.json"]);
put("in/docs/a.md", "{}");
execFileSync("tar", ["-czf", join(root, "good.tgz"), "-C", join(root, "in"), "docs/a.md"]);

/** Ways of doing one act, which all are denied, and neighbours of them that are not. */
interface Act {
  readonly ways: readonly string[];
  readonly passes: readonly string[];
}

const ACTS: Readonly<Record<string, Act>> = {
  "going up behind a link": {
    ways: [
      ...["deep-way/..", "deep-way//..", "deep-way/./..", "deep-way///.//..", "src/..//deep-way/.."].flatMap((up) => [
        `echo x > ${up}/settings.json`,
        `rm ${up}/settings.json`,
        `dd if=old.md of=${up}/settings.json`,
        `sort old.md -o${up}/settings.json`,
        `touch ${up}/settings.json src/../settings.json`,
        `cd -P ${up} && touch settings.json`,
        `env -C ${up} touch settings.json`,
      ]),
      `touch ${Array.from({ length: 80 }, (_, at) => `f${at}`).join(" ")} deep-way/../settings.json`,
      "ln -s .claude/agents new; echo x > new/./../settings.json",
      "ln -s .claude/agents new; echo x > new//../settings.json",
    ],
    passes: [
      "echo x > elsewhere//../settings.json",
      "echo x > src/../old.md",
      "cd -P elsewhere/.. && touch settings.json",
      "cd deep-way/.. && touch settings.json",
      "env -C src/.. touch old.md",
      "dd if=deep-way/../settings.json of=old.md",
    ],
  },
  "replacing the settings of an agent": {
    ways: [
      "mv -f x/settings.json .claude/",
      "mv x/settings.json .claude",
      "mv -t .claude x/settings.json",
      "cp x/settings.json .claude",
      "cp -r x/. .claude",
      "cp -rT x .claude",
      "install -m 600 x/settings.json .claude",
      "install -D x/settings.json .claude/settings.json",
      "ln -sf ../x/settings.json .claude",
      "ln -f x/settings.json .claude/",
      "rsync x/settings.json .claude",
      "rsync -a x/ .claude/",
      "git mv -f x/settings.json .claude/",
      "git mv -f x/settings.json .claude",
      "git -C x mv -f settings.json ../.claude/settings.json",
      "tar xzf evil.tgz",
      "tar -x -f evil.tgz -C .",
      "dd if=x/settings.json of=.claude/settings.json",
      "tee .claude/settings.json < x/settings.json",
      "sed -i s/a/b/ .claude/settings.json",
      "echo '{}' > .claude/settings.json",
      "cat x/settings.json >| .claude/settings.json",
      "python3 -c \"open('.claude/settings.json','w').write('{}')\"",
      "python3 -c \"import shutil; shutil.copy('x/settings.json', '.claude')\"",
      "node -e \"require('fs').writeFileSync('.claude/settings.json','{}')\"",
      "node -e \"require('fs').copyFileSync('x/settings.json','.claude/settings.json')\"",
      "perl -e 'open(F,\">.claude/settings.json\"); print F 1'",
      "perl -pi -e s/a/b/ .claude/settings.json",
      "ruby -e 'File.write(\".claude/settings.json\", 1)'",
      "php -r 'file_put_contents(\".claude/settings.json\", 1);'",
      "guile -c '(call-with-output-file \".claude/settings.json\" (lambda (p) (display 1 p)))'",
      "racket -e '(with-output-to-file \".claude/settings.json\" #:exists (quote replace) (lambda () (display 1)))'",
      "sbcl --eval '(with-open-file (s \".claude/settings.json\" :direction :output :if-exists :supersede) (print 1 s))'",
      'erl -noshell -eval \'file:write_file(".claude/settings.json", "1"), halt().\'',
      'scala -e \'java.nio.file.Files.writeString(java.nio.file.Path.of(".claude/settings.json"), "1")\'',
      'ghc -e \'writeFile ".claude/settings.json" "1"\'',
      'ocaml -e \'let c = open_out ".claude/settings.json" in output_string c "1"\'',
      "clojure -M -e '(spit \".claude/settings.json\" 1)'",
      "bb -e '(spit \".claude/settings.json\" 1)'",
      'emacs --batch --eval \'(write-region "1" nil ".claude/settings.json")\'',
      "patch .claude/settings.json x.diff",
      "docker build -o .claude .",
      "ansible localhost -m copy -a 'content={} dest=.claude/settings.json'",
      "rg -l hooks .sluice | xargs rm",
      "git add -f .sluice && git ls-files | xargs rm",
    ],
    passes: [
      "docker build -o out .",
      "find . -name .DS_Store -delete",
      "find . -type d -name __pycache__ -exec rm -rf {} +",
      "git ls-files | xargs gofmt -w",
      "mv x/notes.md .claude/",
      "cp x/notes.md .claude",
      "cp x/settings.json docs",
      "cp -r x docs",
      "install -m 600 x/settings.json docs",
      "rsync -a x/ docs/",
      "git mv -f x/notes.md docs/",
      "tar xzf good.tgz",
      "dd if=x/settings.json of=docs/settings.json",
      "echo '{}' > x/settings.json",
      "cat .claude/settings.json",
      "diff x/settings.json .claude/settings.json",
      "python3 -c \"print(open('.claude/settings.json').read())\"",
      "guile -c '(display (string-length \"settings.json\"))'",
      "racket -e '(display 1)'",
      "cp .claude/settings.json x/",
    ],
  },
  "renaming or removing the folder of an agent": {
    ways: [
      "mv .claude old",
      "mv .claude/ /tmp/",
      "mv -t docs .claude",
      "git mv .claude old",
      "git mv -k .claude docs/",
      "rm -rf .claude",
      "rm -r ./.claude/",
      "find .claude -delete",
      "find . -name .claude -exec rm -rf {} +",
      "rsync -a --delete x/ .claude/",
      "git rm -r .claude",
      "git rm -rfq .claude",
      "unlink .claude/settings.json",
      "shred -u .claude/settings.json",
      "python3 -c \"import shutil; shutil.rmtree('.claude')\"",
      "python3 -c \"import os; os.rename('.claude', 'old')\"",
      "node -e \"require('fs').renameSync('.claude','old')\"",
      'perl -e \'rename ".claude", "old"\'',
      "guile -c '(delete-file \".claude/settings.json\")'",
      'guile -c \'(rename-file ".claude" "old")\'',
      "racket -e '(delete-directory/files \".claude\")'",
      "sbcl --noinform --eval '(delete-file \".claude/settings.json\")' --quit",
      'sbcl --eval \'(rename-file ".claude/settings.json" "old")\'',
      "erl -noshell -eval 'file:delete(\".claude/settings.json\"), halt().'",
      "erl -noshell -eval 'file:del_dir_r(\".claude\"), halt().'",
      "scala -e 'new java.io.File(\".claude/settings.json\").delete()'",
      "scala -e 'import scala.reflect.io.Directory; new Directory(new java.io.File(\".claude\")).deleteRecursively()'",
      "ghc -e 'System.Directory.removeDirectoryRecursive \".claude\"'",
      "julia -e 'rm(\".claude\", recursive=true)'",
      "busybox rm -rf .claude",
      "sh -c 'cd .claude && rm settings.json'",
      "xargs rm -rf <<< .claude",
      "tar cf old.tar --remove-files .claude",
      "zip -rm old.zip .claude",
    ],
    passes: [
      "mv old.md docs/",
      "git mv old.md docs/",
      "git mv docs/.claude-notes docs/notes",
      "rm -rf docs/.claude-notes",
      "rm -rf x/",
      "find docs -name '*.md' -delete",
      "rsync -a --delete x/ docs/",
      "git rm -r --cached docs",
      "racket -e '(delete-file \"old.md\")'",
      "guile -c '(delete-file \"docs/a.md\")'",
      "ls -la .claude",
      "cp -r .claude /tmp/copy",
      "mv .claude/notes.md docs/",
    ],
  },
  "renaming or removing the configuration of Sluice": {
    ways: [
      "mv .sluice .off",
      "git mv .sluice off",
      "git mv .sluice/hooks.yaml docs/",
      "rm -rf .sluice",
      "rm -f .sluice/hooks.yaml",
      "find .sluice -type f -exec rm {} ;",
      "git rm -r .sluice",
      "git clean -fd",
      "git clean -fdx .sluice",
      "git stash -u",
      "rsync -r --delete x/ .sluice",
      "cp x/hooks.yaml .sluice",
      "git mv -f x/hooks.yaml .sluice",
      "install x/hooks.yaml -t .sluice",
    ],
    passes: [
      "mv x/hooks.yaml docs/",
      "git clean -nfd",
      "git clean -fd docs",
      "git mv x/hooks.yaml docs/",
      "git stash list",
    ],
  },
  "removing what Sluice remembers": {
    ways: [
      "rm -rf ~/.local/state/sluice",
      "mv ~/.local/state/sluice /tmp/gone",
      "mv ~/.local/state /tmp/gone",
      "rsync -a --delete x/ ~/.local/state/",
      "find ~/.local/state -delete",
      "cp x/settings.json ~/.local/state/sluice/trust/",
      "cd ~/.local/state && rm -rf sluice",
      "rm -rf ~/.local/state/sluice/$name",
      "mmv '~/.local/state/sluice/*' /tmp/gone",
      'php -r \'rename(getenv("HOME")."/.local/state/sluice", "/tmp/gone");\'',
      "GIT_WORK_TREE=~/.local/state/sluice git checkout -f",
      "git -c core.worktree=$HOME/.local/state/sluice reset --hard",
      `ruby -e 'FileUtils.mv("${home}/.local/state/sluice", "/tmp/gone")'`,
      `racket -e '(delete-directory/files "${home}/.local/state/sluice")'`,
    ],
    passes: [
      "rm -rf ~/.local/state/other/$name",
      "rm -rf ~/.local/state/other",
      "ls ~/.local/state/sluice",
      "mv ~/.local/state/other /tmp/gone",
    ],
  },
  "putting another state of the files there with git": {
    ways: [
      "git checkout other",
      "git checkout other -- .claude/settings.json",
      "git checkout other .claude",
      "git switch other",
      "git merge other",
      "git cherry-pick other",
      "git reset --hard other",
      "git restore --source=other .claude",
      "git restore -s other -- .",
      "git read-tree -u --reset other",
      "git rebase other",
      "git pull . other",
      "git -C . checkout other",
      "git --work-tree=. checkout other",
      "git show other:.claude/settings.json > .claude/settings.json",
    ],
    passes: [
      "git checkout docs",
      "git switch docs",
      "git merge docs",
      "git checkout -b fresh",
      "git log other",
      "git diff other",
    ],
  },
  "writing through a symlink or a hard link": {
    ways: [
      "echo x > way/settings.json",
      "cp x/settings.json way",
      "cp x/settings.json way/",
      "git mv -f x/settings.json way/",
      "echo x > second.json",
      "tee second.json < x/settings.json",
      "ln -s .claude/settings.json w; echo x > w",
      "ln .claude/settings.json w",
      "ln -s ../.claude x/w && echo 1 > x/w/settings.json",
      "cp -l .claude/settings.json w",
      "cd way && echo x > settings.json",
      "rm -rf way/",
    ],
    passes: ["echo x > elsewhere/a.md", "ln -s docs w", "cat second.json"],
  },
  "changing who may use the files": {
    ways: [
      "chmod 000 .claude/settings.json",
      "chmod -R a-r .claude",
      "chmod 000 .claude",
      "chown nobody .sluice/hooks.yaml",
      "chown -R nobody ~/.local/state",
      "chattr +i .claude/settings.json",
      "setfacl -m u:me:- .sluice",
      "chgrp games .claude",
      "chmod --reference=x .claude",
      "find .claude -exec chmod 000 {} +",
      "python3 -c \"import os; os.chmod('.claude/settings.json', 0)\"",
    ],
    passes: ["chmod +x src/a.ts", "chmod -R u+w docs", "chown me x", "chmod 600 .claude/notes.md"],
  },
  "ending the daemon or taking the command away": {
    ways: [
      "pkill -9 sluice",
      "pkill -f sluice",
      "killall -9 sluice",
      "kill -9 $(pgrep -f sluice)",
      "pgrep sluice | xargs kill -9",
      "ps aux | grep sluice | awk '{print $2}' | xargs kill -9",
      "fuser -k $(which sluice)",
      "rm $(which sluice)",
      "npm uninstall -g sluice",
      "systemctl --user stop sluice",
      "gdb -p $(pgrep sluice) -batch -ex kill",
    ],
    passes: [
      "gdb -p $(pgrep other) -batch -ex bt",
      "pkill -9 node-exporter",
      "kill -0 1",
      "pgrep sluice",
      "which sluice",
      "npm uninstall -g other",
    ],
  },
  "asking Sluice itself to loosen something": {
    ways: [
      "sluice uninstall",
      "sluice pause 10m",
      "sluice trust --yes",
      "bash -c 'sluice trust --yes'",
      "env X=1 sluice pause 10m",
      "nohup sluice uninstall &",
      "timeout 5 npx sluice pause 10m",
      "python3 -c \"import os; os.system('sluice trust --yes')\"",
      "node -e \"require('child_process').execSync('sluice uninstall')\"",
      "echo 'trust --yes' | xargs sluice",
      "script -qc 'sluice trust --yes' /dev/null",
      "sluice serve --stop",
      "racket -e '(system \"sluice trust --yes\")'",
      "guile -c '(system \"sluice trust --yes\")'",
      "erl -noshell -eval 'os:cmd(\"sluice trust --yes\"), halt().'",
      "scala -e 'import sys.process._; \"sluice trust --yes\".!'",
    ],
    passes: ["sluice check", "sluice trust --status", "sluice pause --status", "sluice doctor", "echo sluice trust"],
  },
  "loading other code into what Sluice or an agent runs": {
    ways: [
      "PATH=/tmp/evil:$PATH claude -p hi",
      "NODE_OPTIONS='--require /tmp/x.js' claude -p hi",
      "LD_PRELOAD=/tmp/x.so sluice check",
      "env HOME=/tmp claude -p hi",
      "claude --settings '{\"disableAllHooks\": true}'",
      "cp x/settings.json node_modules/.bin/sluice",
      "printf x > node_modules/.bin/sluice",
      "ln -sf /bin/true node_modules/.bin/sluice",
    ],
    passes: [
      "PATH=$PATH:/opt/x ls",
      "NODE_OPTIONS=--max-old-space-size=100 node x.js",
      "printf x > node_modules/.bin/other",
    ],
  },
  "copying files over those of Sluice, one by one": {
    ways: [
      "rsync -a in/. .",
      "npx ncp in .",
      "find in -type f | sed 's,^in/,,' | xargs -I{} cp in/{} {}",
      "find in -type f -printf '%P\\n' | xargs -I{} cp in/{} ./{}",
      "exec 9< .sluice/hooks.yaml; : > /dev/fd/9",
      "pandoc -o .sluice/hooks.yaml old.md",
      "git rm -f --pathspec-from-file=paths.txt",
      "git restore -sother .",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='!rm -rf .sluice' git z",
    ],
    passes: [
      "rsync -a docs/. .",
      "npx ncp src docs",
      "find src -type f | sed 's,^src/,,' | xargs -I{} cp src/{} {}",
      "find src -type f -printf '%P\\n' | xargs -I{} cp src/{} ./{}",
      "exec 9< old.md; : > /dev/fd/9",
      "pandoc -o old.html old.md",
      "git rm -f --pathspec-from-file=other-paths.txt",
      "git rm -f --cached --pathspec-from-file=paths.txt",
    ],
  },
  "running the command or ending the daemon in a way that does not show its name": {
    ways: [
      "hash -p ~/bin/sluice zz; zz trust --yes",
      "node --input-type=module -e \"process.argv[2]='trust'; await import('/x/sluice/dist/sluice.cjs')\"",
      "node -e \"process.argv = ['', '', 'pause', '10m']; require('/x/bin/sluice')\"",
      'for p in /proc/[0-9]*; do case "$(cat $p/cmdline)" in *sluice*) kill ${p##*/};; esac; done',
      "python3 -c \"import os; [os.kill(p, 9) for p in all_of('sluice')]\"",
    ],
    passes: [
      "hash -r",
      "hash -p /opt/tool zz; zz trust",
      "node -e \"console.log('trust')\"",
      "kill $(lsof -t -i:3000)",
      "killall node",
      "pkill -x node",
      'case "$x" in *sluice*) echo yes;; esac',
      'python3 -c "import os; os.kill(4242, 9)"',
    ],
  },
};

for (const [act, { ways, passes }] of Object.entries(ACTS))
  describe(act, () => {
    it.each(ways)("is denied: %s", (command) => {
      expect(said("Bash", { command })).toBe("deny");
    });
    it.each(passes)("is not this: %s", (command) => {
      expect(said("Bash", { command })).toBe("nothing");
    });
  });

describe("putting another program or another start in the place of Sluice's", () => {
  it.each([
    "cp x/notes.md ~/.local/bin/sluice",
    "ln -s /bin/true /usr/local/sbin/node",
    "install -m755 x/sluice /usr/local/bin",
    "npm install --prefix . file:named-sluice",
    "npm pkg set dependencies.sluice=file:./x",
    "npm pkg set overrides.sluice=file:./x && npm i",
    "echo 'sluice trust --yes' >> ~/.bashrc",
    "echo 'sluice pause 10m' > .git/hooks/post-checkout",
    "echo 'alias sluice=true' >> ~/.bashrc",
    "echo 'sluice() { :; }' >> ~/.bash_profile",
    "echo 'export LD_PRELOAD=/tmp/e.so' >> ~/.bashrc",
    "echo /tmp/e.so > /etc/ld.so.preload",
  ])("is asked about: %s", (command) => {
    put("named-sluice/package.json", '{ "name": "sluice" }');
    expect(said("Bash", { command })).toBe("ask");
  });

  it.each([
    "cp x/notes.md ~/.local/bin/tool",
    "cp x/notes.md docs/sluice",
    "npm install file:x",
    "npm pkg set dependencies.other=file:./x",
    "echo 'npm test' > .git/hooks/pre-commit",
    "echo 'alias ll=\"ls -l\"' >> ~/.bashrc",
    "echo 'run sluice trust yourself' >> docs/a.md",
  ])("is not this: %s", (command) => {
    expect(said("Bash", { command })).toBe("nothing");
  });
});

describe("a state of the project that is known only when it runs", () => {
  it.each([
    "git checkout $BRANCH",
    "git branch -f docs other && git checkout docs",
    "git fetch origin && git reset --hard FETCH_HEAD",
  ])("is asked about: %s", (command) => {
    const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root });
    expect(selfProtection(event, { root, home, env: { HOME: home } })).toMatchObject({
      action: "ask",
      reason: expect.stringMatching(
        /` brings a state of the project that is known only when it runs\. It could bring other hooks: name the branch/,
      ),
    });
  });

  it.each(["git checkout docs", "git branch -f docs main", "git fetch origin"])("is not this: %s", (command) => {
    expect(said("Bash", { command })).toBe("nothing");
  });
});

describe("planting settings", () => {
  it.each([
    "echo '{}' > ../.claude/settings.json",
    "mkdir -p ../.sluice && cp x/hooks.yaml ../.sluice/",
    "mkdir -p src/.claude && cp x/settings.json src/.claude/",
    "mkdir src/.sluice; git mv x/hooks.yaml src/.sluice/",
    "cp x/settings.json .gemini/",
    "mkdir .gemini; git mv x/settings.json .gemini",
    "cp x/hooks.yaml ~/.config/sluice/hooks.yaml",
  ])("in this project, deeper in it or in the home is denied: %s", (command) => {
    expect(said("Bash", { command })).toBe("deny");
  });

  it.each(["mkdir -p src/claude && cp x/settings.json src/claude/", "cp x/settings.json docs/settings.json"])(
    "is not this: %s",
    (command) => {
      expect(said("Bash", { command })).toBe("nothing");
    },
  );
});

describe("the same act in the payloads of several agents", () => {
  const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;
  const unified = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
  const shell = "git mv -f x/settings.json .claude/";
  const agents: Readonly<Record<string, readonly (readonly [event: string, tool: string, input: object])[]>> = {
    "claude-code": [
      ["PreToolUse", "Bash", { command: shell }],
      ["PreToolUse", "Write", { file_path: join(root, ".claude/settings.json"), content: "{}" }],
      ["PreToolUse", "Edit", { file_path: ".claude/settings.json", old_string: "a", new_string: "b" }],
      ["PreToolUse", "mcp__files__move_file", { source: "x/settings.json", destination: ".claude" }],
      ["PreToolUse", "mcp__files__write_file", { uri: `file://${root}/.claude/settings.json`, text: "{}" }],
    ],
    codex: [
      ["PreToolUse", "Bash", { command: shell }],
      ["PreToolUse", "apply_patch", { command: patch(".claude/settings.json") }],
      ["PreToolUse", "apply_patch", { input: patch(".sluice/hooks.yaml") }],
      ["PreToolUse", "apply_patch", { patch: unified(".claude/settings.json") }],
      ["PreToolUse", "Bash", { command: `apply_patch <<'E'\n${patch(".claude/settings.json")}\nE` }],
    ],
    "gemini-cli": [
      ["BeforeTool", "run_shell_command", { command: shell }],
      ["BeforeTool", "write_file", { file_path: join(root, ".gemini/settings.json"), content: "{}" }],
      ["BeforeTool", "replace", { file_path: join(root, ".claude/settings.json"), old_string: "a", new_string: "b" }],
    ],
  };

  for (const [agent, calls] of Object.entries(agents))
    it.each(calls)(`${agent}: %s of %s is denied: %j`, (event, tool, input) => {
      expect(saidTo(agent, event, tool, input)).toBe("deny");
    });

  it.each([
    ["claude-code", "PreToolUse", "Write", { file_path: join(root, "docs/settings.json"), content: "{}" }],
    ["claude-code", "PreToolUse", "mcp__files__move_file", { source: "old.md", destination: "docs" }],
    ["codex", "PreToolUse", "apply_patch", { command: patch("src/a.ts") }],
    ["codex", "PreToolUse", "apply_patch", { input: patch("docs/settings.json") }],
    ["gemini-cli", "BeforeTool", "run_shell_command", { command: "git mv old.md docs/" }],
    ["gemini-cli", "BeforeTool", "read_file", { file_path: join(root, ".claude/settings.json") }],
    ["claude-code", "PreToolUse", "mcp__x__resources_read", { uri: `file://${root}/.sluice/hooks.yaml` }],
  ])("%s: %s of %s is not this: %j", (agent, event, tool, input) => {
    expect(saidTo(agent, event, tool, input)).toBe("nothing");
  });
});

function said(tool: string, args: Readonly<Record<string, unknown>>): string {
  return decided(HookEvent.toolPreExecute(tool, args, { cwd: root }));
}

function saidTo(agent: string, event: string, tool: string, input: object): string {
  const payload = { session_id: "s", cwd: root, hook_event_name: event, tool_name: tool, tool_input: input };
  const call = readCall({ text: JSON.stringify(payload), agent });
  if (call.kind !== "event") throw new Error(`${agent} sends no such call: ${call.kind}`);
  return decided(call.event);
}

function decided(event: HookEvent): string {
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    return selfProtection(event, { root, home, env: { HOME: home } })?.action ?? "nothing";
  } finally {
    process.env.HOME = before;
  }
}

function put(path: string, text: string): void {
  const whole = path.startsWith("~/") ? join(home, path.slice(2)) : join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

function git(...words: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: root,
    stdio: "ignore",
  });
}
