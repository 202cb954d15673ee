import { describe, expect, it } from "vitest";
import { project } from "../cli/sluice.ts";
import { xmlFault } from "./xml.ts";

const GUARD = `hooks:
  - name: no-force
    event: tool:pre_execute:@shell
    rules: |
      # A comment, and then a rule.
      args.command contains "push --force" -> deny("No force push.")
      args.command contains "never" -> ask("Really?")
    examples:
      deny: ["git push --force"]
      allow: ["git push", "ls"]
`;
const WRONG = GUARD.replace('"ls"]', '"git push --force <now> & \\"then\\""]');
const file = (text: string) => ({ ".sluice/hooks.yaml": text });

describe("sluice test", () => {
  it("tries the examples of every hook and counts them", () => {
    const { code, out, err } = project(file(GUARD)).sluice("test");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^no-force\n {2}✓ deny git push --force {2}deny {6}\d+ ms\n/);
    expect(out).toMatch(/✓ 3 passed, 0 failed, 0 not run\n$/);
  });

  it("shows a failure with its line, the rule that decided, and a step that shows the same", () => {
    const { sluice } = project(file(GUARD.replace('"ls"]', '"never mind"]')));
    const { code, out } = sluice("test");
    expect(code).toBe(1);
    for (const words of [
      "✗ allow never mind       ask       .sluice/hooks.yaml:10",
      "expected continue, and got ask",
      "no-force decided this  .sluice/hooks.yaml:7",
      'rule: args.command contains "never" -> ask("Really?")',
      "reason: Really?",
      "sluice explain 'never mind'",
      "✗ 2 passed, 1 failed, 0 not run",
    ]) {
      expect(out).toContain(words);
    }
    expect(sluice("explain", "never mind").out).toContain("Really?");
  });

  it("says how to begin when there is nothing to test", () => {
    const { code, out, err } = project().sluice("test");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain('allow: ["rm a.txt"]');
  });

  it("tries files of tests against all hooks together", () => {
    const tests = `tests:
  - { name: force is denied, args: { command: git push --force }, expect: deny, reason: /force\\s+push/i, hooks: [no-force] }
  - { name: a prompt passes, prompt: hello, expect: continue }
  - { name: no hook denies ls, args: { command: ls }, expect: deny }
`;
    const files = { ...file(GUARD), "deep/down/a.hooks.test.yaml": tests, "node_modules/b.hooks.test.yaml": "no" };
    const { sluice } = project(files);
    const { code, out } = sluice("test", "deep/down/a.hooks.test.yaml");
    expect(code).toBe(1);
    expect(out).toMatch(/^deep\/down\/a.hooks.test.yaml\n/);
    expect(out).toContain("✗ no hook denies ls  continue  deep/down/a.hooks.test.yaml:4");
    expect(out).toContain("2 passed, 1 failed, 0 not run");
    expect(sluice("test").out).toContain("5 passed, 1 failed, 0 not run");
  });

  it("tests another configuration where a file of tests names one, and starts nothing of it", () => {
    const other = "hooks:\n  - { event: 'tool:*', name: marks, command: 'touch ran' }\n";
    const tests = "hooks: ./other.yaml\ntests: { allow: [ls] }\n";
    const { out } = project({ "other.yaml": other, "a.hooks.test.yaml": tests }).sluice("test");
    expect(out).toContain("does not belong to the configuration");
    expect(out).toContain("0 passed, 0 failed, 1 not run");
  });

  it("runs nothing that is not approved, and everything that is", () => {
    const { sluice } = project(
      file(`hooks:
  - name: no-sudo
    event: tool:pre_execute:@shell
    command: grep -q sudo && { echo "No sudo."; exit 1; }; exit 0
    examples: { deny: ["sudo ls"], allow: ["ls"] }
`),
    );
    const before = sluice("test");
    expect([before.code, before.out]).toEqual([1, expect.stringContaining("0 passed, 0 failed, 2 not run")]);
    expect(before.out).toContain("not approved yet; `sluice trust` shows it");
    expect(sluice("trust", "--yes").code).toBe(0);
    const after = sluice("test");
    expect([after.code, after.out]).toEqual([0, expect.stringContaining("2 passed, 0 failed, 0 not run")]);
  });

  it("lets a file of tests set variables for programs only when somebody names it", () => {
    const config = "hooks:\n  - { name: asks, event: 'tool:*', command: 'test \"$MOOD\" = good' }\n";
    const tests = "tests:\n  - { args: { command: ls }, env: { MOOD: good }, expect: continue }\n";
    const { sluice } = project({ ...file(config), "a.hooks.test.yaml": tests });
    sluice("trust", "--yes");
    expect(sluice("test").out).toContain("name its file to run it");
    expect(sluice("test", "a.hooks.test.yaml").out).toContain("1 passed");
  });

  it("points at rules that never decided and hooks without examples", () => {
    const more = `${GUARD}  - { name: bare, event: session:start, command: "true" }\n`;
    const { out } = project(file(more)).sluice("test", "--coverage");
    expect(out).toContain("1 of 2 rules decided in a test, 1 of 2 hooks have examples");
    expect(out).toMatch(
      /rules that never decided:\n {2}no-force {2}\.sluice\/hooks.yaml:7 {2}args.command contains "never"/,
    );
    expect(out).toMatch(/hooks without examples:\n {2}bare {2}\.sluice\/hooks.yaml:11/);
  });

  it("shows an example that cannot be read, as `sluice check` does, and the hook stays active", () => {
    const { sluice } = project(file(GUARD.replace("allow:", "alow:")));
    for (const command of ["check", "test"]) {
      const { code, out } = sluice(command);
      expect(code).toBe(1);
      expect(out).toContain(".sluice/hooks.yaml:10:13");
      expect(out).toContain('Did you mean "allow"?');
    }
    expect(sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", '{"command":"git push --force"}').code).toBe(
      2,
    );
  });

  it("fails where the configuration lost a hook, although every example that is left passes", () => {
    const { code, out } = project(file(`${GUARD}  - { name: lost, event: session:start }\n`)).sluice("test");
    expect(code).toBe(1);
    expect(out).toContain("3 passed, 0 failed, 0 not run, 1 problem");
  });

  it("speaks JSON", () => {
    const { code, out } = project(file(WRONG)).sluice("test", "--json", "--coverage");
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ passed: 2, failed: 1, notRun: 0, ok: false, coverage: { rules: { total: 2 } } });
    expect(report.outcomes[2]).toMatchObject({ kind: "example", group: "no-force", status: "failed", got: "deny" });
  });

  it("speaks JUnit's XML, with every sign in its place", () => {
    const { out } = project(file(WRONG)).sluice("test", "--reporter", "junit");
    expect(xmlFault(out)).toBeUndefined();
    expect(out).toContain('<testsuites name="sluice" tests="3" failures="1" errors="0" skipped="0"');
    expect(out).toContain("&lt;now&gt; &amp; &quot;then&quot;");
  });

  it("refuses a reporter that there is not", () => {
    expect(project(file(GUARD)).sluice("test", "--reporter", "jnit")).toMatchObject({
      code: 64,
      err: expect.stringContaining('Did you mean "junit"?'),
    });
  });
});

describe("the check of XML", () => {
  it.each([
    ["<a><b/></a>", undefined],
    ['<a b="&lt;"/>', undefined],
    ["<a><b></a>", "not closed"],
    ["<a>&</a>", "stray"],
    ['<a b="<"/>', "stray"],
  ])("%s: %s", (text, fault) => {
    if (fault === undefined) expect(xmlFault(text)).toBeUndefined();
    else expect(xmlFault(text)).toContain(fault);
  });
});
