import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeArchive } from "../../src/archive/write-archive.ts";
import { type Project, project } from "../cli/sluice.ts";

const TOKEN = `ghp_${"aB3dE5gH7j".repeat(4)}`;
const OLD = `hooks:
  - name: no-deploy
    event: tool:pre_execute
    rules: 'args.command contains "deploy" -> deny("not from here")'
  - name: asks
    event: tool:pre_execute
    rules: 'args.command contains "fetch" -> ask("really?")'
  - name: runs
    event: tool:pre_execute
    command: 'touch ran; grep -q forbidden && exit 1; exit 0'
`;

/** A project with a policy in its last commit, and calls that were decided by it. */
function committed(...commands: readonly string[]): Project {
  return committedWith(OLD, ...commands);
}

function committedWith(policy: string, ...commands: readonly string[]): Project {
  const at = project();
  mkdirSync(join(at.root, ".sluice"), { recursive: true });
  writeFileSync(join(at.root, ".sluice/hooks.yaml"), policy);
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: at.root, stdio: "ignore" });
  git("init", "-q");
  git("add", ".sluice");
  git("commit", "-qm", "hooks");
  expect(at.sluice("trust", "--yes").code).toBe(0);
  for (const command of commands)
    at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }));
  return at;
}

const write = (at: Project, text: string) => writeFileSync(join(at.root, ".sluice/hooks.yaml"), text);
const json = (at: Project, ...words: string[]) => {
  const { out, code: exit } = at.sluice("replay", "--json", ...words);
  return { exit, report: JSON.parse(out) };
};
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

describe("sluice replay", () => {
  it.each([
    ["is no YAML", "hooks: [\n", "This is not YAML"],
    ["has no known key", "hook:\n  - name: x\n", "it has neither a key of a configuration"],
  ])("says that the working tree's file %s, where that alone is what opens calls", (_, text, why) => {
    const at = committed("make deploy");
    write(at, text);
    const { code, err } = at.sluice("replay", "--json");
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect(err).toContain("the working tree cannot be read whole: .sluice/hooks.yaml:");
    const turned = at.sluice("replay", "--policy", "git:HEAD", "--against", ".");
    expect(turned.err).toContain(why);
    write(at, OLD);
    expect(at.sluice("replay", "--json").err).not.toContain("cannot be read whole");
  });

  it("without any call, names a step that was not just taken", () => {
    const at = project();
    expect(at.sluice("replay").out).toMatch(
      /No call is recorded here; `--from` reads the history of an agent: .*codex/,
    );
    expect(at.sluice("replay", "--from", "codex").out).toMatch(/codex has kept no call since .* `--since 90d`/);
    expect(at.sluice("replay", "--from", "codex").out).not.toContain("--from");
  });

  it("says what the working tree opens against the last commit, runs nothing and writes nothing", () => {
    const at = committed("make deploy", "make deploy now", "git fetch", "ls", "echo forbidden");
    const ran = join(at.root, "ran");
    expect(existsSync(ran)).toBe(true);
    execFileSync("rm", [ran]);
    write(at, OLD.replace("deny(", "ask(").replace(/ {2}- name: asks\n.*\n.*\n/, ""));
    // What a repository configures is not started by a look at its commits.
    const planted = join(at.root, "planted.sh");
    writeFileSync(planted, `#!/bin/sh\ntouch ${at.root}/planted\ncat\n`);
    chmodSync(planted, 0o755);
    for (const [name, value] of [
      ["core.fsmonitor", planted],
      ["core.pager", planted],
      ["diff.x.textconv", planted],
      ["filter.x.smudge", planted],
    ])
      execFileSync("git", ["config", name as string, value as string], { cwd: at.root });
    writeFileSync(join(at.root, ".gitattributes"), "* diff=x filter=x\n");
    const before = [...filesIn(at.root), ...filesIn(at.home)];
    const { exit, report } = json(at);
    expect([...filesIn(at.root), ...filesIn(at.home)]).toEqual(before);
    expect(exit).toBe(1);
    expect(Object.keys(report)).toEqual(["total", "judged", "cannot_tell", "changes", "hash", "policies"]);
    expect(report).toMatchObject({ total: 5, judged: 5, cannot_tell: { redacted: 0, cut: 0, needs_run: 0 } });
    expect(report.changes).toEqual([
      expect.objectContaining({
        from: "ask",
        to: "continue",
        cause: "change",
        count: 1,
        rule: { hook: "asks", file: ".sluice/hooks.yaml", line: 5 },
      }),
      expect.objectContaining({
        from: "deny",
        to: "ask",
        cause: "change",
        count: 2,
        sessions: 1,
        rule: { hook: "no-deploy", file: ".sluice/hooks.yaml", line: 2 },
      }),
    ]);
    expect(report.changes[1].example).toMatchObject({ tool: "Bash", input: { command: "make deploy" } });
    expect(json(at).report).toEqual(report);
    expect(at.sluice("replay", "--accept", report.hash)).toMatchObject({ code: 0 });
    expect(at.sluice("replay").out).toMatch(
      /^5 calls: the working tree against git:HEAD .*\njudged 100\.0 %, 0\.0 % cut or redacted, 0\.0 % need a run\n\nwould open\n/,
    );
  });

  it("cannot tell what depends on a removed field or a hook that would have to run, and takes no answer for another hook", () => {
    const at = committed(`echo ${TOKEN}`, `ls ${"x".repeat(9000)}`, "ls", "make deploy");
    write(
      at,
      `${OLD}  - name: newcomer\n    event: tool:pre_execute\n    rules: 'args.command contains "aB3d" -> deny("no")'\n`,
    );
    expect(json(at).report).toMatchObject({
      total: 4,
      judged: 2,
      cannot_tell: { redacted: 1, cut: 1, needs_run: 0 },
      changes: [],
    });
    write(at, OLD.replace("exit 0'", "exit 0 # changed'"));
    expect(json(at)).toMatchObject({ exit: 0, report: { judged: 1, cannot_tell: { needs_run: 3 } } });
    write(
      at,
      `${OLD}  - name: elsewhere\n    event: tool:pre_execute\n    rules: 'tool equals "Write" -> deny("no")'\n`,
    );
    expect(json(at).report).toMatchObject({ judged: 4 });
  });

  it("takes what a rule about the team said from the record, and cannot tell where the rule is another one", () => {
    const policy = (most: number, other = "nothing") =>
      [
        "hooks:",
        `  - { name: busy, event: "tool:pre_execute", rules: 'recent.tool_pre_execute.1h.all.team gte ${most} -> ask("busy")' }`,
        `  - { name: other, event: "tool:pre_execute", rules: 'args.command contains "${other}" -> deny("no")' }`,
      ].join("\n");
    const at = committedWith(policy(3), "one", "two", "three");
    expect(json(at).report).toMatchObject({ total: 3, judged: 3, changes: [] });
    write(at, policy(3, "two"));
    expect(json(at).report).toMatchObject({ judged: 3, changes: [{ from: "continue", to: "deny", cause: "change" }] });
    write(at, policy(2));
    expect(json(at).report).toMatchObject({ judged: 0, cannot_tell: { needs_run: 3 }, changes: [] });
  });

  it("writes a page in which nothing can run, and tests that sluice test reads", () => {
    const at = committed("make deploy <script>alert(1)</script>");
    write(at, OLD.replace("deny(", "ask("));
    const { code: exit } = at.sluice(
      "replay",
      "--html",
      "r.html",
      "--make-tests",
      "r.hooks.test.yaml",
      "--reporter",
      "github",
    );
    expect(exit).toBe(1);
    const page = readFileSync(join(at.root, "r.html"), "utf8");
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toContain("<script");
    expect(page).toContain("deny → ask");
    expect(at.sluice("trust", "--yes").code).toBe(0);
    expect(at.sluice("test", "r.hooks.test.yaml").out).toContain("1 passed, 0 failed");
    expect(at.sluice("replay", "--make-tests", "my r.hooks.test.yaml").err).toContain(
      "sluice test 'my r.hooks.test.yaml'",
    );
    expect(at.sluice("replay", "--make-tests", "x.yaml").err).toContain("replay/no-test-name");
    expect(at.sluice("replay", "--from", "nowhere").err).toContain("replay/no-calls");
    expect(at.sluice("replay", "--against", "git:--output=x").err).toContain("replay/no-commit");
  });

  it("takes a pack as if it were added, with the values of its parameters", () => {
    const at = committed("git push origin main", "git push origin release", "make deploy");
    const pack = join(at.home, "my-pack");
    mkdirSync(pack);
    writeFileSync(join(pack, "package.json"), JSON.stringify({ name: "my-pack", version: "1.0.0" }));
    writeFileSync(
      join(pack, "sluice.yaml"),
      [
        "parameters: { branches: { type: list, default: [main] } }",
        "hooks:",
        "  - name: no-push",
        "    event: tool:pre_execute",
        `    rules: 'args.command matches "push origin \${branches}" -> deny("no")'`,
        `    examples: { deny: ["git push origin main"], allow: ["ls"] }`,
      ].join("\n"),
    );
    const shut = (branch: string) => [
      expect.objectContaining({
        from: "continue",
        to: "deny",
        count: 1,
        example: expect.objectContaining({ input: { command: `git push origin ${branch}` } }),
        rule: expect.objectContaining({ hook: "my-pack/no-push" }),
      }),
    ];
    const archive = join(at.home, "my-pack-1.0.0.tgz");
    const packed = ["package.json", "sluice.yaml"].map((path) => ({
      path: `package/${path}`,
      content: readFileSync(join(pack, path)),
      isExecutable: false,
    }));
    writeFileSync(archive, writeArchive(packed));
    const before = readdirSync(at.home);
    for (const named of [pack, archive])
      expect(json(at, "--policy", named)).toMatchObject({ exit: 0, report: { judged: 3, changes: shut("main") } });
    expect(json(at, "--policy", archive).report.changes[0].rule.file).toContain("my-pack-1.0.0.tgz/sluice.yaml");
    // The other way round, the same call would open.
    expect(json(at, "--policy", "git:HEAD", "--against", archive)).toMatchObject({
      exit: 1,
      report: {
        changes: expect.arrayContaining([expect.objectContaining({ from: "deny", to: "continue", cause: "change" })]),
      },
    });
    expect(readdirSync(at.home)).toEqual(before);
    expect(at.sluice("add", pack, "--with", "branches=release").code).toBe(0);
    expect(json(at).report.changes).toEqual(shut("release"));
    // A name means what is installed; a folder stands for the version that the project has, with the values it gives.
    for (const named of ["my-pack", "my-pack@1.0.0", pack, archive])
      expect(json(at, "--policy", named).report.changes).toEqual(shut("release"));
    expect(at.sluice("replay", "--policy", "my-pack@2.0.0").err).toContain("replay/no-policy");
    expect(at.sluice("replay", "--policy", "../../etc@1").err).toContain("replay/no-policy");
    writeFileSync(archive, "no archive");
    expect(at.sluice("replay", "--policy", archive)).toMatchObject({
      code: 1,
      err: expect.stringContaining("archive"),
    });
    writeFileSync(join(pack, "sluice.yaml"), "hooks:\n  - { name: x, event: nonsense }\n");
    expect(at.sluice("replay", "--policy", pack)).toMatchObject({
      code: 1,
      err: expect.stringContaining("sluice.yaml"),
    });
  });
});
