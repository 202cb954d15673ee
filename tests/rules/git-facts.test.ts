import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hook, HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";

/** Rules ask git about branches, files and changes; nothing that the repository configures is run. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), "facts-")));
const repo = join(folder, "repo");
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: repo, stdio: "pipe" }).toString();

beforeAll(() => {
  mkdirSync(join(repo, "migrations"), { recursive: true });
  git("init", "-q", "-b", "main");
  execFileSync("git", ["init", "-q", "--bare", join(folder, "origin.git")]);
  writeFileSync(join(repo, "migrations/001.sql"), "create table a;");
  git("add", ".");
  git("commit", "-qm", "first");
  git("remote", "add", "origin", join(folder, "origin.git"));
  git("push", "-qu", "origin", "main");
  git("checkout", "-qb", "topic");
  writeFileSync(join(repo, "migrations/002.sql"), "create table b;");
  git("add", ".");
  git("commit", "-qm", "second");
  writeFileSync(join(repo, ".gitignore"), "ignored\n");
  git("add", ".");
  git("commit", "-qm", "third");
  writeFileSync(join(repo, "ignored"), "x");
  // Whoever runs what the repository configures leaves a trace.
  git("config", "core.fsmonitor", `touch ${join(folder, "ran")}; false`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function holds(condition: string, tool: string, args: object): Promise<boolean> {
  const registry = new HookRegistry();
  registry.register(
    Hook.fromJSON({ name: "rule", event: "tool:pre_execute", type: "inline", rules: `${condition} -> deny("x")` }),
  );
  const event = HookEvent.toolPreExecute(tool, args, { cwd: repo, sessionId: "s" });
  const decision = await new HookExecutor({ registry }).decide(event);
  expect(decision.results.map(({ failure }) => failure)).toEqual([undefined].slice(0, decision.results.length));
  return decision.action === "deny";
}
const runs = (condition: string, command: string) => holds(condition, "Bash", { command });

describe("a push", () => {
  it.each([
    ["git push origin main", true],
    ["git push origin HEAD:main", true],
    ["git push origin HEAD:refs/heads/main", true],
    ["git push origin +topic:main", true],
    ["git push -f origin :main", true],
    ["git push --delete origin main", true],
    ["git push --all origin", true],
    ["git push --mirror", true],
    ["git push origin 'refs/heads/*:refs/heads/*'", true],
    ["git -C . push origin main", true],
    ["cd migrations && git push origin main", true],
    ["bash -c 'git push origin main'", true],
    ["git checkout main && git push", true],
    ["git switch main; git push origin HEAD", true],
    ["git -c push.default=matching push", true],
    ["git push origin $BRANCH", true],
    ["git push", false],
    ["git push origin HEAD", false],
    ["git push origin topic", false],
    ["git push -u origin topic", false],
    ["git push origin main:topic", false],
    ["git push --tags", false],
    ["git push origin v1.0 refs/tags/main", false],
    ["git push --dry-run origin main", false],
    ["git pull origin main", false],
    ["echo git push origin main", false],
  ])("%s goes to main: %s", async (command, isSo) => {
    expect(await runs('call pushes "main"', command)).toBe(isSo);
  });

  it("without a branch goes where the settings of the repository say", async () => {
    const pushes = (branch: string, command = "git push") => runs(`call pushes "${branch}"`, command);
    git("config", "push.default", "upstream");
    git("config", "branch.topic.remote", "origin");
    git("config", "branch.topic.merge", "refs/heads/main");
    expect(await pushes("main")).toBe(true);
    git("config", "push.default", "current");
    expect(await pushes("main")).toBe(false);
    expect(await pushes("top*")).toBe(true);
    git("config", "push.default", "nothing");
    expect(await pushes("*")).toBe(false);
    git("config", "remote.origin.push", "HEAD:main");
    expect(await pushes("main")).toBe(true);
    for (const key of ["push.default", "branch.topic.remote", "branch.topic.merge", "remote.origin.push"])
      git("config", "--unset", key);
  });
});

describe("a commit", () => {
  it.each([
    ["git commit -m x", "topic", true],
    ["git commit -m x", "main", false],
    ["git checkout main && git commit -am x", "main", true],
    ["git merge main", "topic", true],
    ["git checkout migrations/001.sql && git commit -m x", "topic", true],
    ["git switch -c new && git commit -m x", "topic", false],
    ["git commit --dry-run", "topic", false],
  ])("%s is made on %s: %s", async (command, branch, isSo) => {
    expect(await runs(`call commits_to "${branch}"`, command)).toBe(isSo);
  });
});

describe("what git knows", () => {
  it("is the branch that is checked out", async () => {
    expect(await runs('branch equals "topic"', "ls")).toBe(true);
    expect(await runs('branch in ["main", "master"]', "ls")).toBe(false);
    expect(await runs('branch not_equals "main"', "ls")).toBe(true);
  });

  it("is whether a file is tracked, and whether it is on another branch", async () => {
    const rule = 'path glob "migrations/**" and path committed_on "origin/main"';
    const write = (path: string, condition = rule) =>
      holds(condition, "Write", { file_path: join(repo, path), content: "x" });
    expect(await write("migrations/001.sql")).toBe(true);
    expect(await write("migrations/002.sql")).toBe(false);
    expect(await runs(rule, "sed -i s/a/b/ migrations/*1.sql")).toBe(true);
    expect(await runs(rule, "cd migrations && echo x >> 001.sql")).toBe(true);
    expect(await runs(rule, "rm migrations/002.sql")).toBe(false);
    expect(await write("migrations/002.sql", "path tracked")).toBe(true);
    expect(await write("migrations/003.sql", "path tracked")).toBe(false);
    expect(await write("ignored", "path not_tracked")).toBe(true);
    expect(await write("migrations/001.sql", 'path committed_on "origin/none"')).toBe(false);
  });

  it("is asked about the files that the other parts of a condition name, and not about the rest of a patch", async () => {
    const patch = (...paths: string[]) =>
      `*** Begin Patch\n${paths.map((path) => `*** Update File: ${path}\n@@\n-a\n+b`).join("\n")}\n*** End Patch`;
    const rules = [
      'call writes "migrations/**"',
      '(call writes "migrations/**" or call deletes "x")',
      'path glob "migrations/*"',
    ];
    for (const rule of rules.map((part) => `${part} and path committed_on "origin/main"`)) {
      const applied = (...paths: string[]) => holds(rule, "apply_patch", { command: patch(...paths) });
      expect(await applied("migrations/002.sql", ".gitignore"), rule).toBe(false);
      expect(await applied(".gitignore", "migrations/001.sql"), rule).toBe(true);
    }
  });

  it("is also whether it lacks a file that a call removes, alone, beside others or in a folder", async () => {
    const rule = 'call deletes "**" and path untracked';
    expect(await runs(rule, "rm ignored")).toBe(true);
    expect(await runs(rule, "rm migrations/001.sql ignored")).toBe(true);
    expect(await runs(rule, "rm migrations/001.sql")).toBe(false);
    expect(await runs(rule, "rm -r migrations")).toBe(false);
    writeFileSync(join(repo, "migrations/draft"), "x");
    expect(await runs(rule, "rm -r migrations")).toBe(true);
    rmSync(join(repo, "migrations/draft"));
    expect(await runs('call writes "**" and path untracked', "touch migrations/009.sql")).toBe(true);
  });

  it("is whether anything is not committed, and nothing that the repository configures is run", async () => {
    const isDirty = () => runs('call runs "npm publish" and repo dirty', "npm publish");
    expect(await isDirty()).toBe(false);
    writeFileSync(join(repo, "new"), "x");
    expect(await isDirty()).toBe(true);
    rmSync(join(repo, "new"));
    writeFileSync(join(repo, "migrations/001.sql"), "changed");
    expect(await isDirty()).toBe(true);
    expect(() => execFileSync("test", ["-e", join(folder, "ran")])).toThrow();
  });
});
