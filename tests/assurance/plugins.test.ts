import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { claimsOf } from "./claims.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-assured-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let plugins = 0;

/** What a call of a plugin with this method came to. */
async function resultOf(method: string, more: object = {}) {
  const module = join(folder, `plugin-${++plugins}.mjs`);
  writeFileSync(module, `export default { preToolUse: ${method} };\n`);
  const registry = new HookRegistry();
  registry.loadHooks([{ event: "tool:pre_execute", module, timeout: 30, onError: "continue", ...more }]);
  const executor = new HookExecutor({ registry });
  const call = async () =>
    (await executor.executeHooks(HookEvent.toolPreExecute("Write", { file_path: "a" }, { cwd: folder })))[0];
  return { module, call, result: await call() };
}

/** A plugin that did not answer: whatever its failure means for the call, its result is not a success. */
function notAnswered(method: string, why: string, more: object = {}) {
  return async () => expect((await resultOf(method, more)).result).toMatchObject({ success: false, failure: { why } });
}

claimsOf("a plugin hook", [
  {
    says: 'result: action "continue" and success',
    whenTrue: async () =>
      expect((await resultOf("() => null")).result).toMatchObject({ action: "continue", success: true }),
    whenFalse: {
      "its process exited with code 0": notAnswered("() => process.exit(0)", "exception"),
      "its process was killed": notAnswered("() => process.kill(process.pid, 'SIGKILL')", "exception"),
      "its process did not answer in time": notAnswered("() => new Promise(() => {})", "timeout", { timeout: 1 }),
      "it returned what is not an answer": notAnswered("() => 'allow'", "exception"),
      "it closed the pipe for its answer": notAnswered(
        "async () => { (await import('node:fs')).closeSync(3); return null; }",
        "exception",
      ),
      "it answered a call that is not under way": notAnswered(
        `async () => { (await import("node:fs")).writeSync(3, '{"call":99,"said":null}\\n'); process.exit(0); }`,
        "exception",
      ),
      "its module is missing": notAnswered("() => null", "not_found", { module: "./missing.mjs" }),
    },
  },
  {
    says: "result: the answer of the module as it is on the disk",
    whenTrue: async () => {
      const { call, result } = await resultOf("() => ['block', 'old']");
      expect([result?.reason, (await call())?.reason]).toEqual(["old", "old"]);
    },
    whenFalse: {
      "the module has changed since it was loaded": async () => {
        const { call, module } = await resultOf("() => ['block', 'old']");
        writeFileSync(module, "export default { preToolUse: () => ['block', 'new'] };\n");
        utimesSync(module, 1, 1);
        expect((await call())?.reason).toBe("new");
      },
      "the module is gone": async () => {
        const { call, module } = await resultOf("() => null");
        rmSync(module);
        expect(await call()).toMatchObject({ success: false, failure: { why: "not_found" } });
      },
    },
  },
]);
