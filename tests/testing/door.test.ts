import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HookEvent } from "../../src/index.ts";
import { decide, expectDecision, testHooks } from "../../src/testing.ts";

const GUARD = {
  name: "no-force",
  event: "tool:pre_execute:@shell",
  rules: 'args.command contains "push --force" -> deny("No force push.")',
  examples: { deny: ["git push --force"], allow: ["git push"] },
} as const;

function folder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "sluice-door-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

describe("a program's own tests", () => {
  it("try the examples of hooks that it made", async () => {
    expect(await testHooks({ hooks: [GUARD] })).toMatchObject({ ok: true, passed: 2 });
  });

  it("try a project with its files of tests", async () => {
    const root = folder({
      ".sluice/hooks.yaml": `hooks: [${JSON.stringify(GUARD)}]`,
      "a.hooks.test.json": JSON.stringify({ tests: { ask: ["git push --force"], deny: ["git push --force"] } }),
    });
    expect(await testHooks({ root })).toMatchObject({ ok: false, passed: 3, failed: 1 });
    expect(await testHooks({ root, files: ["a.hooks.test.json"] })).toMatchObject({ passed: 1, failed: 1 });
  });

  it("run the commands of a project only when the program answers for it", async () => {
    const hook = { name: "c", event: "tool:*", command: "exit 1", examples: { deny: ["ls"] } };
    const root = folder({ ".sluice/hooks.json": JSON.stringify({ hooks: [hook] }) });
    expect(await testHooks({ root })).toMatchObject({ passed: 0, notRun: 1 });
    expect(await testHooks({ root, trust: "all" })).toMatchObject({ passed: 1, notRun: 0 });
  });

  it("ask for one decision", async () => {
    expect(await decide(GUARD, "git push --force")).toMatchObject({ action: "deny", reasons: ["No force push."] });
    expect(await decide([GUARD], HookEvent.toolPreExecute("Bash", { command: "ls" }))).toMatchObject({
      action: "continue",
    });
    expect(await decide(GUARD, { type: "PreToolUse", toolName: "Write" })).toMatchObject({ action: "continue" });
  });

  it("expect one decision, and fail with what was decided instead", async () => {
    await expectDecision(GUARD, "git push --force", { action: "deny", reason: "/force push/i" });
    await expect(expectDecision(GUARD, "git push --force", "continue")).rejects.toThrow(
      "expected continue, and got deny: No force push.",
    );
    await expect(expectDecision(GUARD, "git push --force", { action: "deny", reason: "sudo" })).rejects.toThrow("sudo");
    const modify = { event: "tool:*", rules: "args.a equals 1 -> modify(args.a, 2)" } as const;
    const event = HookEvent.toolPreExecute("x", { a: 1, b: 1 });
    await expectDecision(modify, event, { action: "modify", input: { a: 2 } });
    await expect(expectDecision(modify, event, { action: "modify", input: { a: 1 } })).rejects.toThrow('{"a":1}');
  });
});
