import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { unknownHistory } from "./git-doubts.ts";

/** A repository in which another branch has other hooks, and one in which there is only one state of them. */
const [varied, single] = [folder(), folder()];
afterAll(() => {
  for (const root of [varied, single]) rmSync(root, { recursive: true, force: true });
});

function folder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "sluice-doubts-")));
}

function git(root: string, ...words: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...words], { cwd: root, stdio: "ignore" });
}

beforeAll(() => {
  for (const root of [varied, single]) {
    git(root, "init", "-q", "-b", "main", "--template=");
    writeFileSync(join(root, "hooks.yaml"), "guards: standard\n");
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/a.ts"), "");
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
  }
  git(varied, "checkout", "-qb", "other");
  writeFileSync(join(varied, "hooks.yaml"), "guards: none\n");
  git(varied, "commit", "-qam", "two");
  git(varied, "checkout", "-q", "main");
  git(varied, "fetch", "-q", ".", "main");
});

function doubt(command: string, root = varied): string | undefined {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: root }));
  const places = [
    { path: join(root, "hooks.yaml"), kind: "file", what: "", base: root },
    { path: join(root, "gone.yaml"), kind: "file", what: "", base: root },
    { path: "/etc/hosts", kind: "file", what: "", base: "/etc" },
  ] as const;
  return unknownHistory(call, { places }, root);
}

describe("a state of the project that is known only when the line runs is a question", () => {
  it.each([
    "git checkout $B",
    "git checkout $B -- hooks.yaml",
    "git reset --hard $B",
    "git -C . switch $B",
    "git merge $(git branch --list x)",
    "git stash pop $N",
    "git branch x other && git checkout x",
    "git tag x other; git checkout x",
    "git update-ref refs/heads/main other && git reset --hard",
    "git update-ref HEAD other && git checkout HEAD -- .",
    "git fetch . other && git merge FETCH_HEAD",
    "git update-ref refs/heads/main other && git checkout HEAD -- .",
    "git branch -f main other && git checkout @ -- hooks.yaml",
    "git fetch origin && git checkout not-here",
    "git symbolic-ref HEAD refs/heads/other && git reset --hard",
    "git checkout --orphan x && git reset && git clean -fd",
    "git replace main other && git checkout main",
    "git push . other:main && git reset --hard",
    "git push . other:main && git checkout main",
    "git push . +main:other && git checkout main",
    "git branch -f a/b other && git checkout b",
    "git bisect start main other",
    "git rm --cached hooks.yaml && git checkout-index -a -f && git clean -f",
    "git config core.worktree /x && git reset --hard",
    "cp x .git/index && git checkout -- .",
    "git config core.sparseCheckout true && git checkout main",
    "git replace x other && git checkout main",
    "git fetch . other && git checkout main FETCH_HEAD",
    "git update-ref --stdin && git checkout main",
    "git fast-import && git reset --hard",
    "git read-tree other && git checkout-index -a -f",
    "git fetch . other:x && git checkout x",
    "git fetch . +other:x && git checkout x",
    "git -c a.b=c -C . checkout $B",
    "git --git-dir .git checkout $B",
    "git rebase $B",
    "git cherry-pick $B",
    "git revert $B",
    "git pull . $B",
    "git read-tree -u $B",
    "git stash apply $N",
    "git stash branch x $N",
    "git switch $B",
    "git restore --source=$B .",
    "git restore -s$B hooks.yaml",
    "git restore -s $B hooks.yaml",
    "git branch x other && git restore --source=x hooks.yaml",
  ])("%s", (command) => {
    expect(doubt(command)).toMatch(/^`git .+` brings a state of the project that is known only when it runs$/);
  });

  it.each([
    "git sparse-checkout set src",
    "git sparse-checkout init",
    "git switch --orphan x",
    "git filter-branch --all",
    "git sparse-checkout add src",
    "git sparse-checkout reapply",
  ])("%s", (command) => {
    expect(doubt(command)).toBe(`\`${command}\` takes files of the project away, and hooks with them`);
  });

  it("git merge-file hooks.yaml a b", () => {
    expect(doubt("git merge-file hooks.yaml a b")).toBe(
      "`git merge-file hooks.yaml a b` changes the configuration of Sluice",
    );
  });
});

it.each([
  "ls",
  "git status",
  "git commit -m x",
  "git log $B",
  "git checkout main",
  "git checkout $B -- src",
  "git restore --source=$B src",
  "git stash $X",
  "git stash list",
  "git branch && git checkout main",
  "git branch --list && git checkout main",
  "git branch x other && git checkout main",
  "git tag -l && git reset --hard",
  "git fetch origin && git checkout main",
  "git fetch origin && git checkout src",
  "git rm src/a.ts && git checkout main",
  "git config user.name x && git checkout main",
  "git bisect start",
  "git merge-file src/a.ts hooks.yaml b",
  "git sparse-checkout list",
  "git switch main",
  "git checkout --orphan x",
  "git sparse-checkout disable",
  "git sparse-checkout",
  "git stash drop $N",
  "git stash",
  "git merge-file",
  "git branch -v && git checkout main",
  "git config core.editor x && git checkout main",
  "git rm --cached src/a.ts && ls",
  "echo x > src/.gitx && git checkout main",
  "git bisect",
  "git checkout main src/a.ts",
  "git rm --cached src/a.ts && git reset --hard HEAD",
  "git fetch origin && git checkout -q main",
  "echo git checkout $B",
  "cp x .git/index && ls",
  "frobnicate checkout $B",
  "git -C /nowhere status",
])("a known state, or one that does not affect hooks, passes: %s", (command) => {
  expect(doubt(command)).toBe(undefined);
});

it("if no other state of the hooks exists, only a command that may create one is a question", () => {
  expect(doubt("git checkout $B", single)).toBe(undefined);
  expect(doubt("git branch x && git checkout x", single)).toBe(undefined);
  expect(doubt("git checkout $(git rev-list HEAD | tail -1)", single)).toBeDefined();
  expect(doubt("git checkout main~$N", single)).toBeDefined();
  expect(doubt("git update-index --cacheinfo x && git checkout -- .", single)).toBeDefined();
});

it("a long line is reported with its beginning", () => {
  const said = doubt(`git checkout $B ${"x".repeat(300)}`);
  expect(said?.indexOf("` brings")).toBe(121);
});
