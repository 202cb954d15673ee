import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readCommandLine } from "../../effects/parse/read-command-line.ts";
import { askGit, overwrittenByGit } from "./git-overwrites.ts";

/** A repository with one commit, the same with other commits beside it, and a clone of that. The checks do not change them; a test that does has a copy. */
const [plain, branched, cloned] = [folder(), folder(), folder()];
let root = plain;

function folder(): string {
  return mkdtempSync(join(tmpdir(), "sluice-swaps-"));
}

beforeAll(() => {
  git("init", "-q", "--template=");
  writeFileSync(join(root, "hooks.yaml"), "guards: standard\n");
  git("config", "user.name", "a");
  git("config", "user.email", "a@b.test");
  commit("one");
  copy(plain, branched);
  root = branched;
  git("checkout", "-qb", "other");
  writeFileSync(join(root, "a.txt"), "a\n");
  commit("harmless");
  git("tag", "harmless");
  writeFileSync(join(root, "hooks.yaml"), "guards: none\n");
  commit("loose");
  git("tag", "loose");
  writeFileSync(join(root, "hooks.yaml"), "guards: standard\n");
  commit("back");
  git("tag", "back");
  git("checkout", "-q", "-");
  writeFileSync(join(root, "hooks.yaml"), "guards: none\n");
  git("stash");
  for (const name of ["0stash", "stash0"]) git("tag", name, "stash@{0}");
  writeFileSync(join(root, "list.txt"), "a.txt\n hooks.yaml \n");
  writeFileSync(join(root, "other.txt"), "a.txt\n");
  git("clone", "-q", ".", cloned);
});

afterAll(() => {
  for (const made of [plain, branched, cloned]) rmSync(made, { recursive: true, force: true });
});

beforeEach(() => {
  root = plain;
});

/** Makes the root a copy that the test may change. */
function copied(from: string): void {
  const own = folder();
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  copy(from, own);
  root = own;
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function git(...words: readonly string[]): void {
  execFileSync("git", words, { cwd: root, stdio: "ignore" });
}

function commit(message: string): void {
  git("add", ".");
  git("commit", "-qm", message);
}

function swapped(command: string, cwd = root): boolean {
  const { commands } = readCommandLine(command);
  const call = { commands, place: { cwd, home: undefined } };
  const places = [{ path: join(root, "hooks.yaml"), base: root }] as unknown as Parameters<
    typeof overwrittenByGit
  >[1]["places"];
  return overwrittenByGit(call, { places }, root) !== undefined;
}

test("places are looked up only if a git command changes files of the project", () => {
  let looks = 0;
  const paths = {
    get places() {
      looks += 1;
      return [];
    },
  };
  for (const line of ["git push --force origin main", "git -C . commit -m x", "git status", "git"])
    overwrittenByGit({ commands: readCommandLine(line).commands, place: { cwd: root, home: undefined } }, paths, root);
  expect(looks).toBe(0);
  overwrittenByGit(
    { commands: readCommandLine("git pull").commands, place: { cwd: root, home: undefined } },
    paths,
    root,
  );
  expect(looks).toBe(1);
});

test("a file that is as git stores it can be restored without loss", () => {
  expect(swapped("git stash")).toBe(false);
  expect(swapped("git checkout -f")).toBe(false);
});

test("a file that was changed since would be lost", () => {
  copied(plain);
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  expect(swapped("git stash")).toBe(true);
  expect(swapped("git reset --hard")).toBe(true);
  expect(swapped("git checkout --pathspec-from-file=not-there.txt")).toBe(true);
});

describe("a file that is in the index and in no commit is lost with the index", () => {
  const LOSES = ["git stash", "git reset --hard", "git checkout -f", "git restore -SW .", "git read-tree -um HEAD"];
  beforeEach(() => {
    copied(plain);
    git("rm", "-q", "--cached", "hooks.yaml");
    git("commit", "-qm", "without it");
  });

  test.each(LOSES)("%s", (line) => {
    expect(swapped(line)).toBe(false);
    expect(swapped(`git add -A && ${line}`)).toBe(true);
    expect(swapped(`git add hooks.yaml; ${line}`)).toBe(true);
    for (const harmless of ["add a.txt", "add -n .", "add -u", "status"])
      expect(swapped(`git ${harmless} && ${line}`), harmless).toBe(false);
    git("add", "hooks.yaml");
    expect(swapped(line)).toBe(true);
  });

  test("what a line commits is not in the commit that it goes back to", () => {
    const taken = "git add . && git commit -qm x";
    for (const back of ["git checkout -q HEAD^0", "git switch -d HEAD^0", "git reset --keep HEAD^0"])
      expect(swapped(`${taken} && ${back}`), back).toBe(true);
    expect(swapped(`${taken} && git checkout -b new`)).toBe(false);
    expect(swapped("git add a.txt && git commit -qm x && git checkout -q HEAD^0")).toBe(false);
    git("add", "hooks.yaml");
    git("commit", "-qm", "with it");
    writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
    expect(swapped("git commit -qam x && git checkout -q HEAD^0")).toBe(true);
    expect(swapped("git commit -qm x && git checkout -q HEAD^0")).toBe(false);
  });
});

test("git is asked in its working directory, wherever the call is made", () => {
  copied(plain);
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  expect(swapped(`git -C ${root} stash`, tmpdir())).toBe(true);
  expect(swapped(`git -C / -C .${root} reset --hard`, tmpdir())).toBe(true);
  expect(swapped(`git --git-dir ${root}/.git --work-tree=${root} checkout -f`, tmpdir())).toBe(true);
  expect(swapped(`GIT_DIR=${root}/.git GIT_WORK_TREE=${root} git checkout -f`, tmpdir())).toBe(true);
  expect(swapped(`GIT_WORK_TREE=${root}/hooks.yaml git checkout -f`, tmpdir())).toBe(true);
  expect(swapped(`git -c core.worktree=${root}/hooks.yaml checkout -f`, tmpdir())).toBe(true);
  expect(swapped(`GIT_WORK_TREE=${root}/hooks.yaml git log`, tmpdir())).toBe(false);
  expect(swapped("git -C / stash")).toBe(false);
});

describe("commits that change protected files", () => {
  beforeEach(() => {
    root = branched;
  });

  test.each([
    ["git cherry-pick loose", true],
    ["git cherry-pick -x harmless loose", true],
    ["git cherry-pick harmless..loose", true],
    ["git revert --no-edit back", true],
    ["git merge loose", true],
    ["git pull . loose", true],
    ["git pull -q . loose:x", true],
    ["git pull OTHER loose", true],
    ["git pull file://OTHER loose", true],
    ["git stash pop", true],
    ["git stash apply 0", true],
    ["git checkout loose -- hooks.yaml", true],
    ["git checkout loose -- .", true],
    ["git checkout loose", true],
    ["git restore --source loose hooks.yaml", true],
    ["git restore -s loose .", true],
    ["git reset --hard loose", true],
    ["git reset --keep loose", true],
    ["git reset --merge loose", true],
    ["git reset --keep HEAD", false],
    ["git pull . +loose:x", true],
    ["git rm hooks.yaml --pathspec-from-file=list.txt", true],
    ["git rm --pathspec-from-file=not-there.txt", true],
    ["git rm --pathspec-from-file=list.txt", true],
    ["git rm --cached --pathspec-from-file=list.txt", false],
    ["git rm --pathspec-from-file=other.txt", false],
    ["git checkout loose -- ':(glob)**'", true],
    ["git checkout loose -- 'h*'", true],
    ["git restore -s loose -- :/", true],
    ["git switch other", false],
    ["git switch -C new loose", true],
    ["git checkout other~1", true],
    ["git rebase loose", true],
    ["git read-tree -u loose", true],
    ["git merge harmless", false],
    ["git checkout loose -- a.txt", false],
    ["git restore --source=loose a.txt", false],
    ["git restore -s loose -- a.txt", false],
    ["git reset loose -- a.txt", false],
    ["git cherry-pick harmless", false],
    ["git revert --no-edit harmless", false],
    ["git pull . harmless", false],
    ["git pull OTHER harmless", false],
    ["git pull OTHER", false],
    ["git pull", false],
    ["git pull --rebase origin main", false],
    ["git cherry-pick --abort", false],
    ["git stash pop stash@{0}", true],
    ["git stash apply 10", false],
    ["git stash apply 0stash", true],
    ["git stash apply stash0", true],
    ["git restore a-s hooks.yaml --source=loose", true],
    ["git stash branch x", true],
    ["git stash branch x stash@{0}", true],
    ["git stash branch x 0", true],
    ["git stash drop", false],
    ["git stash show", false],
    ["git clean -n", false],
    ["git restore a.txt -s loose", false],
    ["git restore hooks.yaml --source loose", true],
    ["git restore -Ws loose hooks.yaml", true],
    ["git restore -Wsloose hooks.yaml", true],
    ["git -c a.b=c -C . checkout loose", true],
    ["git -C . rm -q --pathspec-from-file=list.txt", true],
    ["git rm -n --pathspec-from-file=list.txt", false],
    ["git rm --dry-run --pathspec-from-file=list.txt", false],
    ["git cherry-pick a b c d loose", false],
    ["git cherry-pick a b c loose", true],
    ["git merge a b c d loose", false],
    ["git pull OTHER loose:x", true],
    ["git pull OTHER +loose", true],
    ["git pull --rebase OTHER loose", true],
    ["git cherry-pick main..harmless", false],
    ["git log loose", false],
    ["git", false],
    ["git -C", false],
  ])("%s: %s", (command, expected) => {
    expect(swapped(command.replace("OTHER", cloned))).toBe(expected);
  });
});

test("a pull brings what the last commit does not have, whatever is staged", () => {
  copied(plain);
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  git("add", ".");
  expect(swapped(`git pull ${cloned} harmless`)).toBe(false);
  expect(swapped(`git pull ${cloned} loose`)).toBe(true);
});

test("the reported place is the one that git changes", () => {
  root = branched;
  const places = ["a/hooks.yaml", "hooks.yaml"].map((name) => ({ path: join(root, name), base: root }));
  const call = { commands: readCommandLine("git cherry-pick loose").commands, place: { cwd: root, home: undefined } };
  const paths = { places } as unknown as Parameters<typeof overwrittenByGit>[1];
  expect(overwrittenByGit(call, paths, root)).toMatchObject({ place: { path: join(root, "hooks.yaml") } });
});

test("a pull merges the branch that was fetched before", () => {
  copied(branched);
  git("update-ref", "refs/remotes/origin/loose", "loose");
  git("update-ref", "refs/remotes/origin/harmless", "harmless");
  git("config", "remote.origin.url", "https://example.com/x");
  git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  expect(swapped("git pull origin loose")).toBe(true);
  expect(swapped("git pull origin harmless")).toBe(false);
  git("checkout", "-qB", "here");
  git("branch", "-q", "--set-upstream-to=origin/loose");
  expect(swapped("git pull")).toBe(true);
  expect(swapped("git pull origin")).toBe(true);
  git("branch", "-q", "--set-upstream-to=origin/harmless");
  expect(swapped("git pull")).toBe(false);
});

test("a pull from another repository takes the branch that is checked out there", () => {
  const other = folder();
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  copy(root, other);
  expect(swapped(`git pull ${other}`)).toBe(false);
  writeFileSync(join(other, "hooks.yaml"), "guards: none\n");
  execFileSync("git", ["commit", "-qam", "x"], { cwd: other, stdio: "ignore" });
  expect(swapped(`git pull ${other}`)).toBe(true);
  expect(swapped(`git pull file://${other}`)).toBe(true);
  expect(swapped(`git pull ${other} HEAD~1`)).toBe(false);
});

test("a dash means the previous branch", () => {
  copied(branched);
  expect(swapped("git checkout -")).toBe(false);
  git("checkout", "-q", "loose");
  git("checkout", "-q", "other");
  expect(swapped("git checkout -")).toBe(true);
  expect(swapped("git merge -")).toBe(true);
  expect(swapped("git merge -m x harmless")).toBe(false);
});

test("a clean removes untracked files", () => {
  copied(plain);
  writeFileSync(join(root, "new.yaml"), "");
  writeFileSync(join(root, ".gitignore"), "ignored.yaml\n");
  writeFileSync(join(root, "ignored.yaml"), "");
  const cleaned = (command: string, name: string) => {
    const places = [{ path: join(root, name), base: root }] as unknown as Parameters<
      typeof overwrittenByGit
    >[1]["places"];
    const call = { commands: readCommandLine(command).commands, place: { cwd: root, home: undefined } };
    return overwrittenByGit(call, { places }, root) !== undefined;
  };
  expect(cleaned("git clean -f", "new.yaml")).toBe(true);
  expect(cleaned("git clean --force", "new.yaml")).toBe(true);
  expect(cleaned("git clean -f src", "new.yaml")).toBe(false);
  expect(cleaned("git clean -fn", "new.yaml")).toBe(false);
  expect(cleaned("git clean -f --dry-run", "new.yaml")).toBe(false);
  expect(cleaned("git clean", "new.yaml")).toBe(false);
  expect(cleaned("git clean -f", "hooks.yaml")).toBe(false);
  expect(cleaned("git clean -f", "ignored.yaml")).toBe(false);
  expect(cleaned("git clean -fx", "ignored.yaml")).toBe(true);
  expect(cleaned("git stash -u", "new.yaml")).toBe(true);
  expect(cleaned("git stash --all", "new.yaml")).toBe(true);
  expect(cleaned("git stash", "new.yaml")).toBe(false);
  expect(cleaned("git stash list", "hooks.yaml")).toBe(false);
});

test("output that is too long is no answer", () => {
  const programs = folder();
  const path = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = path;
    rmSync(programs, { recursive: true, force: true });
  });
  writeFileSync(join(programs, "git"), "#!/bin/sh\nyes x | head -c 2000000\n", { mode: 0o755 });
  process.env.PATH = `${programs}:${path}`;
  expect(() => askGit(root, ["log"])).toThrow("git did not report in time what this call would bring into the project");
  writeFileSync(join(programs, "git"), "#!/bin/sh\necho x; exit 1\n", { mode: 0o755 });
  expect(askGit(root, ["log"])).toBe("");
});

test("no filter of the repository is run", () => {
  copied(plain);
  const trap = join(root, "ran");
  git("config", "filter.trap.clean", `touch ${trap}; cat`);
  writeFileSync(join(root, ".gitattributes"), "* filter=trap\n");
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  expect(swapped("git stash -u")).toBe(true);
  expect(swapped("git checkout .")).toBe(true);
  expect(existsSync(trap)).toBe(false);
});
