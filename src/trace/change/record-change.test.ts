import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { revisionOf } from "./record-change.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-revision-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  git(folder, "init", "-q", "-b", "main");
  return folder;
}

function committed(): string {
  const folder = repository();
  writeFileSync(join(folder, "a"), "a");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  return folder;
}

test("the commit of a branch is read without running git", () => {
  const folder = committed();
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  expect(revisionOf(folder)).toBe(git(folder, "rev-parse", "HEAD"));
  expect(revisionOf(join(folder, "src/deep"))).toBe(git(folder, "rev-parse", "HEAD"));
});

test.each([
  ["refs are packed", ["pack-refs", "--all"]],
  ["no branch is checked out", ["checkout", "-q", "--detach"]],
  ["the branch has slashes in its name", ["checkout", "-qb", "feature/x/y"]],
])("it is found when %s", (_, words) => {
  const folder = committed();
  git(folder, ...words);
  expect(revisionOf(folder)).toBe(git(folder, "rev-parse", "HEAD"));
});

test("a work tree of its own has a commit of its own", () => {
  const folder = committed();
  const other = join(folder, "..", `${folder.split("/").at(-1)}-tree`);
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  git(folder, "worktree", "add", "-qb", "other", other);
  git(other, "commit", "-q", "--allow-empty", "-m", "second");
  expect(revisionOf(other)).toBe(git(other, "rev-parse", "HEAD"));
  expect(revisionOf(other)).not.toBe(revisionOf(folder));
});

test("without a commit there is none, and what git's files say is believed only if it is a commit", () => {
  const folder = repository();
  expect(revisionOf(folder)).toBeNull();
  writeFileSync(join(folder, ".git/HEAD"), "ref: refs/../../../../etc/hostname\n");
  expect(revisionOf(folder)).toBeNull();
  writeFileSync(join(folder, ".git/HEAD"), "rm -rf /\n");
  expect(revisionOf(folder)).toBeNull();
});
