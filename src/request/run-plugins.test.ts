import { describe, expect, it } from "vitest";
import type { PluginResult } from "./plugin-result.ts";
import { HookRequest } from "./request.ts";
import { runPlugins } from "./run-plugins.ts";

const write = new HookRequest({ hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: "a.py" } });
const stop = new HookRequest({ hook_event_name: "Stop" });
const block = { name: "guard", preToolUse: (): PluginResult => ["block", "no python"] };

describe("plugins on a request", () => {
  it("are called in order, with their results in that order, sync and async", async () => {
    const seen: string[] = [];
    const told = (who: string, result: PluginResult) => {
      seen.push(who);
      return result;
    };
    const plugins = [
      { preToolUse: async () => told("first", null) },
      block,
      { preToolUse: () => told("third", ["allow", "noted"] as const) },
    ];
    const results = await runPlugins(write, plugins);
    expect(results).toEqual([null, ["block", "no python"], ["allow", "noted"]]);
    expect(seen).toEqual(["first", "third"]);
    expect(write.complete(results)).toMatchObject({ exitCode: 2 });
  });

  it("are called by the method of the request's event; one without it has no opinion", async () => {
    expect(await runPlugins(stop, [block, { stop: () => ["block", "tests first"] as const }])).toEqual([
      null,
      ["block", "tests first"],
    ]);
    expect(await runPlugins(new HookRequest({ hook_event_name: "Dream" }), [block])).toEqual([null]);
  });

  it("may be instances of a class, with methods in snake case that read fields in snake case", async () => {
    class Guard {
      readonly kind = "py";
      pre_tool_use(request: HookRequest): PluginResult {
        const path = String(request.tool_input.file_path);
        return request.tool_name === "Write" && path.endsWith(this.kind) ? ["block", `Cannot modify ${path}`] : null;
      }
    }
    expect(await runPlugins(write, [new Guard()])).toEqual([["block", "Cannot modify a.py"]]);
  });

  it("get the options that are handed over", async () => {
    const plugin = {
      preToolUse: (_: HookRequest, { word }: { word?: unknown }): PluginResult => ["allow", String(word)],
    };
    expect(await runPlugins(write, [plugin], { word: "strict" })).toEqual([["allow", "strict"]]);
  });

  it("that throw fail alone: a tool is blocked with the message, the end of a turn is not held up", async () => {
    const broken = { name: "broken", preToolUse: fail, stop: async () => fail() };
    const results = await runPlugins(write, [broken, { preToolUse: () => null }]);
    expect(results).toEqual([["block", 'plugin "broken" failed: no memory left'], null]);
    expect(await runPlugins(stop, [broken])).toEqual([["allow", 'plugin "broken" failed: no memory left']]);
  });

  it("whose answer cannot be understood block where something can still be stopped", async () => {
    const results = await runPlugins(write, [{ preToolUse: (() => "yes") as never }]);
    expect(write.complete(results).exitCode).toBe(2);
  });
});

function fail(): never {
  throw new Error("no memory left");
}
