import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { HookRegistry } from "../../src/registry/registry.ts";

const GUARD = {
  name: "guard",
  event: "tool:pre_execute",
  rules: 'args.command contains "rm -rf" -> deny("no")',
} as const;

/** Every way in which a plugin can reach a tool's input. */
const WRITES = [
  `request.toolInput.command = "echo"`,
  `request.payload.tool_input.command = "echo"`,
  `request.get("tool_input").command = "echo"`,
  `request.event.data.tool_args.command = "echo"`,
  `request.event.raw.tool_input.command = "echo"`,
];

describe("a plugin that writes to its request blinds no later guard and touches nothing of the caller's", () => {
  it.each(WRITES)("%s", async (write) => {
    const module = plugin(`preToolUse(request) { ${write}; return null; }`);
    const registry = new HookRegistry();
    registry.loadHooks([{ name: "plugin", event: "tool:pre_execute", module, priority: 1 }, GUARD]);
    const input = { command: "rm -rf build" };
    const raw = { hook_event_name: "PreToolUse", tool_input: input };
    const decision = await new HookExecutor({ registry }).decide(HookEvent.toolPreExecute("bash", input, { raw }));
    expect(decision.results.map(({ hook, failure }) => [hook.name, failure])).toEqual([
      ["plugin", undefined],
      ["guard", undefined],
    ]);
    expect(decision).toMatchObject({ action: "deny", reasons: ["no"] });
    expect(input).toEqual({ command: "rm -rf build" });
  });

  it("nor of a result", async () => {
    const module = plugin("postToolUse({ toolResponse }) { toolResponse.lines.length = 0; }");
    const registry = new HookRegistry();
    registry.register({ name: "plugin", event: "tool:post_execute", module });
    const result = { lines: ["a", "b"] };
    const decision = await new HookExecutor({ registry }).decide(HookEvent.toolPostExecute("bash", {}, result));
    expect(decision.results).toMatchObject([{ success: true }]);
    expect(result).toEqual({ lines: ["a", "b"] });
  });
});

function plugin(method: string): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-plugin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "plugin.mjs");
  writeFileSync(file, `export default { ${method} };`);
  return file;
}
