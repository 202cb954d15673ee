import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createHookEngine, type EndedCall } from "../../src/index.ts";
import { EXAMPLE, project, put, within } from "./project.ts";

const write = (path: string) => ({ toolName: "write_to_file", toolInput: { path, content: "x" } });
const bash = (command: string) => ({ toolName: "Bash", toolInput: { command } });
const select = (id: string) => ({ toolName: "select_active_intent", toolInput: { intent_id: id } });

describe("a session selects first, and acts then", () => {
  test("no intent, an unknown one, then the right one", async () => {
    const { root, env } = project();
    await within(env, async () => {
      const engine = createHookEngine({ root, sessionId: "s1" });
      expect(await engine.preToolUse(write("src/auth/a.ts"))).toMatchObject({ allow: false, code: "INTENT_REQUIRED" });
      expect(await engine.preToolUse(select("INT-9"))).toMatchObject({ allow: false, code: "INTENT_REQUIRED" });
      const selected = await engine.preToolUse(select("INT-001"));
      expect(selected).toMatchObject({
        allow: true,
        contextPatch: { intent_context: expect.stringContaining("Must not use external auth providers") },
      });
      expect(await engine.preToolUse(write("src/auth/a.ts"))).toEqual({ allow: true });
      const said = await engine.preToolUse(write("src/db.ts"));
      expect(said).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
      expect(said).toMatchObject({
        reason: expect.stringMatching(/INT-001.*src\/db\.ts.*src\/auth\/\*\*.*request_scope/),
      });
    });
  });

  test.each([
    [write("src/auth/a.ts"), "this changes files"],
    [bash("git push origin topic"), "this changes something besides files of the project"],
    [bash("git push --force origin topic"), "this destroys what does not come back (git push"],
    [bash('sh -c "$WORK"'), "it is unknown what this changes ("],
  ])("the denial says what of %j needs an intent", async (call, act) => {
    const { root, env } = project();
    await within(env, async () => {
      const reason = expect.stringContaining(`${act}`);
      const denied = await createHookEngine({ root, sessionId: "s1" }).preToolUse(call);
      expect(denied).toMatchObject({ code: "INTENT_REQUIRED", reason });
      expect(denied).toMatchObject({ reason: expect.stringContaining("the session has selected no intent") });
    });
  });

  test("the selection belongs to the session, and outlives the engine", async () => {
    const { root, env } = project();
    await within(env, async () => {
      const context = await createHookEngine({ root, sessionId: "s1" }).selectActiveIntent("INT-001");
      expect(context).toMatch(/^<intent_context>\n[\s\S]*<\/intent_context>$/);
      const again = createHookEngine({ root, sessionId: "s1" });
      expect(await again.preToolUse(write("src/auth/a.ts"))).toEqual({ allow: true });
      const other = createHookEngine({ root, sessionId: "s2" });
      expect(await other.preToolUse(write("src/auth/a.ts"))).toMatchObject({ code: "INTENT_REQUIRED" });
      const sibling = { ...write("src/auth/a.ts"), sessionId: "s3" };
      expect(await again.preToolUse(sibling)).toMatchObject({ code: "INTENT_REQUIRED" });
    });
  });

  test("an engine without a session takes over the first that a call names", async () => {
    const { root, env } = project();
    await within(env, async () => {
      const engine = createHookEngine({ root });
      await engine.selectActiveIntent("INT-001");
      expect(await engine.preToolUse(write("src/auth/a.ts"))).toEqual({ allow: true });
      const named = { ...write("src/auth/a.ts"), sessionId: "mine" };
      expect(await engine.preToolUse(named)).toEqual({ allow: true });
      expect(engine.sessionId).toBe("mine");
    });
  });

  test.each<[what: string, id: string]>([
    ["an unknown intent", "INT-7"],
    ["one that is done", "INT-002"],
    ["one that is twice there", "INT-003"],
    ["no id", ""],
  ])("%s cannot be selected", async (_, id) => {
    const more = "    - { id: INT-002, name: b, status: COMPLETED }\n".concat(
      "    - { id: INT-003, status: IN_PROGRESS }\n".repeat(2),
    );
    const { root, env } = project({ ".orchestration/active_intents.yaml": EXAMPLE + more });
    await within(env, async () => {
      const engine = createHookEngine({ root });
      await expect(engine.selectActiveIntent(id)).rejects.toThrow(/cannot be selected/);
      expect(await engine.preToolUse(select(id))).toMatchObject({ allow: false, code: "INTENT_REQUIRED" });
    });
  });
});

describe("the codes, in their order", () => {
  test.each<[what: string, change: (root: string) => void, code: string]>([
    ["no file", (root) => rmSync(join(root, ".orchestration"), { recursive: true }), "INTENT_REQUIRED"],
    ["a corrupt file", (root) => writeIntents(root, "active_intents: ["), "HOOK_ERROR"],
    ["done meanwhile", (root) => writeIntents(root, EXAMPLE.replace("IN_PROGRESS", "COMPLETED")), "INTENT_REQUIRED"],
    ["gone meanwhile", (root) => writeIntents(root, "active_intents: []"), "INTENT_REQUIRED"],
    ["owning nothing", (root) => writeIntents(root, EXAMPLE.replaceAll(/ {10}- "src.*\n/g, "")), "SCOPE_VIOLATION"],
    ["a protected file", (root) => writeFileSync(join(root, ".intentignore"), "src/auth/a.ts\n"), "SCOPE_VIOLATION"],
    ["a list of protected files that cannot be read", (root) => put(join(root, ".intentignore/x"), ""), "HOOK_ERROR"],
  ])("%s", async (_, change, code) => {
    const { root, env } = project();
    await within(env, async () => {
      const engine = createHookEngine({ root, sessionId: "s" });
      await engine.selectActiveIntent("INT-001");
      change(root);
      const said = await engine.preToolUse(write("src/auth/a.ts"));
      expect(said).toEqual({ allow: false, code, reason: expect.stringMatching(new RegExp(`^${code}: `)) });
      expect(await engine.preToolUse({ toolName: "Read", toolInput: { file_path: "src/x.ts" } })).toEqual({
        allow: true,
      });
    });
  });

  test.each<[command: string, code: string | undefined]>([
    ["ls -la && cat src/other.ts | head -5", undefined],
    ["git status && git diff", undefined],
    ["echo hello", undefined],
    ["rm src/auth/a.ts", undefined],
    ["mv src/auth/a.ts src/auth/b.ts", undefined],
    ["rm -rf src/auth/old", "DESTRUCTIVE_BLOCKED"],
    ["rm -f src/auth/a.ts", "DESTRUCTIVE_BLOCKED"],
    ["rm -rf src", "SCOPE_VIOLATION"],
    ["rm -rf /", "SCOPE_VIOLATION"],
    ["git reset --hard", "DESTRUCTIVE_BLOCKED"],
    ["git clean -fd", "DESTRUCTIVE_BLOCKED"],
    ["git push --force", "DESTRUCTIVE_BLOCKED"],
    ["git push -f origin main", "DESTRUCTIVE_BLOCKED"],
    ["sluice intents scope add INT-001 '**'", "SCOPE_VIOLATION"],
    ["ln -s /etc src/auth/etc && echo x > src/auth/etc/passwd", "SCOPE_VIOLATION"],
    ["ln -s ../b.ts src/auth/l && echo x > src/auth/l", "SCOPE_VIOLATION"],
    ["ln -s a.ts src/auth/l && echo x > src/auth/l", undefined],
    ["rm src/auth/*.ts", undefined],
    ['for f in src/auth/*.ts; do sed -i s/a/b/ "$f"; done', undefined],
    ['for f in src/*.ts; do sed -i s/a/b/ "$f"; done', "SCOPE_VIOLATION"],
    ["git stash", "SCOPE_VIOLATION"],
    ["git commit -m done", undefined],
    ["rm src/*.ts", "SCOPE_VIOLATION"],
    ["cd src/auth && echo x > a.ts", undefined],
    ["cd src/auth && echo x > ../b.ts", "SCOPE_VIOLATION"],
    ["cd /tmp && echo x > b.ts", "SCOPE_VIOLATION"],
  ])("%s", async (command, code) => {
    const { root, env } = project({ "src/auth/a.ts": "", "src/b.ts": "" });
    await within(env, async () => {
      const engine = createHookEngine({ root, sessionId: "s" });
      await engine.selectActiveIntent("INT-001");
      const said = await engine.preToolUse(bash(command));
      if (code === undefined) expect(said).toEqual({ allow: true });
      else expect(said).toMatchObject({ allow: false, code });
    });
  });
});

describe("who can ask, asks", () => {
  test.each([true, false])("a person says %s", async (answer) => {
    const { root, env } = project({ "src/auth/old/a.ts": "" });
    await within(env, async () => {
      const asked: string[] = [];
      const onAsk = ({ reasons }: { reasons: readonly string[] }) => asked.push(...reasons) > 0 && answer;
      const engine = createHookEngine({ root, onAsk });
      await engine.selectActiveIntent("INT-001");
      const said = await engine.preToolUse(bash("rm -rf src/auth/old"));
      expect(said.allow).toBe(answer);
      expect(asked.join()).toMatch(/DESTRUCTIVE_BLOCKED/);
    });
  });
});

test("a hook of the user that allows is an approval", async () => {
  const { root, env } = project({ "src/auth/old/a.ts": "" });
  const hook = { event: "tool:pre_execute:Bash", command: `printf '{"action":"allow"}'` };
  put(join(env.XDG_CONFIG_HOME, "sluice/hooks.json"), JSON.stringify({ hooks: [hook] }));
  await within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s" });
    await engine.selectActiveIntent("INT-001");
    expect(await engine.preToolUse(bash("rm -rf src/auth/old"))).toEqual({ allow: true });
    expect(await engine.preToolUse(bash("rm -rf src"))).toMatchObject({ code: "SCOPE_VIOLATION" });
  });
});

describe("what cannot be told", () => {
  test.each<[config: string, intent: string, allow: boolean]>([
    ["ask", "", false],
    ["deny", "", false],
    ["allow", "", true],
    ["allow", "deny", false],
    ["deny", "allow", false],
  ])("configuration %s, intent %j: %s", async (config, intent, allow) => {
    const word = intent === "" ? "" : `      on_unknown: ${intent}\n`;
    const { root, env } = project({
      ".orchestration/active_intents.yaml": EXAMPLE + word,
    });
    put(join(env.XDG_CONFIG_HOME, "sluice/hooks.yaml"), `intents:\n  on_unknown: ${config}\n`);
    await within(env, async () => {
      const engine = createHookEngine({ root, sessionId: "s" });
      await engine.selectActiveIntent("INT-001");
      const said = await engine.preToolUse(bash("./build-everything"));
      expect(said).toMatchObject(allow ? { allow } : { allow, code: "SCOPE_VIOLATION" });
      expect((await engine.preToolUse(bash("./build-everything > src/x.ts"))).allow).toBe(false);
    });
  });
});

describe("modes", () => {
  test("off says nothing", async () => {
    const { root, env } = project({}, "off");
    await within(env, async () => {
      expect(await createHookEngine({ root }).preToolUse(write("/etc/passwd"))).toEqual({ allow: true });
    });
  });

  test("advise tells and lets pass", async () => {
    const { root, env } = project({}, "advise");
    await within(env, async () => {
      const said = await createHookEngine({ root }).preToolUse(write("src/db.ts"));
      expect(said).toMatchObject({
        allow: true,
        contextPatch: { context: expect.stringContaining("INTENT_REQUIRED") },
      });
    });
  });
});

describe("after the tool", () => {
  test("what was decided before and what happened are one call", async () => {
    const { root, env } = project();
    await within(env, async () => {
      const ended: EndedCall[] = [];
      const engine = createHookEngine({ root, sessionId: "s", onEnded: (call) => void ended.push(call) });
      await engine.selectActiveIntent("INT-001");
      const call = { ...write("src/auth/a.ts"), toolUseId: "t1" };
      await engine.preToolUse(call);
      await engine.postToolUse({ ...call, toolInput: {} }, { ok: true });
      expect(ended).toMatchObject([{ sessionId: "s", input: { path: "src/auth/a.ts" }, result: { ok: true } }]);
    });
  });
});

function writeIntents(root: string, text: string): void {
  writeFileSync(join(root, ".orchestration/active_intents.yaml"), text);
}

describe("a host that hands over something else", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["no tool", {}],
    ["a number as tool", { toolName: 5, toolInput: {} }],
    ["an empty tool", { toolName: "", toolInput: {} }],
  ])("%s is refused before, and never thrown back afterwards", async (_, call) => {
    const { root, env } = project();
    await within(env, async () => {
      const engine = createHookEngine({ root, sessionId: "s" });
      const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
      expect(await engine.preToolUse(call as never)).toMatchObject({
        allow: false,
        code: "HOOK_ERROR",
        reason: expect.stringContaining("names no tool"),
      });
      await engine.postToolUse(call as never, "x");
      expect(warned).toHaveBeenCalledTimes(1);
      warned.mockRestore();
    });
  });

  test.each([[undefined], [null], [{}], [{ root: 5 }]])("an engine for %j says what it needs", (options) => {
    expect(() => createHookEngine(options as never)).toThrow(
      expect.objectContaining({ code: "host/no-root", fix: expect.stringContaining("createHookEngine({ root:") }),
    );
  });
});

test("a question that is refused keeps the code of the stage that asked", async () => {
  const { root, env } = project();
  await within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s", onAsk: async () => false });
    await engine.selectActiveIntent("INT-001");
    expect(await engine.preToolUse(bash("./frobnicate"))).toMatchObject({ allow: false, code: "SCOPE_VIOLATION" });
    const lossy = bash("rm -rf src/auth/old");
    expect(await engine.preToolUse(lossy)).toMatchObject({ allow: false, code: "DESTRUCTIVE_BLOCKED" });
  });
});

test.each([true, false])("a selection that is asked about binds the session when it passes: %s", async (answer) => {
  const { root, env } = project();
  const hook = {
    event: "tool:pre_execute",
    type: "inline",
    rules: 'tool equals "select_active_intent" -> ask("sure?")',
  };
  put(join(env.XDG_CONFIG_HOME, "sluice/hooks.json"), JSON.stringify({ hooks: [hook] }));
  await within(env, async () => {
    const engine = createHookEngine({ root, sessionId: "s", onAsk: () => answer });
    expect((await engine.preToolUse(select("INT-001"))).allow).toBe(answer);
    const said = await engine.preToolUse(write("src/auth/a.ts"));
    expect(said).toMatchObject(answer ? { allow: true } : { code: "INTENT_REQUIRED" });
  });
});

test("a file where the folder of intents belongs is named", async () => {
  const { root, env } = project();
  rmSync(join(root, ".orchestration"), { recursive: true });
  put(join(root, ".orchestration"), "x");
  await within(env, async () => {
    const said = await createHookEngine({ root, sessionId: "s" }).preToolUse(write("src/auth/a.ts"));
    const reason = expect.stringContaining(`${join(root, ".orchestration")}: This is a file, where the folder`);
    expect(said).toMatchObject({ allow: false, code: "HOOK_ERROR", reason });
  });
});
