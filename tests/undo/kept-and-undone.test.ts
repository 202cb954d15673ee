import { spawnSync } from "node:child_process";
import {
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNDO_DEFAULTS } from "../../src/config/undo-settings.ts";
import { HookEvent } from "../../src/event/event.ts";
import { keepLosses } from "../../src/policies/undo/keep.ts";
import { readKept, undoFolder } from "../../src/policies/undo/kept-call.ts";
import { noteEnd } from "../../src/policies/undo/recover.ts";
import { undoCall } from "../../src/policies/undo/restore.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import { gitStateOf, sampleProject, treeOf } from "./sample-project.ts";

let base: string;
let sample: string;
let count = 0;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-undo-"));
  sample = sampleProject(join(base, "sample"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A copy of the sample project and a state folder of its own. */
function project() {
  const root = join(base, `p${++count}`);
  const env = { HOME: join(base, `h${count}`), XDG_STATE_HOME: join(base, `h${count}/state`), PATH: process.env.PATH };
  mkdirSync(env.HOME, { recursive: true });
  spawnSync("cp", ["-a", sample, root]);
  return { root, env, settings: UNDO_DEFAULTS, lookups: diskLookups };
}

function event(command: string, root: string): HookEvent {
  return HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });
}

/** One of each kind; the campaign `undo` has them all, in trees of every kind. */
const DESTROYING = [
  "rm -rf src notes",
  "rm -rf *",
  "rm -rf 'src/with blank.ts' data.bin",
  "cd src && rm -rf deep",
  "rm -rf src && mkdir src && echo new > src/index.ts",
  "rm -rf link logs scratch.tmp",
  "> README.md",
  "truncate -s 0 data.bin",
  "ln -sf nowhere README.md",
  "mv notes/todo.md README.md",
  "sed -i s/answer/question/ src/index.ts",
  'for f in src/*; do rm -rf "$f"; done',
  'find src -type f | while IFS= read -r f; do rm "$f"; done',
  'set -- src/*; rm -rf "$@"',
  'find notes -type f | while read -r f; do rm -f "$f"; done',
  "find logs -type f | xargs rm",
  "find notes -type f | xargs -d '\\n' rm",
  "python3 -c \"import shutil; shutil.rmtree('src')\"",
  "shred -u notes/todo.md",
  "git reset --hard HEAD~1",
  "git checkout .",
  "git checkout HEAD~1 -- src/index.ts",
  "git restore --source=HEAD~1 src",
  "git restore --staged --worktree .",
  "git restore -SW src",
  "git switch -f topic",
  "git clean -fdx",
  "git rm -rfq src",
  "git stash drop stash@{1}",
  "git stash clear",
  "git tag -d v1",
  "git update-ref -d refs/heads/topic",
  "git update-ref refs/heads/topic HEAD",
  "rm -rf src; git branch -D topic",
  "git branch -D topic; git tag -d v1; git stash drop",
  "git checkout main && git branch -D topic",
  "git clone none-such /tmp/none-such; cd /tmp/none-such; git reset --hard HEAD~1",
  "git tag before topic && git tag -d before && git branch -D topic",
  // In one line, each throws away what the one before it leaves.
  "git reset --hard && git clean -fdx",
  "git clean -fdx && git reset --hard",
  "git checkout . && git clean -fd",
  "git clean -fdx -e notes",
  "git checkout-index -f -a",
  "git read-tree -u --reset HEAD",
  "git branch -f topic HEAD",
  "git tag -f v1",
  "git branch -M topic",
  "git branch -M main topic",
  "git branch -C topic",
  'rm -rf "$PWD/src"',
  "rm -rf $(pwd)/src",
  // A line that cannot go into a folder stays where it is.
  "cd missing; rm -rf src",
  "cd missing || rm -rf src",
  "cd src; cd missing; rm -rf deep",
  // Where one command of git decides what the next throws away, or names come from elsewhere, all is kept that they could reach.
  "git add -A && git reset --hard",
  "git stash && git stash drop",
  "git stash -u && git stash clear",
  "git reset && git clean -fd",
  "git restore --staged . && git clean -fd",
  "git rm -r --cached src && git clean -fd",
  "git branch -m topic other; git branch -D other",
  "git checkout -b new && git commit -am x && git checkout main && git branch -D new && git reset --hard topic",
  "git checkout -B topic && git checkout main && git branch -D topic",
  "git checkout -f topic && git reset --hard main && git clean -fdx",
  "git commit -qam wip && git branch -D topic && git reset --hard HEAD~2",
  "git merge topic; git reset --hard topic",
  "git branch --format='%(refname:short)' | grep -v main | xargs git branch -D",
  "git branch -D $(git branch --format='%(refname:short)' --no-contains HEAD)",
  'for b in $(git branch | grep -v main); do git branch -D "$b"; done',
  "git tag | xargs git tag -d",
  "touch topic; git branch -D t*; rm topic",
  "git stash list --format=%gd | tail -1 | xargs git stash drop",
  'git reset --hard "$(git rev-parse topic)"',
  // What git lists is asked from git.
  "git ls-files -oi --exclude-standard | xargs rm -f",
  "git ls-files -m | xargs rm",
  "git ls-files src | grep -v blank | xargs -n1 rm -f; git ls-files -zo --exclude-standard | xargs -0 rm -rf",
  "git -C src stash && git -C src stash drop",
  // Behind a symlink to a folder.
  "rm -rf folder/",
  "shopt -s dotglob; rm -rf notes/*",
] as const;

describe("what a call destroys comes back", () => {
  test.each(DESTROYING)("%s", (command) => {
    const context = project();
    const { root } = context;
    const isGit = command.includes("git ");
    const [before, gitBefore] = [treeOf(root), isGit ? gitStateOf(root) : ""];
    const kept = keepLosses(event(command, root), context);
    if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
    const ran = spawnSync("sh", ["-c", command], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, ...context.env },
    });
    const after = JSON.stringify([treeOf(root), isGit ? gitStateOf(root) : ""]);
    expect(after, ran.stderr).not.toBe(JSON.stringify([before, gitBefore]));
    // The agent tells that the call has ended.
    noteEnd(HookEvent.toolPostExecute("Bash", { command }, "", { cwd: root, sessionId: "s" }), context.env);
    const [ended = kept.call] = readKept(undoFolder(context.env));
    const undone = undoCall(undoFolder(context.env), ended);
    expect(undone.left).toEqual([]);
    const now = treeOf(root);
    expect({ ...now, ...Object.fromEntries(Object.keys(before).map((key) => [key, now[key]])) }).toMatchObject(before);
    if (/git (?:reset|stash|branch|tag|clean|update-ref|read-tree)/.test(command))
      expect(gitStateOf(root)).toBe(gitBefore);
  });
});

const NOT_KEPT = {
  "rm -rf $FOLDER": "known only when",
  "rm -rf ~/other": "outside of the project",
  "rm -rf /opt/other": "outside of the project",
  "rm -rf .git": "repository",
  "rm -rf .": "whole project",
  "git reflog expire --expire=now --all": "is not known",
  "shopt -s dotglob; rm -rf *": "repository",
  // What the line brings into its own repository or work tree was there before.
  "cd $(mktemp -d) && mv $OLDPWD/src . && git init && git clean -fdx": "on the same line",
  "cd $(mktemp -d) && git init && git config core.worktree /work && git reset --hard": "another repository",
  "cd $(mktemp -d) && git init && export GIT_DIR=/work/.git && git stash clear": "another repository",
  // Git may be led elsewhere, or reach further than files, branches, tags and stashes.
  "GIT_DIR=/work/.git git branch -D topic": "another repository",
  "export GIT_WORK_TREE=/work; git reset --hard": "another repository",
  "git -c core.worktree=/work reset --hard": "another repository",
  "git -c include.path=/tmp/settings reset --hard": "another repository",
  "env GIT_INDEX_FILE=/tmp/i git read-tree -u --reset HEAD": "another repository",
  "git checkout main && git --git-dir=/work/.git reset --hard": "another repository",
  "git checkout topic && cd /tmp && git branch -D $(git branch)": "known only when",
  "git checkout topic && git -C /tmp reset --hard": "on the same line",
  "git stash && git reflog expire --expire=now --all && git stash drop": "on the same line",
  "git config alias.x stash && git x && git stash drop": "on the same line",
  "git co topic && git reset --hard": "on the same line",
  "git remote remove origin && git reset --hard topic": "is not known",
  "git stash && git update-ref --stdin < refs.txt": "on the same line",
  "git submodule update && git reset --hard": "on the same line",
  'git submodule deinit -f "$LIB"': "known only when",
  "git submodule deinit -f --all && git reset --hard": "on the same line",
  "git submodule sync; git submodule deinit -f --all; git stash drop": "on the same line",
  // Which folder a command runs in is told by a search or by code.
  "find / -name .git -execdir git clean -fdx ';'": "chooses by itself",
  "find .. -name .git -execdir git branch -D topic ';'": "chooses by itself",
  "node -e \"require('child_process').execSync('git reset --hard',{cwd:'/work'})\"": "chooses by itself",
  "python3 -c \"import os; os.chdir('/work'); os.system('git stash clear')\"": "chooses by itself",
  "python3 -c \"import subprocess; subprocess.run(['rm','-rf','src'], cwd='/work')\"": "chooses by itself",
  // Names of a list are changed on their way, split, or come from elsewhere too.
  "git ls-files | sed 's,^,.git/,' | xargs rm -rf": "repository",
  "git ls-files | grep -o '^[a-z]*' | xargs rm -rf": "known only when",
  "git ls-files | grep x list.txt | xargs rm -rf": "known only when",
  "git ls-files -m | xargs -I% rm -rf ./%": "repository",
  "(git ls-files; find .) | xargs rm -rf": "known only when",
  "git ls-files | xargs rm -rf": "repository",
  "cd $(mktemp -d) && git reset --hard": "git knows no commit",
  "git worktree add ../tree; mv src ../tree; git worktree remove --force ../tree": "on the same line",
  "git worktree add ../tree; git worktree remove --force ../other": "on the same line",
  "rm -rf $(cat list)": "known only when",
} as const;

describe("what is not known is not kept", () => {
  // Nothing is run and nothing is kept, so all of them are about the same files.
  let context: ReturnType<typeof project>;
  beforeAll(() => {
    context = project();
  });

  test.each(Object.entries(NOT_KEPT))("%s", (command, why) => {
    const kept = keepLosses(event(command, context.root), context);
    expect(kept).toMatchObject({ kind: "not kept", why: expect.stringContaining(why) });
  });
});

test("a call that destroys nothing keeps nothing", () => {
  const context = project();
  const made = [
    "git checkout -b new && git checkout - && git branch -D new",
    "git tag new && git tag -d new",
    "cd $(mktemp -d) && git init -q && git commit --allow-empty -m a && git reset --hard && git stash clear && git clean -fdx",
    "T=$(mktemp -d); cd $T; git init x; cd x; git branch -D topic",
    "git clone -q . /tmp/none-such && cd /tmp/none-such && git reset --hard v9.9",
    "git worktree add ../tree topic && (cd ../tree && make); git worktree remove --force ../tree",
  ];
  for (const command of ["ls", "git status", "rm -rf build", "echo x > new.txt", "mkdir a", ...made])
    expect(keepLosses(event(command, context.root), context), command).toEqual({ kind: "nothing" });
});

/** Keeps, runs and undoes one command. */
function undone(command: string, context: ReturnType<typeof project>): void {
  const { root, env } = context;
  const kept = keepLosses(event(command, root), context);
  if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
  spawnSync("sh", ["-c", command], { cwd: root });
  noteEnd(HookEvent.toolPostExecute("Bash", { command }, "", { cwd: root, sessionId: "s" }), env);
  const ended = readKept(undoFolder(env)).at(-1) ?? kept.call;
  expect(undoCall(undoFolder(env), ended).left).toEqual([]);
}

test("what git fetches and then resets to is undone too, with files that only the fetched commit changes", () => {
  const context = project();
  const { root, env } = context;
  const far = `git clone -q . ../far${count} && cd ../far${count} && echo far > src/index.ts && git -c user.name=F -c user.email=f@example.com commit -qam far`;
  spawnSync("sh", ["-c", `${far} && cd - && git remote add far ../far${count} && git fetch -q far`], { cwd: root });
  spawnSync("sh", ["-c", "git -c user.name=F -c user.email=f@example.com commit -q --amend -m farther"], {
    cwd: join(base, `far${count}`),
  });
  const [before, gitBefore] = [treeOf(root), gitStateOf(root)];
  undone("git fetch -q far && git reset -q --hard far/main", context);
  expect([treeOf(root), gitStateOf(root)]).toEqual([before, gitBefore]);
  expect(readKept(undoFolder(env))[0]?.refs.map(({ name }) => name)).toEqual(["refs/heads/main"]);
});

test("of branches and stashes that a call has left alone nothing is held when it has ended", () => {
  const context = project();
  undone("git branch --list 'top*' | xargs git branch -D", context);
  const [kept] = readKept(undoFolder(context.env));
  expect(kept?.refs.map(({ name }) => name)).toEqual(["HEAD", "refs/heads/topic"]);
  const held = spawnSync("git", ["for-each-ref", "--format=%(refname)", "refs/sluice"], {
    cwd: context.root,
    encoding: "utf8",
  });
  expect(held.stdout.trim().split("\n")).toEqual(kept?.refs.map(({ heldBy }) => heldBy));
});

test("what a tool makes again holds up no call where it is much, also below what is removed", () => {
  const context = project();
  const { root } = context;
  for (const folder of ["node_modules/a", "src/deep/node_modules/a"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "large"), "");
    truncateSync(join(root, folder, "large"), 300 * 1024 ** 2);
  }
  writeFileSync(join(root, "src/deep/mine.txt"), "mine\n");
  const kept = () => treeOf(root, { without: "node_modules" });
  const before = kept();
  for (const command of ["git clean -fdxq", "rm -rf src", "git reset -q --hard && git clean -fdxq"]) {
    undone(command, context);
    expect(kept()).toEqual(before);
  }
});

test("a submodule that is taken out of the work tree comes back, with what was changed in it", () => {
  const context = project();
  const { root } = context;
  const line =
    "git -c protocol.file.allow=always submodule --quiet add ./ lib && git commit -qm lib && echo changed >> lib/README.md && echo new > lib/new";
  spawnSync("sh", ["-c", line], { cwd: root });
  const state = () =>
    ["submodule status", "-C lib status --porcelain", "config --local --list"].map(
      (words) => spawnSync("git", words.split(" "), { cwd: root, encoding: "utf8" }).stdout,
    );
  const [before, gitBefore] = [treeOf(root), state()];
  expect(gitBefore[1]).toContain("?? new");
  for (const command of ["git submodule deinit -f lib", "git submodule deinit --force --all"]) {
    undone(command, context);
    expect(treeOf(root)).toEqual(before);
    expect(state().map((text) => text.split("\n").sort())).toEqual(gitBefore.map((text) => text.split("\n").sort()));
  }
});

test("a dry undo tells what would come back and changes nothing; a second undo finds it there", () => {
  const context = project();
  const { root, env } = context;
  const run = (line: string) => spawnSync("sh", ["-c", line], { cwd: root, encoding: "utf8" }).stdout;
  const before = gitStateOf(root);
  const command = "rm README.md; git branch -D topic; git tag -d v1; git stash drop";
  const kept = keepLosses(event(command, root), context);
  if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
  run(command);
  const lost = gitStateOf(root);
  const undo = (options = {}) => undoCall(undoFolder(env), kept.call, options);
  const told = undo({ isDry: true });
  expect([gitStateOf(root), existsSync(join(root, "README.md"))]).toEqual([lost, false]);
  expect(told.restored).toHaveLength(4);
  expect(undo()).toEqual(told);
  expect(gitStateOf(root)).toBe(before);
  expect(undo()).toMatchObject({ restored: [], left: [], same: { length: 4 } });
  run("git tag -f v1 HEAD; git branch -f topic HEAD");
  const another = "there is another one of that name now";
  expect(undo().left.map(({ why }) => why)).toEqual([another, another]);
});

test("names of one file are names of one file again, and what was written through one of them comes back under all", () => {
  const context = project();
  const at = (path: string) => join(context.root, path);
  mkdirSync(at("pair"));
  writeFileSync(at("pair/one"), "both\n");
  linkSync(at("pair/one"), at("pair/two"));
  linkSync(at("pair/one"), at("three"));
  undone("echo new > three", context);
  expect([readFileSync(at("pair/one"), "utf8"), statSync(at("three")).nlink]).toEqual(["both\n", 3]);
  rmSync(at("three"));
  undone("rm -rf pair", context);
  expect(statSync(at("pair/one")).ino).toBe(statSync(at("pair/two")).ino);
});

test("an empty file that git only means to add comes back", () => {
  const context = project();
  const run = (line: string) => spawnSync("sh", ["-c", line], { cwd: context.root });
  run("mkdir fresh && : > fresh/empty.ts && git add -N fresh/empty.ts && git commit -qm x -- README.md");
  undone("rm -rf fresh", context);
  expect(statSync(join(context.root, "fresh/empty.ts")).size).toBe(0);
});

test("files, folders and symlinks have their owner and their times again", () => {
  const context = project();
  const at = (path: string) => join(context.root, path);
  mkdirSync(at("pair"));
  writeFileSync(at("pair/one"), "one\n");
  symlinkSync("one", at("pair/link"));
  const all = ["pair/one", "pair/link", "pair"].map(at);
  for (const path of all) {
    // Only root can give files away.
    if (process.geteuid?.() === 0) lchownSync(path, 1234, 2345);
    lutimesSync(path, 1_600_000_000, 1_600_000_000.123456);
  }
  const facts = () =>
    all.map((path) => {
      const { uid, gid, mtimeMs, mode } = lstatSync(path);
      return [uid, gid, mtimeMs.toFixed(3), mode];
    });
  const before = facts();
  undone("rm -rf pair", context);
  expect(facts()).toEqual(before);
});

test("a merge that a reset ends goes on after an undo", () => {
  const context = project();
  const run = (line: string) => spawnSync("sh", ["-c", line], { cwd: context.root, encoding: "utf8" }).stdout;
  run("git stash -qu; git checkout -q topic; echo topic > src/index.ts; git commit -qam topic; git merge -q main");
  const merging = run("git status; git ls-files -u; cat .git/MERGE_HEAD src/index.ts");
  expect(merging).toContain("Unmerged paths");
  undone("git reset --hard", context);
  expect(run("git status; git ls-files -u; cat .git/MERGE_HEAD src/index.ts")).toBe(merging);
});
