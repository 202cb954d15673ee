import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hook, HookExecutor, HookRegistry } from "../../src/index.ts";
import { AGENTS, eventOf } from "./agent-calls.ts";
import { TREE, WRITTEN_RULES } from "./written-rules.ts";

/** Rules that people write, tried on disk with the calls of five agents. */

const root = realpathSync(mkdtempSync(join(tmpdir(), "written-rules-")));
const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { env: GIT_ENV, stdio: "pipe" });
const GIT_ENV = {
  PATH: process.env.PATH,
  HOME: root,
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
};

beforeAll(() => {
  for (const [path, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "https://git.example/x.git");
  git("add", ".", ":!db/migrations/002.sql");
  git("commit", "-qm", "one");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("branch", "-q", "--set-upstream-to=origin/main");
  git("branch", "-q", "topic");
  git("branch", "-q", "release/1.0");
  git("add", ".");
  git("commit", "-qm", "two");
  writeFileSync(join(root, "README.md"), "changed\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("rules that people write", () => {
  it("are sixty, each with six calls or more", () => {
    expect(WRITTEN_RULES.length).toBeGreaterThanOrEqual(60);
    for (const { rule, stops, passes } of WRITTEN_RULES) expect(stops.length + passes.length, rule).toBeGreaterThan(5);
  });

  it.each(WRITTEN_RULES)("$rule: stops what it is about, and nothing close to it, for every agent", async (written) => {
    const { rule, says, stops, passes, isAboutGit } = written;
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON({ name: "written", event: "tool:pre_execute", rules: rule }));
    const executor = new HookExecutor({ registry, workingDir: root });
    const wrong: string[] = [];
    const calls = [...stops.map((act) => [act, says] as const), ...passes.map((act) => [act, "continue"] as const)];
    for (const [index, [act, wanted]] of calls.entries())
      for (const agent of isAboutGit ? AGENTS.slice(index % AGENTS.length).slice(0, 1) : AGENTS) {
        const { action } = await executor.decide(eventOf(agent, act, root));
        if (action !== wanted) wrong.push(`${agent}: ${JSON.stringify(act)} is ${action}, not ${wanted}`);
      }
    expect(wrong).toEqual([]);
  });
});
