import { expect, test } from "vitest";
import { HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { judged } from "./judged.ts";

const patch = (lines: string) => `*** Begin Patch\n${lines}\n*** End Patch`;

test.each([
  ["*** Delete File: .git/HEAD", "deny", ["files"]],
  ["*** Update File: /etc/hosts\n@@\n-a\n+b", "deny", ["system"]],
  ["*** Add File: ~/.zshrc\n+x", "deny", ["persistence"]],
  ["*** Delete File: src/old.ts\n*** Add File: src/new.ts\n+rm -rf /", "continue", []],
])("guards see a patch that the shell applies: %j", async (lines, action, by) => {
  for (const command of [`apply_patch <<'E'\n${patch(lines)}\nE`, `cat <<'E' | apply_patch\n${patch(lines)}\nE`])
    expect(await judged("standard", command)).toMatchObject({ action, by: expect.arrayContaining(by) });
});

test("a patch that cannot be read is a question of the strict preset", async () => {
  expect((await judged("strict", "apply_patch < made-later.patch")).action).toBe("ask");
});

test.each([
  ["bash", { command: `apply_patch <<'E'\n${patch("*** Update File: secret/a\n@@\n-a\n+b")}\nE` }, "deny"],
  ["shell", { command: ["apply_patch", patch("*** Add File: secret/a\n+b")] }, "deny"],
  ["exec_command", { cmd: `applypatch '${patch("*** Update File: a\n*** Move to: secret/a")}'` }, "deny"],
  ["bash", { command: `git apply <<'E'\n--- a/secret/a\n+++ b/secret/a\n@@ -1 +1 @@\n-a\n+b\nE` }, "deny"],
  ["bash", { command: `apply_patch <<'E'\n${patch("*** Update File: src/a\n@@\n-secret/a\n+b")}\nE` }, "continue"],
])("rules about what is written see it too: %s %j is %s", async (tool, args, action) => {
  const registry = new HookRegistry();
  const rule = { field: "args.command", operator: "writes", value: "secret/**", action: "deny" } as const;
  registry.loadHooks([{ name: "keep", event: "tool:pre_execute", inline_rules: [rule] }]);
  const event = HookEvent.toolPreExecute(tool, args, { cwd: "/home/ada/project" });
  expect((await new HookExecutor({ registry }).decide(event)).action).toBe(action);
});
