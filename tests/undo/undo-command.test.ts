import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createHookEngine, HooksManager } from "../../src/index.ts";
import { project } from "../cli/sluice.ts";

const FILES = { "src/a.ts": "export const a = 1;\n", "src/b/c.bin": "\u0000\u0001\u0002", "notes.md": "keep me\n" };

/** A project of a user who has turned on guards. */
function guarded(settings = "") {
  const made = project(FILES);
  mkdirSync(join(made.home, ".config/sluice"), { recursive: true });
  writeFileSync(join(made.home, ".config/sluice/hooks.yaml"), `guards: standard\n${settings}\n`);
  const call = (command: string, session = "s1") =>
    made.sluice(
      "fire",
      "tool:pre_execute",
      "--tool",
      "Bash",
      "--session",
      session,
      "--args",
      JSON.stringify({ command }),
      "--json",
    );
  const destroy = (command: string, session?: string) => {
    const fired = call(command, session);
    execFileSync("sh", ["-c", command], { cwd: made.root });
    return JSON.parse(fired.out);
  };
  const read = (path: string) => readFileSync(join(made.root, path), "utf8");
  const list = () => JSON.parse(made.sluice("undo", "--list", "--json").out);
  return { ...made, call, destroy, read, list };
}

const idOf = ({ id }: { id: string }) => id;

describe("sluice undo", () => {
  test("an overwritten file comes back also where the agent never told that the call had ended; what it held is kept first", () => {
    const { destroy, sluice, read, call, root } = guarded();
    writeFileSync(join(root, "data.txt"), "one\n");
    destroy("echo two > data.txt");
    const { code, out } = sluice("undo", "--last");
    expect(code, out).toBe(0);
    expect(read("data.txt")).toBe("one\n");
    const [, again = ""] = /`sluice undo ([0-9a-f]+)` undoes this undo/.exec(out) ?? [];
    expect(sluice("undo", again).code).toBe(0);
    expect(read("data.txt")).toBe("two\n");
    call("rm -rf src");
    rmSync(join(root, "src"), { recursive: true });
    const missing = sluice("undo", "--last", "nothing-here.txt");
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("this call destroyed nothing there")]);
    expect(existsSync(join(root, "src"))).toBe(false);
  });

  test("`sluice explain` says what would be kept, and names no id", () => {
    const { sluice } = guarded();
    const { out } = sluice("explain", "rm -rf src", "--tool", "Bash");
    expect(out).toContain("would keep 2 files");
    expect(out).not.toMatch(/sluice undo [0-9a-f]{6}/);
  });

  test("a call of many lines has one line in the list", () => {
    const { destroy, sluice } = guarded();
    destroy("rm -rf \\\n  src");
    expect(sluice("undo", "--list").out.trimEnd().split("\n")).toHaveLength(3);
  });

  test("the list shows what an id, a session or --last means", () => {
    const { destroy, sluice, list } = guarded();
    destroy("rm src/a.ts");
    destroy("rm -rf src");
    const [last, first] = list();
    const ids = (...args: string[]) => JSON.parse(sluice("undo", "--list", "--json", ...args).out).map(idOf);
    expect([last, first].map(idOf)).toEqual(ids("--session", "s1"));
    expect(ids("--session", "another")).toEqual([]);
    expect(ids("--last")).toEqual([last.id]);
    expect(ids(first.id)).toEqual([first.id]);
  });

  test("a call that only destroys what could be kept passes, and undo brings it back", () => {
    const { destroy, sluice, read, list, root } = guarded();
    expect(destroy("rm -rf src")).toMatchObject({ action: "continue", kept: { files: 2, bytes: 23 } });
    expect(existsSync(join(root, "src"))).toBe(false);
    expect(list()).toMatchObject([
      {
        tool: "Bash",
        session_id: "s1",
        command: "rm -rf src",
        bytes: 23,
        state: "kept",
        files: [
          { path: "src/a.ts", kept: "copy", bytes: 20 },
          { path: "src/b/c.bin", kept: "copy", bytes: 3 },
        ],
      },
    ]);
    expect(sluice("undo", "--list").out).toMatch(/^id .*\n[0-9a-f]{6} +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
    sluice("install", "claude-code", "--yes");
    expect(sluice("uninstall", "claude-code", "--yes").out).toContain("your approvals and what undo keeps of calls");
    expect(sluice("undo", "--last")).toMatchObject({ code: 0 });
    expect([read("src/a.ts"), read("src/b/c.bin")]).toEqual([FILES["src/a.ts"], FILES["src/b/c.bin"]]);
    expect(list()).toMatchObject([{ state: "undone" }]);
  });

  test("a file that has changed since is left alone and named; --force keeps it first", () => {
    const { destroy, sluice, read, list, root } = guarded();
    destroy("rm -rf src");
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/a.ts"), "written later\n");
    const { code, err } = sluice("undo", "--last");
    expect(code).toBe(1);
    expect(err).toMatch(/left alone: .*src\/a\.ts: it has changed since[\s\S]*--force/);
    expect([read("src/a.ts"), read("src/b/c.bin")]).toEqual(["written later\n", FILES["src/b/c.bin"]]);
    const forced = sluice("undo", "--last", "--force");
    expect(forced.code).toBe(0);
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    const [undo] = list();
    expect(undo).toMatchObject({ tool: "sluice undo", state: "kept" });
    expect(forced.out).toContain(`\`sluice undo ${undo.id}\` undoes this undo`);
    sluice("undo", undo.id);
    expect(read("src/a.ts")).toBe("written later\n");
    expect(sluice("undo", "--last").err).toContain("Nothing of this project is kept that could come back");
    expect(sluice("undo", "--session", "s1").code).toBe(1);
  });

  test("an undo that was interrupted is marked in the list, and the next one finishes it", () => {
    const { destroy, sluice, list, home, read } = guarded();
    destroy("rm -rf src");
    const calls = join(home, ".state/sluice/undo/calls");
    const [file = ""] = readdirSync(calls);
    const kept = JSON.parse(readFileSync(join(calls, file), "utf8"));
    writeFileSync(join(calls, file), JSON.stringify({ ...kept, undoing: new Date().toISOString() }));
    expect(list()).toMatchObject([{ state: "kept", interrupted: true }]);
    const shown = sluice("undo", "--list").out;
    expect(shown).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +interrupted/);
    expect(shown).toContain(`\`sluice undo ${kept.id}\` finishes it`);
    expect(sluice("undo", kept.id)).toMatchObject({ code: 0, err: expect.stringContaining("this one finishes it") });
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    expect(list()[0]).not.toHaveProperty("interrupted");
  });

  test("a call whose record is torn or of another version is told, and the others come back", () => {
    const { destroy, sluice, list, home, read } = guarded();
    destroy("rm -rf src");
    const calls = join(home, ".state/sluice/undo/calls");
    const [file = ""] = readdirSync(calls);
    const whole = readFileSync(join(calls, file), "utf8");
    for (const other of [whole.slice(0, 30), whole.replace('"v":1', '"v":2'), "[]"]) {
      writeFileSync(join(calls, file), other);
      const { code, out, err } = sluice("undo", "--list");
      expect([code, err]).toEqual([
        0,
        expect.stringContaining(`What was kept of 1 call cannot be read: ${join(calls, file)}`),
      ]);
      expect(out).toContain("Nothing that can be read is kept");
      expect(sluice("undo", "--last")).toMatchObject({ code: 1, err: expect.stringContaining("undo/unreadable") });
      expect(list()).toEqual([]);
    }
    expect(sluice("doctor").out).toContain(`What was kept of 1 call cannot be read: ${join(calls, file)}`);
    destroy("rm -rf notes.md");
    expect(sluice("undo", "--last")).toMatchObject({ code: 0, err: expect.stringContaining("undo/unreadable") });
    expect(read("notes.md")).toBe(FILES["notes.md"]);
  });

  test("nothing is written through a symlink that was put in the place of a folder, not even by force", () => {
    const { destroy, sluice, read, root, home } = guarded();
    destroy("rm -rf src");
    const outside = join(home, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(root, "src"));
    const { code, err } = sluice("undo", "--last");
    expect([code, err]).toEqual([1, expect.stringContaining("src/a.ts: a folder above it is a symlink now")]);
    expect(readdirSync(outside)).toEqual([]);
    expect(sluice("undo", "--last", "src/a.ts", "--force").code).toBe(1);
    expect(readdirSync(outside)).toEqual([]);
    expect(sluice("undo", "--last", "--force").code).toBe(0);
    expect([read("src/a.ts"), readdirSync(outside)]).toEqual([FILES["src/a.ts"], []]);
  });

  test("what git checks out in a repository inside the project is known to be the call's own", () => {
    const { destroy, sluice, read, root } = guarded();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "-C", root, ...args], { stdio: "pipe" });
    git("init", "-q", ".");
    git("init", "-q", "src/b");
    git("-C", "src/b", "add", ".");
    git("-C", "src/b", "commit", "-qm", "first");
    writeFileSync(join(root, "src/b/c.bin"), "not committed\n");
    destroy("git -C src/b checkout -- c.bin");
    expect(read("src/b/c.bin")).toBe(FILES["src/b/c.bin"]);
    expect(sluice("undo", "--last")).toMatchObject({ code: 0, err: "" });
    expect(read("src/b/c.bin")).toBe("not committed\n");
  });

  test("without the event after a call, what was written into an emptied file since is left alone", () => {
    const { destroy, sluice, read, root } = guarded();
    destroy("> notes.md");
    writeFileSync(join(root, "notes.md"), "important\n");
    expect(sluice("undo", "--last")).toMatchObject({ code: 1, err: expect.stringContaining("it has changed since") });
    expect(read("notes.md")).toBe("important\n");
  });

  test("only the paths that are named come back, and a dry run brings back nothing", () => {
    const { destroy, sluice, root } = guarded();
    destroy("rm -rf src");
    expect(sluice("undo", "--last", "--dry-run").out).toContain("Would bring back 4 items");
    expect(existsSync(join(root, "src"))).toBe(false);
    const elsewhere = sluice("undo", "--last", "nowhere");
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("destroyed nothing there")]);
    expect(elsewhere.err).not.toContain("--force");
    sluice("undo", "--last", "src/b");
    expect([existsSync(join(root, "src/a.ts")), existsSync(join(root, "src/b/c.bin"))]).toEqual([false, true]);
  });

  test("a session is undone as a whole, its latest call first", () => {
    const { destroy, sluice, read } = guarded();
    destroy("> notes.md", "s2");
    destroy("rm -rf src", "s2");
    expect(sluice("undo", "--session", "s2")).toMatchObject({ code: 0 });
    expect([read("notes.md"), read("src/a.ts")]).toEqual([FILES["notes.md"], FILES["src/a.ts"]]);
  });

  test("what is too large, unknown or outside of the project stays denied, and the denial says why", () => {
    const { call } = guarded("undo: { call: 10 }");
    for (const [command, why] of [
      ["rm -rf src", "it destroys more than 10 bytes"],
      ['rm -rf "$FOLDER"', "known only when the command runs"],
    ] as const)
      expect(JSON.parse(call(command).out), command).toMatchObject({
        action: "deny",
        reasons: expect.arrayContaining([expect.stringContaining(why)]),
      });
    expect(JSON.parse(call("rm -rf ~").out).action).toBe("deny");
    expect(JSON.parse(call("git push --force").out).action).toBe("deny");
  });

  test("what is older or more than allowed goes, the oldest first", () => {
    const { destroy, sluice, list, root } = guarded("undo: { max: 30 }");
    destroy("rm -rf src");
    const [{ id }] = list();
    mkdirSync(join(root, "lib"));
    writeFileSync(join(root, "lib/x"), "0123456789abcdefghij");
    destroy("rm -rf lib");
    expect(list().map(({ state }: { state: string }) => state)).toEqual(["kept", "expired"]);
    expect(sluice("undo", id)).toMatchObject({ code: 1, err: expect.stringContaining("has expired") });
  });

  test("without undo the guard's own word stands", () => {
    const { call } = guarded("undo: off");
    expect(JSON.parse(call("rm -rf src").out).action).toBe("deny");
  });

  test("an unknown id is answered with the way to the list", () => {
    const { sluice } = guarded();
    expect(sluice("undo", "abcdef")).toMatchObject({ code: 1, err: expect.stringContaining("sluice undo --list") });
  });

  test("an embedded engine keeps as well", async () => {
    const { root, home } = guarded();
    const saved = { ...process.env };
    Object.assign(process.env, {
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, ".state"),
    });
    try {
      const engine = await createHookEngine({ root, sessionId: "host" });
      const decision = await engine.preToolUse({ toolName: "Bash", toolInput: { command: "rm -rf src" } });
      expect(decision).toMatchObject({
        allow: true,
        contextPatch: { context: expect.stringContaining("sluice undo") },
      });
      rmSync(join(root, "src"), { recursive: true });
    } finally {
      for (const name of ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]) {
        if (saved[name] === undefined) delete process.env[name];
        else process.env[name] = saved[name];
      }
    }
  });

  test("a manager's decision says what was kept, and a project cannot turn it off", async () => {
    const { root, home } = guarded("");
    mkdirSync(join(root, ".sluice"), { recursive: true });
    writeFileSync(join(root, ".sluice/hooks.yaml"), "undo: off\nguards: off\n");
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
    vi.stubEnv("XDG_STATE_HOME", join(home, ".state"));
    try {
      const manager = new HooksManager({ root });
      manager.load();
      const decision = await manager.decide({ sessionId: "m" }, "PreToolUse", {
        tool: "Bash",
        args: { command: "rm -rf src" },
      });
      expect(decision).toMatchObject({ action: "continue", kept: { files: 2, bytes: 23, id: expect.any(String) } });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
