import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sampleProject } from "../../../tests/undo/sample-project.ts";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { readCommandLine } from "../../effects/parse/read-command-line.ts";
import { HookEvent } from "../../event/event.ts";
import { gitText } from "../../fs/run-git.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { bytePath, pathText } from "./byte-path.ts";
import { gitPaths, heldByGit, indexedByGit } from "./git.ts";
import { gitLoss, stashTaken } from "./git-losses.ts";
import { keepLosses } from "./keep.ts";
import { readKept, undoFolder } from "./kept-call.ts";
import { DRY_STORE } from "./object-store.ts";
import { hasOpenCalls } from "./open-calls.ts";
import { noteEnd } from "./recover.ts";
import { undoCall } from "./restore.ts";

let root = "";
const names = new Map<string, string>();
beforeAll(() => {
  root = sampleProject(join(realpathSync(mkdtempSync(join(tmpdir(), "sluice-git-losses-"))), "project"));
  for (const name of ["HEAD", "HEAD~1", "stash@{0}", "stash@{1}"])
    names.set(gitText(root, ["rev-parse", name]) ?? "", name);
  for (const [name, to] of [
    ["refs/remotes/far", "HEAD~1"],
    [`refs/replace/${gitText(root, ["rev-parse", "stash@{1}"])}`, "HEAD"],
  ])
    gitText(root, ["update-ref", name ?? "", to ?? ""]);
});
afterAll(() => rmSync(join(root, ".."), { recursive: true, force: true }));

const commandIn = (line: string) => {
  const [command] = readCommandLine(line, {}).commands;
  if (command === undefined) throw new Error(line);
  return command;
};
const named = (id = "") => names.get(id) ?? id;

/** The files and references that a command throws away, in a few words; why it cannot be told, where it cannot. */
function lost(line: string, isAfter = false): string {
  try {
    const { paths, refs } = gitLoss(commandIn(line), root, DRY_STORE, isAfter);
    const files = paths.map(({ path, isTree }) => pathText(path).slice(root.length + 1) + (isTree ? "" : "!"));
    const moved = refs.map(({ name, id, movedTo, checkedOut, left, config }) =>
      [
        `${name.replace(/[0-9a-f]{40}$/, named)}@${named(id)}`,
        ...(movedTo === undefined ? [] : [`to ${named(movedTo)}`]),
        ...(checkedOut === undefined ? [] : [`on ${checkedOut}`]),
        ...(left === undefined ? [] : [`left for ${named(left)}`]),
        ...(config ?? []).map(([key, value]) => `${key}=${value}`),
      ].join(" "),
    );
    return `${files.sort().join(" ")} | ${moved.join(", ")}`;
  } catch (error) {
    return String((error as Error).message);
  }
}

test.each([
  ["a branch that is called HEAD too", "update-ref refs/heads/HEAD HEAD~1", "refs/heads/main@HEAD to HEAD"],
  ["no branch checked out", "checkout -q --detach", "HEAD@HEAD to HEAD"],
])("a reset keeps what it moves with %s", (_, setting, moved) => {
  const folder = sampleProject(mkdtempSync(join(tmpdir(), "sluice-head-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("git", setting.split(" "), { cwd: folder, stdio: "ignore" });
  const { refs } = gitLoss(commandIn("git reset -q"), folder, DRY_STORE, false);
  expect(refs.map(({ name, id, movedTo }) => `${name}@${named(id)} to ${named(movedTo)}`)).toEqual([moved]);
  expect(refs[0]?.index).toBeDefined();
});

test.each<[line: string, said: string]>([
  ["git reset --hard", "README.md src/staged.ts | refs/heads/main@HEAD to HEAD"],
  ["git reset --hard HEAD~1", "README.md src/index.ts src/staged.ts | refs/heads/main@HEAD to HEAD~1"],
  ["git reset --keep HEAD~1", "README.md src/index.ts src/staged.ts | refs/heads/main@HEAD to HEAD~1"],
  ["git reset", " | refs/heads/main@HEAD to HEAD"],
  ["git reset --soft HEAD~1", " | refs/heads/main@HEAD to HEAD~1"],
  ["git reset README.md", " | refs/heads/main@HEAD to HEAD"],
  ["git reset --hard nowhere", 'git knows no commit "nowhere"'],
  ["/usr/bin/git -C src reset --hard", "README.md src/staged.ts | refs/heads/main@HEAD to HEAD"],
  ["git checkout .", "README.md | "],
  ["git checkout README.md", "README.md | "],
  ["git checkout -- src", " | "],
  ["git checkout HEAD~1 -- src", "src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git checkout HEAD~1 src/index.ts", "src/index.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  [
    "git checkout topic",
    "README.md src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD",
  ],
  ["git checkout -b new", " | "],
  [
    "git checkout -b new HEAD~1",
    "README.md src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD",
  ],
  [
    "git checkout -B topic",
    " | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  [
    "git checkout -Btopic HEAD",
    "README.md src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  ["git checkout missing", "what `git checkout missing` means is not known beforehand"],
  ["git checkout -p", "what `git checkout -p` throws away is not known beforehand"],
  ["git checkout --orphan x", "what `git checkout --orphan` throws away is not known beforehand"],
  ["git checkout --conflict=merge topic", "what `git checkout --conflict=merge` throws away is not known beforehand"],
  [
    "git switch topic",
    "README.md src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD",
  ],
  ["git switch -c new", " | "],
  [
    "git switch -C topic HEAD",
    "README.md src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  [
    "git switch --force-create=topic",
    " | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  [
    "git switch --create new HEAD~1",
    "README.md src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD",
  ],
  ["git switch --orphan x", "what `git switch --orphan` throws away is not known beforehand"],
  ["git switch -m topic", "what `git switch -m` throws away is not known beforehand"],
  ["git restore README.md", "README.md | "],
  ["git restore --source=HEAD~1 src", "src/index.ts src/staged.ts | "],
  ["git restore -sHEAD~1 src", "src/index.ts src/staged.ts | "],
  ["git restore -s HEAD~1 src", "src/index.ts src/staged.ts | "],
  ["git restore --staged .", " | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore -S src", " | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore -SW src", "src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore --staged --worktree src", "src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore -p", "what `git restore -p` throws away is not known beforehand"],
  ["git restore -- README.md", "README.md | "],
  ["git rm src/index.ts", " | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git mv a b", " | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  [
    "git clean -f",
    "folder! link! notes/b��! notes/dangling! notes/empty.txt! notes/todo.md! notes/ümläut.txt! notes/�/�! | ",
  ],
  ["git clean -fd", "folder! link! notes | "],
  ["git clean -f --directory", "folder! link! notes | "],
  [
    "git clean -fx",
    "folder! link! logs/app.log! notes/b��! notes/dangling! notes/empty.txt! notes/todo.md! notes/ümläut.txt! notes/�/�! scratch.tmp! | ",
  ],
  ["git clean -fX", "logs/app.log! scratch.tmp! | "],
  ["git clean -fdx notes", "notes | "],
  ["git clean -fdx -e notes", "folder! link! logs notes scratch.tmp! | "],
  ["git clean -fd -- notes", "notes | "],
  ["git clean -i", "what `git clean -i` throws away is not known beforehand"],
  ["git checkout-index -f -a", "README.md | "],
  ["git checkout-index -f README.md", "README.md | "],
  ["git checkout-index --prefix=x -a", "what `git checkout-index --prefix=x` throws away is not known beforehand"],
  ["git read-tree -u --reset HEAD~1", "README.md src/index.ts src/staged.ts | refs/heads/main@HEAD to "],
  ["git read-tree HEAD HEAD~1", "what several trees throw away is not known beforehand"],
  ["git read-tree -m HEAD", "what `git read-tree -m` throws away is not known beforehand"],
  ["git stash drop", " | refs/stash@stash@{0}"],
  ["git stash drop 1", " | refs/stash@stash@{1}"],
  ["git stash drop stash@{1}", " | refs/stash@stash@{1}"],
  ["git stash drop stash@{7}", 'there is no stash "stash@{7}"'],
  ["git stash drop x", 'there is no stash "x"'],
  ["git stash clear", " | refs/stash@stash@{0}, refs/stash@stash@{1}"],
  ["git stash", "what `git stash push` throws away is not known beforehand"],
  ["git branch -D topic", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch --delete topic missing", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch -Dr topic", " | "],
  ["git branch -D -f topic", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch -fd topic", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch --delete --force topic", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch -f topic", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  ["git branch --force topic HEAD", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  [
    "git branch -M topic",
    " | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  [
    "git branch -m main topic",
    " | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD, refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin",
  ],
  ["git branch -M topic main", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin, refs/heads/main@HEAD to HEAD~1"],
  ["git branch -C main topic", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  ["git branch -f topic nowhere", 'git knows no commit "nowhere"'],
  ["git tag -d v1", " | refs/tags/v1@HEAD~1"],
  ["git tag --delete v1 v2", " | refs/tags/v1@HEAD~1"],
  ["git tag -f v1", " | refs/tags/v1@HEAD~1 to HEAD"],
  ["git tag --force v1 HEAD", " | refs/tags/v1@HEAD~1 to HEAD"],
  ["git tag -f -m x v1", "a tag with a message that is set anew is not kept"],
  ["git replace -d HEAD", " | "],
  ["git update-ref -d refs/heads/topic", " | refs/heads/topic@HEAD~1"],
  ["git update-ref refs/heads/topic HEAD", " | refs/heads/topic@HEAD~1 to HEAD"],
  ["git update-ref topic HEAD", "which branch it is about is not told"],
  ["git update-ref --stdin", "what `git update-ref --stdin` throws away is not known beforehand"],
  ["git -C src checkout .", " | "],
  ["git -c a.b=c -P checkout README.md", "README.md | "],
  ["git --git-dir=x checkout .", "`git --git-dir=x` may mean another repository"],
  ["/usr/bin/git tag -d v1", " | refs/tags/v1@HEAD~1"],
  [
    "git checkout topic --patches",
    "README.md src/index.ts src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/topic, refs/heads/main@HEAD",
  ],
  ["git checkout -mx topic -- README.md", "README.md | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git checkout x-p", "what `git checkout x-p` means is not known beforehand"],
  ["git checkout README.md missing", "what `git checkout README.md` means is not known beforehand"],
  ["git checkout *.md", "README.md | "],
  ["git checkout :/README.md", "README.md | "],
  ["git checkout --merge topic", "what `git checkout --merge` throws away is not known beforehand"],
  [
    "git checkout --pathspec-from-file=x",
    "what `git checkout --pathspec-from-file=x` throws away is not known beforehand",
  ],
  ["git checkout --patch", "what `git checkout --patch` throws away is not known beforehand"],
  ["git checkout nowhere -- README.md", 'git knows no commit "nowhere"'],
  [
    "git checkout",
    "README.md src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/main, refs/heads/main@HEAD",
  ],
  [
    "git switch",
    "README.md src/staged.ts | HEAD@HEAD on refs/heads/main left for refs/heads/main, refs/heads/main@HEAD",
  ],
  ["git switch --merge topic", "what `git switch --merge` throws away is not known beforehand"],
  ["git switch --conflict=merge topic", "what `git switch --conflict=merge` throws away is not known beforehand"],
  ["git switch --create=new", " | "],
  ["git switch nowhere", 'git knows no commit "nowhere"'],
  ["git reset --merge HEAD~1", "README.md src/index.ts src/staged.ts | refs/heads/main@HEAD to HEAD~1"],
  ["git reset --har HEAD~1", "README.md src/index.ts src/staged.ts | refs/heads/main@HEAD to HEAD~1"],
  ["git reset --hardly", "README.md src/staged.ts | refs/heads/main@HEAD to HEAD"],
  [
    "git restore --staged --work README.md src/staged.ts",
    "README.md src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD",
  ],
  ["git reset --s HEAD~1", "which option of git `--s` means is not known beforehand"],
  ["git restore -s HEAD~1 src/index.ts README.md", "README.md src/index.ts | "],
  ["git restore --source HEAD~1 src", "src/index.ts src/staged.ts | "],
  ["git restore --source nowhere src", 'git knows no commit "nowhere"'],
  ["git restore -s HEAD~1 -- src", "src/index.ts src/staged.ts | "],
  ["git restore -qS src", " | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore -S -W src", "src/staged.ts | HEAD@HEAD on refs/heads/main, refs/heads/main@HEAD"],
  ["git restore --patch", "what `git restore --patch` throws away is not known beforehand"],
  [
    "git restore --pathspec-from-file=x",
    "what `git restore --pathspec-from-file=x` throws away is not known beforehand",
  ],
  ["git restore -m x", "what `git restore -m` throws away is not known beforehand"],
  ["git restore --conflict=merge x", "what `git restore --conflict=merge` throws away is not known beforehand"],
  ["git clean --interactive", "what `git clean --interactive` throws away is not known beforehand"],
  ["git clean -fd --exclude notes", "folder! link! notes | "],
  ["git clean -fde notes folder", "folder! | "],
  ["git clean --exclude=d -f folder", "folder! | "],
  ["git clean -f ../elsewhere", "git cannot say what it would remove"],
  ["git checkout-index --stdin", "what `git checkout-index --stdin` throws away is not known beforehand"],
  ["git checkout-index --temp x", "what `git checkout-index --temp` throws away is not known beforehand"],
  ["git checkout-index --stage=2 x", "what `git checkout-index --stage=2` throws away is not known beforehand"],
  ["git checkout-index -f -- README.md", "README.md | "],
  ["git checkout -- ../elsewhere", "git cannot say what it would throw away"],
  ["git read-tree --prefix=x HEAD", "what `git read-tree --prefix=x` throws away is not known beforehand"],
  ["git read-tree --index-output=x HEAD", "what `git read-tree --index-output=x` throws away is not known beforehand"],
  ["git read-tree", "what several trees throw away is not known beforehand"],
  ["git stash drop 10", 'there is no stash "10"'],
  ["git stash drop 01", " | refs/stash@stash@{1}"],
  ["git stash drop 1x", 'there is no stash "1x"'],
  ["git stash drop x1", 'there is no stash "x1"'],
  ["git stash drop xstash@{1}", 'there is no stash "xstash@{1}"'],
  ["git stash drop stash@{1}x", 'there is no stash "stash@{1}x"'],
  ["git stash -q", "what `git stash push` throws away is not known beforehand"],
  ["git stash -- drop", "what `git stash push` throws away is not known beforehand"],
  ["git branch -D -- topic", " | refs/heads/topic@HEAD~1 branch.topic.remote=origin"],
  ["git branch -d --remotes far", " | refs/remotes/far@HEAD~1"],
  ["git branch -Dr far", " | refs/remotes/far@HEAD~1"],
  ["git branch -rd far", " | refs/remotes/far@HEAD~1"],
  [
    "git branch --move topic main",
    " | refs/heads/topic@HEAD~1 branch.topic.remote=origin, refs/heads/main@HEAD to HEAD~1",
  ],
  ["git branch --copy main topic", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  ["git branch -c main topic", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  ["git branch -c topic", " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin"],
  ["git branch -f topic HEAD~1", " | refs/heads/topic@HEAD~1 to HEAD~1 branch.topic.remote=origin"],
  ["git tag -f v1 nowhere", 'git knows no commit "nowhere"'],
  ["git tag -fa v1", "a tag with a message that is set anew is not kept"],
  ["git tag --force-x v1", "a tag with a message that is set anew is not kept"],
  ["git replace -d stash@{1}", " | refs/replace/stash@{1}@HEAD"],
  ["git update-ref refs/heads/topic nowhere", 'git knows no commit "nowhere"'],
  ["git update-ref refs/heads/topic", " | refs/heads/topic@HEAD~1"],
  ["git update-ref -d refs/heads/topic HEAD", " | refs/heads/topic@HEAD~1"],
  ["git update-ref refs/heads/none HEAD", " | "],
  ["git -p checkout README.md", "README.md | "],
  ["git --paginate --no-pager --no-optional-locks --literal-pathspecs checkout README.md", "README.md | "],
  ["git --no-pagers checkout .", "`git --no-pagers` may mean another repository"],
  ["git --x-P checkout .", "`git --x-P` may mean another repository"],
  ["git -C src -C .. checkout .", "README.md | "],
  ["git -C .. reset --hard", 'git knows no commit "HEAD"'],
  ["git -C .. checkout .", "git finds no repository here"],
  ["git -C .. stash drop", " | "],
  ["git.exe tag -d v1", " | refs/tags/v1@HEAD~1"],
  ["GIT tag -d v1", " | refs/tags/v1@HEAD~1"],
  ["git-x tag -d v1", "what `git-x` throws away is not known beforehand"],
  ["./x-git tag -d v1", "what `./x-git` throws away is not known beforehand"],
  ["git", "what `git ` throws away is not known beforehand"],
  ["hg update", "what `hg` throws away is not known beforehand"],
  ["git frobnicate", "what `git frobnicate` throws away is not known beforehand"],
  ['git checkout "$X"', "the words of a git command are known only when it runs"],
])("%s", (line, said) => {
  expect(lost(line)).toBe(said);
});

test("where no branch is checked out, a branch whose name another one is to take is kept all the same", () => {
  gitText(root, ["update-ref", "--no-deref", "HEAD", gitText(root, ["rev-parse", "HEAD"]) ?? ""]);
  onTestFinished(() => void gitText(root, ["symbolic-ref", "HEAD", "refs/heads/main"]));
  const topic = " | refs/heads/topic@HEAD~1 to HEAD branch.topic.remote=origin";
  expect(["-m", "-M", "-c", "-C"].map((option) => lost(`git branch ${option} topic`))).toEqual(Array(4).fill(topic));
});

test("after another command of git, files may be gone that it ignores now", () => {
  expect(lost("git clean -f", true)).toBe(lost("git clean -fx"));
});

test.each([
  ["git stash pop", ["stash@{0}"]],
  ["git stash pop stash@{1}", ["stash@{1}"]],
  ["git stash pop --index 1", ["stash@{1}"]],
  ["git stash branch new stash@{1}", ["stash@{1}"]],
  ["git stash apply", []],
  ["git stash list", []],
])("%s takes a stash", (line, taken) => {
  expect(stashTaken(commandIn(line), root).map(({ id }) => named(id))).toEqual(taken);
});

describe("what git holds", () => {
  test("of the last commit and of the index is known by its id, files alone", () => {
    const [held, indexed] = [heldByGit(root), indexedByGit(root)];
    const path = (name: string) => bytePath(join(root, name));
    const blob = (spec: string) => gitText(root, ["rev-parse", spec]);
    expect(held.get(path("src/index.ts"))).toBe(blob("HEAD:src/index.ts"));
    expect([held.has(path("src")), held.has(path("src/staged.ts"))]).toEqual([false, false]);
    expect(indexed.get(path("src/staged.ts"))).toBe(blob(":src/staged.ts"));
    expect(indexed.size).toBe(held.size + 1);
  });

  test("is nothing outside of a repository", () => {
    const folder = join(root, "..");
    expect([heldByGit(folder).size, indexedByGit(folder).size, gitPaths(folder, ["ls-files", "-z"])]).toEqual([
      0,
      0,
      undefined,
    ]);
  });
});

describe("references that a call has moved or removed", () => {
  /** A copy of the project, and the undo of a command that is run in it. */
  function changed(command: string, later = ":") {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-git-refs-")));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const copy = join(base, "project");
    const run = (line: string) => execFileSync("sh", ["-c", line], { cwd: copy, stdio: "pipe" }).toString().trim();
    execFileSync("cp", ["-a", root, copy]);
    const env = { HOME: base, XDG_STATE_HOME: join(base, "state") };
    const event = (type: "tool:pre_execute" | "tool:post_execute") =>
      new HookEvent({ type, toolName: "Bash", cwd: copy, sessionId: "s", data: { tool_args: { command } } });
    const context = { root: copy, env, settings: UNDO_DEFAULTS, lookups: diskLookups };
    const kept = keepLosses(event("tool:pre_execute"), context);
    if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
    const isOpen = hasOpenCalls(env);
    run(command);
    noteEnd(event("tool:post_execute"), env);
    run(later);
    const folder = undoFolder(env);
    const now = readKept(folder).at(-1) ?? kept.call;
    return { run, isOpen, undo: (isDry = false) => undoCall(folder, now, { isDry }) };
  }

  test("a dry undo moves no branch back, and an undo does once", () => {
    const { run, undo, isOpen } = changed("git branch -f topic HEAD");
    expect(isOpen).toBe(false);
    const [before, back] = [run("git rev-parse topic"), run("git rev-parse HEAD~1")];
    const told = [expect.stringMatching(/^branch topic at [0-9a-f]{12}$/)];
    expect(undo(true)).toEqual({ restored: told, same: [], left: [] });
    expect(run("git rev-parse topic")).toBe(before);
    expect(undo()).toEqual({ restored: told, same: [], left: [] });
    expect(run("git rev-parse topic")).toBe(back);
    expect(undo(true)).toEqual({ restored: [], same: told, left: [] });
  });

  test("a branch that has moved since stays where it is", () => {
    const { undo, run } = changed(
      "git branch -f topic HEAD",
      "git branch -f topic v1^{commit}; git branch -f topic stash@{0}",
    );
    const now = run("git rev-parse topic");
    expect(undo().left).toEqual([{ path: expect.stringContaining("branch topic at "), why: "it has moved since" }]);
    expect(run("git rev-parse topic")).toBe(now);
  });

  test("a branch comes back with its settings, which are not written twice", () => {
    const { undo, run } = changed("git branch -D topic", "git config branch.topic.remote origin");
    expect(undo(true).restored).toHaveLength(1);
    expect(undo().left).toEqual([]);
    expect(run("git config --get-all branch.topic.remote")).toBe("origin");
  });

  test("what is staged comes back; where something else was checked out since it stays", () => {
    const staged = changed("git restore --staged .");
    expect(staged.isOpen).toBe(true);
    expect(staged.run("git diff --cached --name-only")).toBe("");
    expect(staged.undo().left).toEqual([]);
    expect(staged.run("git diff --cached --name-only")).toBe("src/staged.ts");
    const away = changed("git restore --staged .", "git checkout -q --detach");
    expect(away.undo().left.map(({ why }) => why)).toContain("something else has been checked out since");
  });
});
