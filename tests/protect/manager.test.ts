import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";

const SESSION = { sessionId: "s" };

function managed(): HooksManager {
  const root = mkdtempSync(join(tmpdir(), "sluice-managed-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".sluice"));
  writeFileSync(join(root, ".sluice/hooks.yaml"), "hooks: []\n");
  const manager = new HooksManager({ root });
  manager.load();
  return manager;
}

it("a program that lives by the hooks of a project does not take them away", async () => {
  const manager = managed();
  const decision = await manager.decide(SESSION, "PreToolUse", {
    tool_name: "Write",
    tool_args: { file_path: ".sluice/hooks.yaml", content: "" },
  });
  expect(decision.action).toBe("deny");
  expect(decision.results.map(({ hook }) => hook.name)).toEqual(["self-protection"]);
  expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "DESTRUCTIVE_BLOCKED" });
  await manager.close();
});

it("its other calls have no results but those of its hooks", async () => {
  const manager = managed();
  const data = { tool_name: "Write", tool_args: { file_path: "a.txt", content: "" } };
  expect(await manager.emit(SESSION, "PreToolUse", data)).toEqual([]);
  await manager.close();
});
