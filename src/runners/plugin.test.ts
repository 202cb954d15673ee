import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { Hook, type Layer } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-plugin-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

function executor(...hooks: (object | Hook)[]): HookExecutor {
  const registry = new HookRegistry();
  for (const hook of hooks) registry.register(hook instanceof Hook ? hook : new Hook({ event: "*", ...hook }));
  return new HookExecutor({ registry });
}

function write(path = "test.py", extras: object = {}): HookEvent {
  return HookEvent.toolPreExecute("Write", { file_path: path }, { cwd: folder, ...extras });
}

/** One plugin that answers, beside each of those that fail: its process is started once. */
const GOOD = join(realpathSync(mkdtempSync(join(tmpdir(), "sluice-plugin-"))), "good.mjs");
beforeAll(() => writeFileSync(GOOD, `export default { preToolUse: () => ["allow", "heard"] };`));
afterAll(() => rmSync(dirname(GOOD), { recursive: true, force: true }));

const GUARD = `
  import { definePlugin, type HookRequest } from "sluice";
  export default definePlugin({
    name: "guard" as string,
    async preToolUse(request: HookRequest) {
      const path = String(request.toolInput.file_path);
      return path.endsWith(".py") ? ["block", \`Cannot modify \${path}\`] : ["allow", \`Allowing write to \${path}\`];
    },
  });`;

describe("a plugin hook", () => {
  it("blocks, and adds context without approving", async () => {
    const module = `./${file("guard.ts", GUARD)}`;
    expect(await executor({ module }).decide(write())).toMatchObject({
      action: "deny",
      reasons: ["Cannot modify test.py"],
    });
    expect(await executor({ module }).decide(write("a.txt"))).toMatchObject({
      action: "continue",
      approved: false,
      contexts: ["Allowing write to a.txt"],
    });
  });

  it.each([
    ["plugin.js", `export default { preToolUse: () => ["block", "js"] };`],
    ["plugin.mjs", `export default { pre_tool_use: () => ["block", "js"] };`],
    ["plugin.cjs", `module.exports = { preToolUse: () => ["block", "js"] };`],
    ["built.cjs", `exports.__esModule = true; exports.default = { preToolUse: () => ["block", "js"] };`],
    ["plugin.cts", `const why: string = "js";\nmodule.exports = { preToolUse: () => ["block", why] };`],
    ["plugin.mts", `enum Verdict { No = "block" }\nexport default { preToolUse: () => [Verdict.No, "js"] };`],
    [
      "class.ts",
      `class P { preToolUse() { return ["block", this.why()]; } private why() { return "js"; } }\nexport default new P();`,
    ],
    ["node_modules/pack/index.js", `export default { preToolUse: () => ["block", "js"] };`],
  ])("may be %s", async (name, text) => {
    file("node_modules/pack/package.json", `{"name":"pack","type":"module","exports":{"import":"./index.js"}}`);
    file(name, text);
    const spellings = name.startsWith("node_modules")
      ? ["pack"]
      : [name, `file://${folder}/${name}`, `./${name.split(".")[0]}`];
    for (const module of spellings)
      expect(await executor({ module }).decide(write())).toMatchObject({ action: "deny", reasons: ["js"] });
  });

  it("calls each event's method, and has no opinion on events without one", async () => {
    const module = file(
      "all.mjs",
      `export default { sessionStart: () => ["allow", "hello"], stop: () => ["block", "go on"] };`,
    );
    const all = executor({ module });
    expect(await all.decide(HookEvent.sessionStart("s", {}, { cwd: folder }))).toMatchObject({ contexts: ["hello"] });
    expect(await all.decide(new HookEvent({ type: "Stop", cwd: folder }))).toMatchObject({ action: "deny" });
    expect(await all.decide(write())).toMatchObject({ action: "continue", contexts: [] });
  });

  it("gets the hook's options as its second argument", async () => {
    const module = file("options.mjs", `export default { preToolUse: (request, options) => ["block", options.why] };`);
    expect((await executor({ module, options: { why: "because" } }).decide(write())).reasons).toEqual(["because"]);
  });

  it("may change the input, and later plugins see it changed", async () => {
    const change = file(
      "change.mjs",
      `export default { preToolUse: (request) => request.toolInput.safe ? null
      : { action: "modify", modifiedData: { patch: { safe: true } } } };`,
    );
    const look = file(
      "look.mjs",
      `export default { preToolUse: (request) => ["allow", String(request.toolInput.safe)] };`,
    );
    const raw = { hook_event_name: "PreToolUse", tool_input: { file_path: "test.py" } };
    const decision = await executor({ module: change }, { module: look }).decide(write("test.py", { raw }));
    expect(decision).toMatchObject({
      action: "modify",
      input: { file_path: "test.py", safe: true },
      contexts: ["true"],
    });
  });

  it.each([
    ["throws", `export default { preToolUse() { throw new Error("so it goes"); } };`, "exception", /so it goes/],
    ["rejects", `export default { preToolUse: async () => { throw "text"; } };`, "exception", /text/],
    [
      "says what is no verdict",
      `export default { preToolUse: () => ["maybe", "x"] };`,
      "exception",
      /is not an answer/,
    ],
    [
      "says an action that is none",
      `export default { preToolUse: () => ({ action: "no" }) };`,
      "bad_json",
      /not a verdict/,
    ],
    ["says just a word", `export default { preToolUse: () => "block" };`, "exception", /is not an answer/],
    ["gives a function", `export default { preToolUse: () => () => {} };`, "exception", /a function is not an answer/],
    [
      "gives a function as its action",
      `export default { preToolUse: () => ({ action: () => "deny" }) };`,
      "exception",
      /a function is not an answer/,
    ],
    ["gives what is not JSON", `export default { preToolUse: () => [1n] };`, "exception", /BigInt/],
    [
      "answers with too much",
      `export default { preToolUse: () => ({ action: "allow", reason: "x".repeat(17e6) }) };`,
      "output_overflow",
      /more than 16 MiB/,
    ],
    [
      "answers with depth",
      `export default { preToolUse() { let deep = {}; for (let at = 0; at < 1000; at++) deep = { modified_data: deep }; return deep; } };`,
      "bad_json",
      /nested more than/,
    ],
    [
      "stops itself",
      `export default { preToolUse() { process.kill(process.pid, "SIGSTOP"); } };`,
      "timeout",
      /did not/,
    ],
    ["says nothing", `const plugin = {};`, "exception", /not have a plugin as its default export/],
    ["exports nothing", `export const plugin = {};`, "exception", /not have a plugin as its default export/],
    ["exports a function", `export default () => null;`, "exception", /not have a plugin as its default export/],
    ["cannot be read", `export default {`, "exception", /./],
    ["misspells a method", `export default { preToolUze: () => null };`, "exception", /did you mean "preToolUse"/],
    ["never ends", `export default { preToolUse: () => new Promise(() => {}) };`, "timeout", /did not finish/],
    ["never gives the process back", `export default { preToolUse() { for (;;); } };`, "timeout", /did not finish/],
    [
      "catches everything and never gives the process back",
      `export default { preToolUse() { for (;;) try { for (;;); } catch {} } };`,
      "timeout",
      /did not finish/,
    ],
    ["never loads", `await new Promise(() => {}); export default {};`, "timeout", /did not finish/],
  ])("that %s is a failure of its own, and the others are heard", async (name, text, why, words) => {
    const module = file(`${name.replaceAll(" ", "-")}.mjs`, text);
    const timeout = why === "timeout" ? 0.2 : 20;
    const both = executor({ module, timeout, onError: "continue" }, { module: GOOD });
    const { action, contexts, results } = await both.decide(write());
    expect(results[0]).toMatchObject({ success: false, failure: { why }, error: expect.stringMatching(words) });
    expect({ action, contexts }).toEqual({ action: "continue", contexts: ["heard"] });
    expect((await executor({ module, timeout }).decide(write())).action).toBe("deny");
  });

  it("that is not there is a failure that names it", async () => {
    for (const module of ["./nowhere.ts", "no-such-package"]) {
      const [result] = await executor({ module }).executeHooks(write());
      expect(result).toMatchObject({
        action: "deny",
        failure: { why: "not_found" },
        error: expect.stringContaining(module),
      });
    }
  });

  it("ends when its caller gives up", async () => {
    const module = file("slow.mjs", `export default { preToolUse: () => new Promise(() => {}) };`);
    const [result] = await executor({ module }).executeHooks(write(), { signal: AbortSignal.timeout(50) });
    expect(result).toMatchObject({ action: "deny", failure: { why: "signal", aborted: true } });
  });

  it("is loaded once, and again when it or a file of its own has changed", async () => {
    file("word.ts", `export const word: string = "one";`);
    const module = file(
      "counted.ts",
      `import { word } from "./word.ts"; let calls = 0;
      export default { preToolUse: () => ["block", word + ++calls] };`,
    );
    const said = async () => (await executor({ module }).decide(write())).reasons[0];
    expect([await said(), await said()]).toEqual(["one1", "one2"]);
    file("word.ts", `export const word: string = "two";`);
    utimesSync(join(folder, "word.ts"), 1, 1);
    expect([await said(), await said()]).toEqual(["two1", "two2"]);
    file("counted.ts", `export default { preToolUse: () => ["block", "three, a longer file"] };`);
    expect(await said()).toBe("three, a longer file");
  });

  it.each([
    ["plugin.mjs", "import { word } from './word.mjs'; export default", "two"],
    ["plugin.mjs", "const word = await Promise.resolve('one'); export default", "one"],
    ["plugin.cjs", "const { word } = require('./word.cjs'); module.exports =", "two"],
    ["plugin.js", "import { word } from './word.mjs'; export default", "two"],
    ["plugin.js", "const { word } = require('./word.cjs'); module.exports =", "two"],
    ["plugin.ts", "import { word } from './word.mjs'; export default", "two"],
  ])("is loaded again as %s with %j although Node keeps what it has imported", async (name, text, then) => {
    const module = `./${name}`;
    const said = async (method: string, more: string) => {
      file(name, `${text} { ${method}: () => ["block", word + "${more}"] };`);
      return (await executor({ module }).decide(write())).reasons[0];
    };
    const words = (word: string) => {
      file("word.mjs", `export const word = "${word}";`);
      file("word.cjs", `exports.word = "${word}";`);
    };
    words("one");
    expect(await said("preToolUse", "")).toBe("one");
    expect(await said("preToolUse", ", changed")).toBe("one, changed");
    words("two");
    for (const one of ["word.mjs", "word.cjs"]) utimesSync(join(folder, one), 1, 1);
    expect(await said("preToolUze", ", misspelt")).toContain("did you mean");
    expect(await said("preToolUse", ", mended")).toBe(`${then}, mended`);
  });

  it("prints into its result, because standard output belongs to the agent", async () => {
    const module = file(
      "loud.mjs",
      `export default { async preToolUse() {
      process.stdout.write("out "); await null; process.stdout.write("put"); process.stderr.write("err"); return null; } };`,
    );
    const [result] = await executor({ module }).executeHooks(write());
    expect(result).toMatchObject({ stdout: "out put", stderr: "err", action: "continue" });
  });

  it("sees the environment of a command hook: credentials only by name, and what its hook adds", async () => {
    process.env.SOME_API_KEY = "secret";
    onTestFinished(() => void delete process.env.SOME_API_KEY);
    const module = file(
      "env.mjs",
      `const { SOME_API_KEY, NODE_OPTIONS, ADDED, SLUICE_DEPTH } = process.env;
      export default { preToolUse: () => ["block", JSON.stringify([SOME_API_KEY, NODE_OPTIONS, ADDED, SLUICE_DEPTH])] };`,
    );
    const said = async (more: object) => (await executor({ module, ...more }).decide(write())).reasons[0];
    expect(await said({})).toBe('[null,null,null,"1"]');
    utimesSync(join(folder, module), 1, 1);
    expect(await said({ passEnv: ["SOME_API_KEY"], env: { ADDED: "x", NODE_OPTIONS: "x" } })).toBe(
      '["secret",null,"x","1"]',
    );
  });

  it("has a process of its own for each call under way, and none of them is this one", async () => {
    const module = file(
      "pid.mjs",
      `export default { preToolUse: async () => { await new Promise((done) => setTimeout(done, 200)); return ["block", String(process.pid)]; } };`,
    );
    const pids = () => executor({ module, parallel: true }, { module, parallel: true }).decide(write());
    const { reasons } = await pids();
    expect(new Set([...reasons, String(process.pid)]).size).toBe(3);
    expect(new Set((await pids()).reasons)).toEqual(new Set(reasons));
    // Node reads this when it starts.
    process.env.NODE_NO_WARNINGS = "1";
    onTestFinished(() => void delete process.env.NODE_NO_WARNINGS);
    expect(reasons).not.toContain((await executor({ module }).decide(write())).reasons[0]);
  });

  it.each([
    ["user", "configuration/hooks.yaml", "configuration/mine.js", "deny"],
    ["user", "configuration/hooks.yaml", "mine.js", "not_found"],
    ["project", ".sluice/hooks.yaml", ".sluice/mine.js", "deny"],
    ["project", ".sluice/hooks.yaml", "mine.js", "deny"],
  ] as const)("of the %s, written in %s, is looked for beside it: %s", async (layer, config, module, outcome) => {
    file(module, `export default { preToolUse: () => ["block", "found"] };`);
    const origin = { layer: layer as Layer, place: { file: join(folder, config) }, index: 0 };
    const hook = Hook.fromJSON({ event: "*", module: "./mine.js" }, origin);
    const [result] = await executor(hook).executeHooks(write());
    expect(result?.failure?.why ?? result?.action).toBe(outcome);
  });
});
