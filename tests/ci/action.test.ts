import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { fastCommand } from "../command-server/fast-command.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const POLICY = `hooks:
  - name: no-force
    event: tool:pre_execute:@shell
    rules: args.command contains "push --force" -> deny("No force push.")
    examples: { deny: ["git push --force"], allow: ["git push"] }
`;
/** What a developer's machine has recorded: payloads of an agent, one a line. */
const SAMPLE = ["git push --force", "ls -la", "git push"]
  .map((command) =>
    JSON.stringify({
      session_id: "s",
      cwd: "/home/ada/project",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "t",
    }),
  )
  .join("\n");

/** A repository with a policy on its base and another one in a pull request. */
function pullRequest(policy: string): { readonly root: string; run(more?: Record<string, string>): Promise<Ran> } {
  const home = mkdtempSync(join(tmpdir(), "sluice-action-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "repository");
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], {
      cwd: root,
      encoding: "utf8",
    });
  write(".sluice/hooks.yaml", POLICY);
  write("calls.jsonl", `${SAMPLE}\n`);
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  onTestFinished(fastCommand(join(root, "node_modules/.bin/sluice")));
  write(".gitignore", "node_modules\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "base");
  const base = git("rev-parse", "HEAD").trim();
  write(".sluice/hooks.yaml", policy);
  git("commit", "-qam", "change", "--allow-empty");
  const summary = join(home, "summary.md");
  return {
    root,
    // The command answers in this process, which may not stop meanwhile.
    run: async (more = {}) => {
      const child = spawn("bash", [join(ROOT, "action/run.sh")], {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env.PATH,
          HOME: home,
          XDG_STATE_HOME: join(home, ".state"),
          GITHUB_WORKSPACE: root,
          GITHUB_STEP_SUMMARY: summary,
          SLUICE_ACTION_BASE: base,
          SLUICE_ACTION_SAMPLE: "calls.jsonl",
          ...more,
        },
      });
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { status, stdout, stderr, summary: () => readFileSync(summary, "utf8") };
    },
  };
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: () => string;
}

it("a pull request that opens what its base denies fails, and the summary of the job says what opens", async () => {
  const { run } = pullRequest(
    POLICY.replace("push --force", "push --mirror").replaceAll("git push --force", "git push --mirror"),
  );
  const { status, stdout, summary } = await run();
  expect(stdout).toMatch(/::error [^\n]*::[^\n]*git push --force/);
  expect(summary()).toContain("### sluice replay");
  expect(status).toBe(1);
});

it("a pull request that changes nothing for recorded calls passes", async () => {
  const { status, stdout, stderr } = await pullRequest(`${POLICY}# a comment\n`).run();
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).not.toContain("::error");
});

it("with sarif each step writes its file", async () => {
  const { root, run } = pullRequest(POLICY);
  expect((await run({ SLUICE_ACTION_REPORTER: "sarif" })).status).toBe(0);
  for (const name of ["check", "test", "replay"])
    expect(JSON.parse(readFileSync(join(root, `sluice-reports/${name}.sarif`), "utf8")).version).toBe("2.1.0");
});

it("hands every input to its script by the environment, never into the text of the script", () => {
  const { inputs, runs } = parse(readFileSync(join(ROOT, "action/action.yml"), "utf8"));
  const [step] = runs.steps;
  expect(step.run).not.toContain("${{");
  expect(Object.keys(step.env)).toEqual(Object.keys(inputs).map((name) => `SLUICE_ACTION_${name.toUpperCase()}`));
  const script = readFileSync(join(ROOT, "action/run.sh"), "utf8");
  for (const name of Object.keys(step.env)) expect(script).toContain(name);
});
