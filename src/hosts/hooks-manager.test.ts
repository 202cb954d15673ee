import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Hook } from "../hook/hook.ts";
import { HOOK_TEMPLATES } from "../templates/index.ts";
import { HooksManager } from "./hooks-manager.ts";

let root: string;
const session = { sessionId: "s1" };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-manager-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const denies = (name: string, word: string, reason: string) => ({
  name,
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["bash"] },
  inline_rules: [{ field: "args.command", operator: "contains", value: word, action: "deny", reason }],
});
const managerOf = (...hooks: object[]) => {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks };
  return manager;
};
const bash = (command: string) => ({ tool: "bash", args: { command } });

describe("load", () => {
  beforeEach(() => {
    write("home/sluice/hooks.json", JSON.stringify({ hooks: [denies("of-the-user", "sudo", "no sudo")] }));
    write(
      ".sluice/hooks.json",
      JSON.stringify({ hooks: { definitions: [denies("of-the-project", "curl", "no curl")] } }),
    );
  });

  test("adds what the layers of the root say to what was preset", async () => {
    const manager = managerOf(denies("preset", "rm", "no rm"));
    manager.load();
    expect(manager.hooksConfig.hooks.map(({ name }) => name).sort()).toEqual([
      "of-the-project",
      "of-the-user",
      "preset",
    ]);
    for (const [command, reason] of [
      ["rm x", "no rm"],
      ["sudo x", "no sudo"],
      ["curl x", "no curl"],
    ] as const) {
      const results = await manager.emit(session, "PreToolUse", bash(command));
      expect(results.filter(({ action }) => action === "deny").map((result) => result.reason)).toEqual([reason]);
    }
  });

  test("can be repeated: files are read anew, nothing is there twice", () => {
    const manager = managerOf(denies("preset", "rm", "no rm"));
    manager.load();
    rmSync(join(root, ".sluice"), { recursive: true });
    manager.load();
    expect(manager.hooksConfig.hooks.map(({ name }) => name)).toEqual(["preset", "of-the-user"]);
    manager.hooksConfig = { ...manager.hooksConfig };
    manager.load();
    expect(manager.hooksConfig.hooks).toHaveLength(2);
  });

  test("says aloud what it could not read, keeps the rest, and gates say so too", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    write(".sluice/hooks.json", "{ nonsense");
    const manager = managerOf(denies("preset", "rm", "no rm"));
    manager.load();
    expect(warned).toHaveBeenCalledOnce();
    expect(warned.mock.calls[0]?.[0]).toContain(join(root, ".sluice/hooks.json"));
    const decision = await manager.decide(session, "PreToolUse", bash("rm"));
    expect(decision.reasons).toEqual(["no rm"]);
    expect(decision.contexts.join()).toContain("hooks.json");
  });

  test.each([
    ["breaks", "{ nonsense", 2],
    ["changes", JSON.stringify({ hooks: [] }), 1],
  ])("a file that %s afterwards is told once, and what was loaded still apply", async (_, text, times) => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const manager = managerOf();
    manager.load();
    write("home/sluice/hooks.json", text);
    for (let calls = 0; calls < 2; calls++)
      expect((await manager.decide(session, "PreToolUse", bash("sudo x"))).reasons).toContain("no sudo");
    expect(warned).toHaveBeenCalledTimes(times);
    for (const [words] of warned.mock.calls) expect(words).toContain(join(root, "home/sluice/hooks.json"));
    expect(warned.mock.calls[0]?.[0]).toContain("load()");
  });

  test("without any file leaves the preset hooks", () => {
    rmSync(join(root, "home"), { recursive: true });
    rmSync(join(root, ".sluice"), { recursive: true });
    const manager = managerOf(denies("preset", "rm", "no rm"));
    manager.load();
    expect(manager.hooksConfig.hooks.map(({ name }) => name)).toEqual(["preset"]);
  });
});

describe("hooksConfig", () => {
  test("takes hooks, and what a file would say", () => {
    const manager = managerOf(Hook.fromJSON({ event: "*", command: "true" }), { event: "stop", command: "true" });
    expect(manager.hooksConfig.hooks.every((hook) => hook instanceof Hook)).toBe(true);
  });

  test("refuses a hook that lacks what it needs", () => {
    const hook = { name: "x", type: "inline", matcher: { events: ["PreToolUse"] } };
    expect(() => managerOf(hook)).toThrow("Inline hook requires 'inline_rules'");
  });

  test.each([{}, { hooks: null }, { hooks: "x" }, [], null, undefined])("refuses %j, which has no hooks", (config) => {
    const manager = managerOf(denies("kept", "rm", "no rm"));
    const set = () => {
      manager.hooksConfig = config as never;
    };
    expect(set).toThrowError(
      expect.objectContaining({ code: "host/no-hooks", fix: expect.stringContaining("hooks:") }),
    );
    expect(manager.hooksConfig.hooks).toHaveLength(1);
  });

  test("a hook that is pushed is heard at once, and outlives load", async () => {
    const manager = managerOf(denies("first", "curl", "no curl"));
    const { hooks } = manager.hooksConfig;
    expect(
      hooks.push(Hook.fromJSON(denies("second", "rm", "no rm")), denies("third", "sudo", "no sudo") as never),
    ).toBe(3);
    expect(hooks.every((hook) => hook instanceof Hook)).toBe(true);
    const reasons = async (command: string) => (await manager.decide(session, "PreToolUse", bash(command))).reasons;
    expect(await reasons("sudo curl rm")).toEqual(["no curl", "no rm", "no sudo"]);
    manager.load();
    expect(await reasons("sudo curl rm")).toEqual(["no curl", "no rm", "no sudo"]);
    expect(manager.hooksConfig.hooks.map(({ name }) => name)).toEqual(["first", "second", "third"]);
    expect(() => hooks.push({ event: "stop" } as never)).toThrow("Command hook requires 'command' or 'script'");
    expect(manager.hooksConfig.hooks).toHaveLength(3);
  });

  test("another list takes the place of the preset hooks", async () => {
    const manager = managerOf(denies("first", "curl", "no curl"));
    manager.hooksConfig.hooks = [denies("second", "rm", "no rm")];
    expect((await manager.decide(session, "PreToolUse", bash("curl rm"))).reasons).toEqual(["no rm"]);
  });

  test.each<[what: string, change: (hooks: Hook[]) => void]>([
    ["remove the last", (hooks) => hooks.pop()],
    ["remove the first", (hooks) => hooks.shift()],
    ["remove all", (hooks) => hooks.splice(0)],
    ["empty it", (hooks) => Object.assign(hooks, { length: 0 })],
    ["replace one", (hooks) => hooks.fill(Hook.fromJSON({ event: "*", command: "true" }))],
  ])("nothing goes by changing the list that was read: %s", async (_what, change) => {
    const manager = managerOf(denies("first", "curl", "no curl"));
    expect(() => change(manager.hooksConfig.hooks)).toThrowError(expect.objectContaining({ code: "host/only-grows" }));
    expect((await manager.decide(session, "PreToolUse", bash("curl"))).reasons).toEqual(["no curl"]);
  });

  test("a shared template is copied, and can then be switched", () => {
    const manager = managerOf(HOOK_TEMPLATES.block_sudo);
    const [copy] = manager.hooksConfig.hooks;
    manager.disableHook(copy?.name ?? "");
    expect(copy?.enabled).toBe(false);
    expect(HOOK_TEMPLATES.block_sudo.enabled).toBe(true);
  });
});

describe("emit", () => {
  test("gives one result per hook that ran, lowest priority number first", async () => {
    const manager = managerOf(
      { name: "late", priority: 90, event: "stop", command: "echo late" },
      { name: "early", priority: 10, matcher: { events: ["Stop"] }, command: "echo early" },
      { name: "elsewhere", event: "session:start", command: "true" },
    );
    const results = await manager.emit(session, "Stop");
    expect(results.map(({ hook, stdout }) => [hook.name, stdout.trim()])).toEqual([
      ["early", "early"],
      ["late", "late"],
    ]);
  });

  test("a hook that breaks never loses another hook's denial", async () => {
    const manager = managerOf(
      {
        name: "broken",
        type: "plugin",
        module: "./no-such-file.js",
        priority: 1,
        on_error: "continue",
        event: "PreToolUse",
      },
      denies("guard", "rm", "no rm"),
      { name: "gone", args: ["/no/such/program"], on_error: "continue", event: "PreToolUse" },
    );
    const results = await manager.emit(session, "PreToolUse", bash("rm"));
    expect(results.map(({ hook, action }) => [hook.name, action])).toEqual([
      ["broken", "continue"],
      ["guard", "deny"],
      ["gone", "continue"],
    ]);
    expect((await manager.decide(session, "PreToolUse", bash("rm"))).action).toBe("deny");
  });

  test("hooks see the session, its folder, its type and the tool", async () => {
    const saved = { event: "*", command: 'cat > "$SLUICE_SESSION_ID.json"' };
    const manager = managerOf(saved, {
      name: "for-sub-agents",
      matcher: { events: ["PreToolUse"], tools: ["bash"], session_types: ["sub*"] },
      command: "true",
    });
    const rows = [
      [{ sessionId: "one" }, ['* › cat > "$SLUICE_SESSION_ID.json"']],
      [{ session_id: "two", sessionType: "subagent" }, ['* › cat > "$SLUICE_SESSION_ID.json"', "for-sub-agents"]],
    ] as const;
    for (const [who, heard] of rows) {
      const results = await manager.emit(who, "PreToolUse", bash("ls"));
      expect(results.map(({ hook }) => hook.name)).toEqual(heard);
    }
    const seen = JSON.parse(readFileSync(join(root, "two.json"), "utf8"));
    expect(seen).toMatchObject({
      type: "tool:pre_execute",
      session_id: "two",
      tool_name: "bash",
      cwd: root,
      data: { session_type: "subagent" },
    });
  });

  test("a path pattern of the project finds a file under its whole name", async () => {
    const manager = managerOf({ matcher: { events: ["PreToolUse"], path_patterns: ["src/**"] }, command: "true" });
    const args = { file_path: join(root, "src/a.ts") };
    expect(await manager.emit(session, "PreToolUse", { tool: "write", args })).toHaveLength(1);
  });

  test.each([
    ["an unknown event", () => managerOf().emit(session, "PreToolUs" as "PreToolUse"), 'mean "PreToolUse"'],
    ["a session without an id", () => managerOf().emit({}, "Stop"), "{ sessionId"],
    ["no session", () => managerOf().emit(null as never, "Stop"), "{ sessionId"],
    ["no session", () => managerOf().decide(undefined as never, "Stop"), "{ sessionId"],
    ["data that is null", () => managerOf().emit(session, "Stop", null as never), "leave it out"],
    ["data that is a text", () => managerOf().emit(session, "Stop", "x" as never), "leave it out"],
    ["data that is a list", () => managerOf().emit(session, "Stop", ["x"]), "leave it out"],
    ["data that is a number", () => managerOf().decide(session, "Stop", 5 as never), "leave it out"],
    ["a session without an id", () => managerOf().registerWithSession(null as never), "{ sessionId"],
  ])("refuses %s", async (_what, act, fix) => {
    await expect(act()).rejects.toMatchObject({ name: "Problem", fix: expect.stringContaining(fix) });
  });
});

describe("a hook's switch", () => {
  test("acts at once, both ways", async () => {
    const manager = managerOf(denies("guard", "rm", "no rm"));
    const act = async () => (await manager.decide(session, "PreToolUse", bash("rm"))).action;
    expect(await act()).toBe("deny");
    manager.disableHook("guard");
    expect(await act()).toBe("continue");
    manager.enableHook("guard");
    expect(await act()).toBe("deny");
  });

  test("outlives loading again", async () => {
    write("home/sluice/hooks.json", JSON.stringify({ hooks: [denies("guard", "rm", "no rm")] }));
    const manager = managerOf();
    manager.load();
    manager.disableHook("guard");
    manager.load();
    expect(await manager.emit(session, "PreToolUse", bash("rm"))).toEqual([]);
  });

  test("for an unknown name says which names there are", () => {
    expect(() => managerOf().enableHook("x")).toThrow(
      expect.objectContaining({ fix: expect.stringContaining("load()") }),
    );
    const manager = managerOf(denies("guard", "rm", "no rm"));
    const fix = 'Did you mean "guard"? There are: guard.';
    expect(() => manager.disableHook("gaurd")).toThrow(expect.objectContaining({ fix }));
  });
});

describe("getStats", () => {
  test("counts by hook name what every event did", async () => {
    const manager = managerOf(
      denies("guard", "rm", "no rm"),
      { name: "breaks", matcher: { events: ["PreToolUse"] }, command: "exit 7" },
      { name: "quiet", event: "session:end", command: "true" },
    );
    for (const command of ["rm", "ls", "ls"]) await manager.emit(session, "PreToolUse", bash(command));
    const { guard, breaks, quiet } = manager.getStats();
    expect(guard).toMatchObject({ calls: 3, errors: 0, denials: 1 });
    expect(breaks).toMatchObject({ calls: 3, errors: 3, denials: 0 });
    expect(quiet).toEqual({ calls: 0, errors: 0, denials: 0, totalMs: 0, p50Ms: 0, p99Ms: 0 });
    expect(breaks?.p50Ms).toBeGreaterThan(0);
    expect(breaks?.p99Ms).toBeLessThanOrEqual(breaks?.totalMs ?? 0);
  });

  test("survives loading again", async () => {
    const manager = managerOf(denies("guard", "rm", "no rm"));
    await manager.emit(session, "PreToolUse", bash("rm"));
    manager.load();
    await manager.emit(session, "PreToolUse", bash("rm"));
    expect(manager.getStats().guard?.calls).toBe(2);
  });
});

test("closing waits for async hooks, also for those that were started before loading again", async () => {
  const manager = managerOf({ event: "stop", async: true, command: "sleep 0.2; echo done > finished" });
  await manager.emit(session, "Stop");
  manager.load();
  await manager.close();
  expect(readFileSync(join(root, "finished"), "utf8")).toBe("done\n");
});
