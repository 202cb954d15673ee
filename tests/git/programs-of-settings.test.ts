import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Project, project } from "../cli/sluice.ts";

/** Every setting of git that names a program, with the name for the part that the repository chooses. */
const NAMES_PROGRAM = [
  ...["alias.x", "alias.rev-parse", "alias.ls-files", "browser.x.cmd", "browser.x.path", "core.alternateRefsCommand"],
  ...["core.askPass", "core.editor", "core.fsmonitor", "core.gitProxy", "core.pager", "core.sshCommand"],
  ...["credential.helper", "credential.https://example.com.helper", "diff.external", "diff.x.command"],
  ...["diff.x.textconv", "difftool.x.cmd", "difftool.x.path", "filter.clean.clean", "filter.a=b.clean"],
  ...["filter.must.clean", "filter.process.process", "filter.smudge.smudge", "filter.x y.clean", "filter.lfs.process"],
  ...["gpg.openpgp.program", "gpg.program", "gpg.ssh.defaultKeyCommand", "gpg.ssh.program", "gpg.x509.program"],
  ...["guitool.x.cmd", "help.browser", "hook.x.command", "hook.a=b.command", "imap.tunnel", "instaweb.browser"],
  ...["instaweb.httpd", "interactive.diffFilter", "man.x.cmd", "man.x.path", "man.viewer", "merge.x.driver"],
  ...["mergetool.x.cmd", "mergetool.x.path", "pager.log", "pager.status", "pager.config", "receive.procReceiveRefs"],
  ...["remote.origin.receivepack", "remote.origin.uploadpack", "remote.origin.vcs", "sendemail.ccCmd"],
  ...["sendemail.headerCmd", "sendemail.sendmailCmd", "sendemail.smtpServer", "sendemail.toCmd", "sequence.editor"],
  ...["submodule.sub.update", "tar.x.command", "trailer.x.cmd", "trailer.x.command", "uploadpack.packObjectsHook"],
  ...["web.browser"],
];
/** Settings of git whose name looks as if they named a program. */
const NAMES_NONE =
  /^(?:advice|color|column|fsmonitor|pack|repack|gc|fetch|transfer|fastimport)\.|^clean\.|^(?:clone|commit|completion|help|notes|rebase|remote|uploadpack|uploadpackfilter|receive|init|http|include|includeIf|fsck|gitcvs|gitweb|gui|diff|difftool|merge|mergetool|guitool|instaweb|core|credential|submodule|maintenance|push|tag|commitGraph|url|user|ssh|sendemail)\.(?!external$|<|editor$|pager$|askPass$|fsmonitor$|gitProxy$|sshCommand$|alternateRefsCommand$|helper$|browser$|httpd$|packObjectsHook$|ccCmd$|tocmd$|sendmailCmd$|headerCmd$|procReceiveRefs$)|<(?:name|driver|tool|url|format|cmd|filter)>\.(?:argPrompt|confirm|needsFile|noConsole|noRescan|prompt|rev\w+|title|binary|cachetextconv|wordRegex|xfuncname|name|recursive|hideResolved|trustExitCode|partialclonefilter|proxy\w*|pushurl|url|allow|\*)$/i;
const LOOKS_LIKE_ONE =
  /alias|command|cmd|program|driver|textconv|clean|smudge|process|pager|editor|helper|askpass|hook|vcs|uploadpack|receivepack|browser|tunnel|fsmonitor|gitproxy|external|difffilter|viewer|httpd|\.update$/i;

/** What a variable of the environment can make git start. */
const VARIABLES = [
  ...["GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "EDITOR", "VISUAL", "GIT_SEQUENCE_EDITOR", "GIT_SSH"],
  ...["GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH"],
];

test("the table of settings has every setting of the installed git that may name a program", () => {
  const rows = NAMES_PROGRAM.map((name) => name.toLowerCase());
  const parts = (name: string) => {
    const [first = "", ...rest] = name.toLowerCase().split(".");
    return new RegExp(`^${first}\\.${rest.map((part) => (/^[<*]/.test(part) ? ".+" : part)).join("\\.")}$`);
  };
  const listed = execFileSync("git", ["help", "-c"], { encoding: "utf8" }).split("\n");
  const known = listed.filter((name) => LOOKS_LIKE_ONE.test(name) && !NAMES_NONE.test(name));
  expect(known.length).toBeGreaterThan(30);
  expect(known.filter((name) => !rows.some((row) => parts(name).test(row)))).toEqual([]);
});

/** The file in which settings are written. */
const PLACES: Readonly<Record<string, (made: Project) => string>> = {
  "the repository": ({ root }) => join(root, ".git/config"),
  "a file that the repository includes": ({ root }) => {
    git(root, "config", "include.path", "../included");
    return join(root, "included");
  },
  "a file that the repository includes on a condition": ({ root, home }) => {
    git(root, "config", `includeIf.gitdir:${home}/**.path`, "../included");
    return join(root, "included");
  },
  "the work tree": ({ root }) => {
    git(root, "config", "extensions.worktreeConfig", "true");
    return join(root, ".git/config.worktree");
  },
  "the user": ({ home }) => join(home, ".gitconfig"),
};

const CALLS = [
  ...[
    "git reset --hard",
    "git reset --hard HEAD~1",
    "git reset --keep HEAD~1",
    "git checkout -- .",
    "git checkout side",
  ],
  ...["git restore --staged --worktree .", "git clean -fdx", "git stash drop", "git branch -D side", "git stash pop"],
  ...[
    "git ls-files -m | xargs rm -f",
    "git ls-files -o | xargs rm -f",
    "rm -rf src",
    "git merge side",
    "git pull . side",
  ],
  ...["git rebase side", "git restore -s side .", "git restore --source=--output=marks-by-git .", "echo x > src/a.c"],
  ...["git rm -rf --cached .", "rm -rf made", "git switch -f side", "git cherry-pick side", "git tag -d v1"],
];
const COMMANDS = [
  ["trace", "audit"],
  ["trace", "find", "src/a.c"],
  ["replay", "--policy", "git:HEAD", "--against", "git:HEAD~1"],
  ...[
    ["suggest"],
    ["check"],
    ["list"],
    ["doctor"],
    ["intents", "list"],
    ["stats"],
    ["trust", "--list"],
    ["init", "--dry-run"],
  ],
  ["install", "claude-code", "--dry-run"],
  ["explain", "git reset --hard", "--tool", "Bash"],
  ["undo", "--list"],
];

test.each(Object.entries(PLACES))(
  "no setting of git makes Sluice start a program, whether a call is denied, kept or undone: %s",
  (place, choose) => {
    const made = repository();
    const { root, home, sluice, marks, program } = made;
    const settings = NAMES_PROGRAM.map(
      (name) => [name, `${name.endsWith(".update") ? "!" : ""}${program(name)}`] as const,
    );
    appendFileSync(choose(made), [...settings, ...MORE_SETTINGS].map(settingText).join(""));
    rmSync(join(home, "marks"), { force: true });
    // A user's own git would start them.
    touch(root);
    spawnSync("git", ["diff"], { cwd: root, env: { ...process.env, HOME: home } });
    expect(marks()).toEqual(expect.arrayContaining(["core.fsmonitor", "filter.a=b.clean", "filter.clean.clean"]));
    rmSync(join(home, "marks"));
    const isFirst = place === "the repository";
    for (const command of isFirst ? CALLS : CALLS.slice(0, 2)) {
      touch(root);
      sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }), "--json");
      expect([command, marks()]).toEqual([command, []]);
    }
    for (const args of isFirst ? COMMANDS : []) {
      touch(root);
      sluice(...args);
      expect([args, marks()]).toEqual([args, []]);
    }
    const kept = JSON.parse(sluice("undo", "--list", "--json").out) as { id: string }[];
    expect(kept.length).toBeGreaterThan(isFirst ? 10 : 1);
    touch(root);
    for (const { id } of kept) sluice("undo", id, "--force");
    expect(marks()).toEqual([]);
    expect(existsSync(join(root, "marks-by-git"))).toBe(false);
  },
);

test("no variable of the environment makes Sluice start a program or look at another repository", () => {
  const made = repository();
  const { root, marks, program, home } = made;
  const other = join(home, "other");
  git(home, "init", "-q", other);
  const env = {
    ...Object.fromEntries(VARIABLES.map((name) => [name, program(name)])),
    ...{ GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, "index") },
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: program("core.fsmonitor") },
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program("core.fsmonitor")}'`,
  };
  touch(root, "four");
  const args = JSON.stringify({ command: "git reset --hard" });
  const { out } = made.with(env)("fire", "tool:pre_execute", "--tool", "Bash", "--args", args, "--json");
  expect(JSON.parse(out)).toMatchObject({ action: "continue", kept: { files: 7 } });
  const audit = made.with(env)("trace", "audit");
  expect(audit.out + audit.err).toContain("src/a.c");
  expect(marks()).toEqual([]);
});

test("a git in a folder of the project is not started", () => {
  const made = repository();
  const { root, marks, program } = made;
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(root, "node_modules/.bin/git"), readFileSync(program("git")), { mode: 0o755 });
  touch(root, "four");
  const { PATH = "" } = process.env;
  const args = JSON.stringify({ command: "git reset --hard" });
  const path = `${root}/node_modules/.bin:node_modules/.bin:${PATH}`;
  const { out } = made.with({ PATH: path })("fire", "tool:pre_execute", "--tool", "Bash", "--args", args, "--json");
  expect(JSON.parse(out)).toMatchObject({ action: "continue", kept: { files: 7 } });
  expect(marks()).toEqual([]);
});

/** Settings without which the programs above would not be used. */
const MORE_SETTINGS: readonly (readonly [string, string])[] = [
  ["filter.must.required", "true"],
  ["filter.process.required", "true"],
  ["log.showSignature", "true"],
  ["commit.gpgSign", "true"],
  ["tag.gpgSign", "true"],
  ["hook.x.event", "reference-transaction"],
  ["hook.a=b.event", "reference-transaction"],
  ["diff.submodule", "diff"],
  ["submodule.recurse", "true"],
  ["submodule.sub.active", "true"],
  ["status.submoduleSummary", "true"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ["remote.origin.promisor", "true"],
  ["core.untrackedCache", "true"],
];

const ATTRIBUTES = ["clean", "must", "process", "smudge", "lfs"]
  .map((name) => `src/${name}.txt filter=${name} diff=x merge=x\n`)
  .concat("src/a.c filter=a=b diff=x\n");

function settingText([name, value]: readonly [string, string]): string {
  const [, section, part, key] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(name) ?? [];
  return `[${section}${part === undefined ? "" : ` "${part}"`}]\n  ${key} = "${value}"\n`;
}

/** A repository with two branches, a stash, a submodule, hooks, and files for each filter. */
function repository() {
  const made = project({ ".gitattributes": ATTRIBUTES.join(""), "package.json": "{}" });
  const { root, home } = made;
  const file = join(home, "marks");
  mkdirSync(join(home, "bin"));
  mkdirSync(join(root, "src"));
  const program = (name: string) => {
    const path = join(home, "bin", encodeURIComponent(name).replaceAll("%", "_"));
    writeFileSync(path, `#!/bin/sh\necho '${name}' >> '${file}'\nexit 1\n`, { mode: 0o755 });
    return path;
  };
  const marks = () => (existsSync(file) ? [...new Set(readFileSync(file, "utf8").trim().split("\n"))] : []);
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  git(root, "init", "-q", "-b", "main", "--template=");
  touch(root, "one");
  git(home, "init", "-q", "-b", "main", "--template=", "sub");
  git(join(home, "sub"), "commit", "-q", "--allow-empty", "-m", "sub");
  git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(home, "sub"), "sub");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  git(root, "branch", "side");
  git(root, "tag", "v1");
  touch(root, "two");
  git(root, "stash", "-q");
  touch(root, "three");
  git(root, "commit", "-qam", "second");
  for (const hook of ["reference-transaction", "post-index-change", "post-checkout", "fsmonitor-watchman"]) {
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    writeFileSync(join(root, ".git/hooks", hook), readFileSync(program(`hooks/${hook}`)), { mode: 0o755 });
  }
  writeFileSync(join(root, "untracked.txt"), "u");
  return { ...made, marks, program };
}

function touch(root: string, text = "three") {
  mkdirSync(join(root, "src"), { recursive: true });
  for (const name of ["clean.txt", "must.txt", "process.txt", "smudge.txt", "lfs.txt", "a.c", "plain.txt"])
    writeFileSync(join(root, "src", name), `${text}\n`);
}

function git(cwd: string, ...args: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const settings = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgSign=false"];
  execFileSync("git", [...settings, ...args], { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
}
