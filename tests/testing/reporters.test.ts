import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { project } from "../cli/sluice.ts";
import { xmlFault } from "./xml.ts";

const BROKEN = `hooks:
  - name: no-force
    event: tool:pre_exec:@shell
    rules: args.command contains "push --force" -> deny("100 % no, never")
`;
const GUARD = `hooks:
  - name: no-force
    event: tool:pre_execute:@shell
    rules: args.command contains "push --force" or args.command contains "push -f" -> deny("No force push.")
    examples:
      deny: ["git push --force", "git push"]
`;
const file = (text: string) => ({ ".sluice/hooks.yaml": text });

describe("for build servers", () => {
  it("`sluice check --reporter github` writes a line for each problem, with file, line and column", () => {
    const { code, out } = project(file(BROKEN)).sluice("check", "--reporter", "github");
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=\.sluice\/hooks\.yaml,line=3,col=12,title=config\/[a-z-]+::[^\n]+%0A[^\n]+\n/);
  });

  it.each(["github", "sarif", "junit"])("a build that fails because nothing is tested says so to %s", (reporter) => {
    const { sluice } = project(file("hooks: []\n"));
    const { code, out, err } = sluice("test", "--reporter", reporter);
    expect([code, err]).toEqual([1, expect.stringContaining("nothing to test yet")]);
    if (reporter !== "junit") expect(out).toContain("test/nothing-tested");
    expect(sluice("test", "--reporter", "none").err).toContain("There are default, json, junit, github, sarif.");
  });

  it.each(["github", "sarif", "junit"])("a replay of a file without calls is told to %s", (reporter) => {
    const { sluice } = project({ ...file(GUARD), "calls.jsonl": "not a call\n" });
    const { code, out } = sluice("replay", "--from", "calls.jsonl", "--reporter", reporter);
    expect(code).toBe(0);
    expect(out).toContain("replay/nothing-judged");
    expect(out).toContain("1 line held no call that could be read");
  });

  it.each(["github", "sarif", "junit"])("calls that a replay cannot judge are told to %s", (reporter) => {
    const at = project(file(`${GUARD}  - { name: runs, event: tool:pre_execute, command: "true" }\n`));
    at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", '{"command":"ls"}');
    const { code, out } = at.sluice("replay", "--against", "recorded", "--reporter", reporter);
    expect(code).toBe(0);
    expect(out).toContain("replay/cannot-tell");
    expect(out).toContain("1 of 1 calls cannot be judged");
    expect(out).not.toContain("nothing found");
  });

  it("what is more than GitHub shows of a step stands in the summary of the job", () => {
    const many = `hooks:\n${Array.from({ length: 14 }, (_, index) => `  - { name: h${index}, event: tool:pre_exec, command: "true" }\n`).join("")}`;
    const at = project(file(many));
    const summary = join(at.root, "summary.md");
    writeFileSync(summary, "before\n");
    const { out } = at.with({ GITHUB_STEP_SUMMARY: summary })("check", "--reporter", "github");
    expect(out.match(/^::error /gm)).toHaveLength(10);
    expect(out).toMatch(/::notice title=sluice check::\d+ more in the summary of the job\n$/);
    const text = readFileSync(summary, "utf8");
    expect(text).toMatch(/^before\n### sluice check\n/);
    expect(text.match(/^\| error \|/gm)).toHaveLength(14);
  });

  it("`--reporter sarif` writes SARIF 2.1.0 with paths of the repository", () => {
    const { code, out } = project(file(BROKEN)).sluice("check", "--reporter", "sarif");
    expect(code).toBe(1);
    const { version, runs } = JSON.parse(out);
    const [{ tool, results }] = runs;
    expect(version).toBe("2.1.0");
    expect(tool.driver.rules[results[0].ruleIndex].id).toBe(results[0].ruleId);
    expect(results[0]).toMatchObject({
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: ".sluice/hooks.yaml", uriBaseId: "%SRCROOT%" },
            region: { startLine: 3, startColumn: 12 },
          },
        },
      ],
    });
  });

  it("a check that finds nothing is one passed case of JUnit and a SARIF file without results", () => {
    const { sluice } = project(file(GUARD));
    const junit = sluice("check", "--reporter", "junit");
    expect([junit.code, xmlFault(junit.out)]).toEqual([0, undefined]);
    expect(junit.out).toContain('tests="1" failures="0"');
    expect(JSON.parse(sluice("check", "--reporter", "sarif").out).runs[0].results).toEqual([]);
    expect(sluice("check", "--reporter", "github").out).toBe("");
  });

  it("failed examples and rules that no example reaches are findings of `sluice test`", () => {
    const { code, out } = project(file(GUARD)).sluice("test", "--coverage", "--reporter", "sarif");
    expect(code).toBe(1);
    const found = JSON.parse(out).runs[0].results.map(({ level, ruleId, message }: SarifResult) => [
      level,
      ruleId,
      message.text,
    ]);
    expect(found).toEqual([
      ["error", "test/failed", expect.stringContaining("deny git push: expected deny, and got continue")],
      ["note", "test/branch-never-held", expect.stringContaining('args.command contains "push -f"')],
    ]);
  });

  it("`sluice trace audit --reporter junit` fails for each change that no record explains", () => {
    const at = project({ ...file("hooks: []\n"), ".orchestration/active_intents.yaml": "active_intents: []\n" });
    execFileSync("git", ["init", "-q"], { cwd: at.root });
    writeFileSync(join(at.root, "a.txt"), "one\n");
    const { code, out } = at.sluice("trace", "audit", "--reporter", "junit");
    expect(code).toBe(1);
    expect(xmlFault(out)).toBeUndefined();
    expect(out).toContain('name="trace/unexplained-change" classname="trace audit" file="a.txt"');
  });

  it("a reporter that there is not is refused with the ones there are", () => {
    const { sluice } = project(file(GUARD));
    for (const words of [["check"], ["test"], ["trace", "audit"]]) {
      const { code, err } = sluice(...words, "--reporter", "sariff");
      expect([code, err]).toEqual([64, expect.stringContaining('Did you mean "sarif"?')]);
    }
  });
});

it("`--coverage` names each side of an `or` that never held when its rule decided", () => {
  const { out } = project(file(GUARD)).sluice("test", "--coverage");
  expect(out).toMatch(
    /sides of an `or` that never held when their rule decided:\n {2}no-force {2}\.sluice\/hooks.yaml:4 {2}args.command contains "push -f"/,
  );
});

interface SarifResult {
  readonly level: string;
  readonly ruleId: string;
  readonly message: { readonly text: string };
}
