import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { type KeepContext, keepLosses, keepPresent, keepQuietly } from "./keep.ts";
import { type KeptCall, readKept, undoFolder } from "./kept-call.ts";
import { hasOpenCalls } from "./open-calls.ts";
import { noteEnd } from "./recover.ts";
import { type UndoOptions, undoCall } from "./restore.ts";
import { sizeText } from "./snapshot.ts";

/** A project without a repository: files by their names. */
function project(files: Readonly<Record<string, string>> = {}, settings: Partial<typeof UNDO_DEFAULTS> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-restore-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(root);
  const path = (name: string) => join(root, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const env = { HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
  const context: KeepContext = { root, env, settings: { ...UNDO_DEFAULTS, ...settings }, lookups: diskLookups };
  const call = (command: string) => HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });
  const folder = undoFolder(env);
  return {
    root,
    env,
    folder,
    path,
    write,
    read: (name: string) => readFileSync(path(name), "utf8"),
    keep: (command: string, more: Partial<KeepContext> = {}) => {
      const kept = keepLosses(call(command), { ...context, ...more });
      if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
      return kept.call;
    },
    tried: (command: string, more: Partial<KeepContext> = {}) => keepLosses(call(command), { ...context, ...more }),
    quietly: (command: string, more: Partial<KeepContext> = {}) => keepQuietly(call(command), { ...context, ...more }),
    end: (command: string) =>
      noteEnd(HookEvent.toolPostExecute("Bash", { command }, "", { cwd: root, sessionId: "s" }), env),
    undo: (kept: KeptCall, options: UndoOptions = {}) => undoCall(folder, kept, options),
    present: (kept: KeptCall): UndoOptions => ({
      keepPresent: (paths) => keepPresent(paths, kept, folder, { ...UNDO_DEFAULTS, ...settings }),
    }),
    last: () => readKept(folder).at(-1) as KeptCall,
  };
}

describe("what comes back", () => {
  test("has its content, mode and time; a link leads where it led; folders are as they were", () => {
    const at = project({ "src/a.ts": "a", "src/deep/b.ts": "b" });
    symlinkSync("a.ts", at.path("src/link"));
    mkdirSync(at.path("src/empty"));
    chmodSync(at.path("src/a.ts"), 0o755);
    chmodSync(at.path("src/deep"), 0o711);
    for (const name of ["src/a.ts", "src/deep"]) utimesSync(at.path(name), 1000, 1000);
    const kept = at.keep("rm -rf src");
    expect(kept).toMatchObject({
      v: 1,
      root: at.root,
      session_id: "s",
      tool: "Bash",
      command: "rm -rf src",
      state: "kept",
    });
    expect(kept.files.map(({ kind }) => kind).sort()).toEqual([
      "file",
      "file",
      "folder",
      "folder",
      "folder",
      "symlink",
    ]);
    expect(kept.bytes).toBe(2);
    rmSync(at.path("src"), { recursive: true });
    at.end("rm -rf src");
    const told = at.undo(at.last());
    expect(told.restored).toHaveLength(6);
    expect([told.same, told.left]).toEqual([[], []]);
    expect([at.read("src/a.ts"), at.read("src/deep/b.ts"), readlinkSync(at.path("src/link"))]).toEqual([
      "a",
      "b",
      "a.ts",
    ]);
    expect(statSync(at.path("src/a.ts"))).toMatchObject({ mtimeMs: 1_000_000 });
    expect(statSync(at.path("src/a.ts")).mode & 0o777).toBe(0o755);
    expect(statSync(at.path("src/deep")).mode & 0o777).toBe(0o711);
    expect(statSync(at.path("src/deep")).mtimeMs).toBe(1_000_000);
    expect(readdirSync(at.path("src")).sort()).toEqual(["a.ts", "deep", "empty", "link"]);
    expect(at.last().state).toBe("undone");
    expect(at.last().undoing).toBe(undefined);
    expect(at.undo(at.last())).toMatchObject({ restored: [], same: { length: 6 }, left: [] });
  });

  test("of another kind stands in place of what the call has put there", () => {
    const at = project({ a: "a", "b/c": "c" });
    symlinkSync("a", at.path("l"));
    const kept = at.keep("rm -rf a b l");
    for (const name of ["a", "b", "l"]) rmSync(at.path(name), { recursive: true });
    at.write("a/inner", "x");
    at.write("b", "y");
    at.write("l", "z");
    at.end("rm -rf a b l");
    expect(kept.id).toBe(at.last().id);
    const told = at.undo(at.last());
    // A folder that is not empty may hold what came later.
    expect(told.left).toEqual([{ path: at.path("a"), why: "it has changed since" }]);
    expect(at.read("b/c")).toBe("c");
    expect(readlinkSync(at.path("l"))).toBe("a");
    const forced = at.undo(at.last(), { isForced: true, ...at.present(kept) });
    expect([at.read("a"), forced.restored]).toEqual(["a", [at.path("a")]]);
    const present = readKept(at.folder).find(({ id }) => id === forced.present) as KeptCall;
    at.undo(present, { isForced: true, ...at.present(present) });
    expect(at.read("a/inner")).toBe("x");
  });

  test("under several names is one file again, and a file that is still there under others gets its content back", () => {
    const at = project({ a: "one" });
    linkSync(at.path("a"), at.path("b"));
    const kept = at.keep("rm a b");
    rmSync(at.path("a"));
    rmSync(at.path("b"));
    at.undo(kept);
    expect(statSync(at.path("a")).ino).toBe(statSync(at.path("b")).ino);
    const over = at.keep("echo x > a");
    writeFileSync(at.path("a"), "x");
    at.end("echo x > a");
    at.undo(readKept(at.folder).find(({ id }) => id === over.id) ?? over);
    expect([at.read("a"), at.read("b")]).toEqual(["one", "one"]);
    expect(statSync(at.path("a")).ino).toBe(statSync(at.path("b")).ino);
    expect(readdirSync(at.root).sort()).toEqual(["a", "b"]);
  });

  test("is large as well, and says so where its content has gone", () => {
    const at = project({ big: "x".repeat(5 * 1024 * 1024), small: "s" });
    const kept = at.keep("rm big small");
    rmSync(at.path("big"));
    rmSync(at.path("small"));
    at.undo(kept);
    expect(statSync(at.path("big")).size).toBe(5 * 1024 * 1024);
    rmSync(at.path("big"));
    rmSync(at.path("small"));
    rmSync(join(at.folder, "objects"), { recursive: true });
    const gone = "what was kept of it is gone";
    expect(at.undo(kept).left).toEqual([
      { path: at.path("big"), why: gone },
      { path: at.path("small"), why: gone },
    ]);
    expect(readdirSync(at.root)).toEqual([]);
  });

  test("is only what is asked for, and it is said where nothing was destroyed", () => {
    const at = project({ "src/a": "a", "src/b": "b", srcs: "c" });
    const kept = at.keep("rm -rf src srcs");
    rmSync(at.path("src"), { recursive: true });
    rmSync(at.path("srcs"));
    const told = at.undo(kept, { paths: [at.path("src/a"), at.path("other")] });
    expect(told).toEqual({
      restored: [at.path("src/a")],
      same: [],
      left: [{ path: at.path("other"), why: "this call destroyed nothing there" }],
    });
    expect(at.last().state).toBe("kept");
    expect(at.undo(kept, { paths: [at.path("src")], isDry: true }).restored).toEqual([at.path("src/b")]);
    expect(readdirSync(at.path("src"))).toEqual(["a"]);
    expect(at.undo(kept, { paths: [at.path("src")] }).restored).toEqual([at.path("src/b")]);
    expect(existsSync(at.path("srcs"))).toBe(false);
  });
});

describe("what has changed since", () => {
  test("stays, unless it is forced; what was there is kept first and can be undone", () => {
    const at = project({ a: "one" });
    const kept = at.keep("echo two > a");
    at.write("a", "two");
    at.end("echo two > a");
    at.write("a", "three");
    const ended = at.last();
    expect(at.undo(ended).left).toEqual([{ path: at.path("a"), why: "it has changed since" }]);
    expect(at.read("a")).toBe("three");
    const told = at.undo(ended, { isForced: true, ...at.present(kept) });
    expect(told).toMatchObject({ restored: [at.path("a")], left: [] });
    expect(at.read("a")).toBe("one");
    const present = readKept(at.folder).find(({ id }) => id === told.present);
    expect(present).toMatchObject({
      state: "kept",
      tool: "sluice undo",
      command: `sluice undo ${kept.id} --force`,
      session_id: "s",
    });
    expect(at.undo(present as KeptCall).restored).toEqual([at.path("a")]);
    expect(at.read("a")).toBe("three");
  });

  test("is told from what the call left by the end of the call", () => {
    const at = project({ a: "one", b: "one" });
    at.keep("echo two > a; rm b");
    at.write("a", "two");
    rmSync(at.path("b"));
    at.end("echo two > a; rm b");
    at.write("b", "new");
    const told = at.undo(at.last());
    expect(told.restored).toEqual([at.path("a")]);
    expect(told.left).toEqual([{ path: at.path("b"), why: "it has changed since" }]);
    expect([at.read("a"), at.read("b")]).toEqual(["one", "new"]);
  });

  test("where no end was told, an empty file is the call's own and another is not", () => {
    const at = project({ a: "one", b: "one" });
    const kept = at.keep("> a; echo x > b");
    at.write("a", "");
    at.write("b", "x");
    expect(at.undo(kept)).toMatchObject({ restored: [at.path("a")], left: [{ path: at.path("b") }] });
    expect([at.read("a"), at.read("b")]).toEqual(["one", "x"]);
  });

  test("where no end of an ordinary call was told, what it may have written is kept first", () => {
    const at = project({ a: "one" });
    const kept = at.quietly("echo x > a");
    if (kept.kind !== "kept") throw new Error(kept.kind);
    expect(kept.call.quiet).toBe(true);
    at.write("a", "x");
    expect(at.undo(kept.call).left).toHaveLength(1);
    expect(at.undo(kept.call, at.present(kept.call))).toMatchObject({
      restored: [at.path("a")],
      present: expect.any(String),
    });
    expect(at.read("a")).toBe("one");
    at.write("a", "later");
    utimesSync(at.path("a"), Date.now() / 1000 + 1900, Date.now() / 1000 + 1900);
    expect(at.undo(kept.call, at.present(kept.call)).left).toHaveLength(1);
  });

  test("a dry undo changes nothing, and one that was interrupted goes on", () => {
    const at = project({ a: "one", b: "two" });
    const kept = at.keep("rm a b");
    rmSync(at.path("a"));
    rmSync(at.path("b"));
    expect(at.undo(kept, { isDry: true }).restored).toHaveLength(2);
    expect(readdirSync(at.root)).toEqual([]);
    at.write("a", "one");
    expect(at.undo({ ...kept, undoing: new Date().toISOString() })).toMatchObject({
      restored: [at.path("b")],
      same: [at.path("a")],
    });
  });
});

describe("what is kept", () => {
  test("is nothing where nothing is destroyed", () => {
    const at = project({ a: "one" });
    for (const command of ["ls", "echo x > new", "rm missing", "cat a", "mkdir b"])
      expect([at.tried(command), at.quietly(command)], command).toEqual([{ kind: "nothing" }, { kind: "nothing" }]);
    expect(hasOpenCalls(at.env)).toBe(false);
  });

  test.each<[command: string, settings: Partial<typeof UNDO_DEFAULTS>, why: string]>([
    ["rm a", { call: 2 }, "it destroys more than 2 bytes"],
    ["rm a", { max: 2 }, "it destroys more than 2 bytes"],
    ["rm a b", { files: 1 }, "it destroys more than 1 files"],
    ['rm "$X"', {}, "a path is known only when the command runs"],
    ["rm -rf /opt/other", {}, "outside of the project"],
    ["rm -rf .", {}, "whole project"],
  ])("%s is not kept with %j", (command, settings, why) => {
    const at = project({ a: "one", b: "two" }, settings);
    expect(at.tried(command)).toMatchObject({ kind: "not kept", why: expect.stringContaining(why) });
    expect(readKept(at.folder)).toEqual([]);
  });

  test("is told and not written where it is only shown", () => {
    const at = project({ a: "one" });
    expect(at.tried("rm a", { isDry: true })).toMatchObject({ kind: "kept", call: { bytes: 3 } });
    expect(existsSync(at.folder)).toBe(false);
  });

  test("holds no secret of the environment in its command, and no more than is of use", () => {
    const at = project({ a: "one" });
    const kept = at.keep(`rm a # ${"x".repeat(5000)}`);
    expect(kept.command).toHaveLength(4096);
    const env = { ...at.env, API_TOKEN: "kq8Zp2vX9wL4mN7c" };
    expect(at.keep("rm a # kq8Zp2vX9wL4mN7c", { env }).command).not.toContain("kq8Zp2vX9wL4mN7c");
  });

  test("of an ordinary call waits where it may take long, and is taken back where the call is answered elsewhere", () => {
    const at = project({ a: "one", "b/c": "x" });
    const undo: (() => void)[] = [];
    const unlessArrives = (act: () => void) => void undo.push(act);
    expect(at.quietly("rm a", { unlessArrives })).toMatchObject({ kind: "kept" });
    expect(readKept(at.folder)).toHaveLength(1);
    for (const act of undo) act();
    expect(readKept(at.folder)).toEqual([]);
    for (const command of ["rm *", 'rm "$X"', "tar xf a.tar", "git checkout ."])
      expect(at.quietly(command, { unlessArrives }), command).toEqual({ kind: "later" });
    at.write("large", "x".repeat(1024 ** 2 + 1));
    expect(at.quietly("rm large", { unlessArrives })).toEqual({ kind: "later" });
    at.write("large", "x".repeat(1024 ** 2));
    expect(at.quietly("rm large", { unlessArrives })).toMatchObject({ kind: "kept" });
  });

  test("of an ordinary call that failed is forgotten when it ends", () => {
    const at = project({ a: "one" });
    at.quietly("echo x > a");
    expect([readKept(at.folder).length, hasOpenCalls(at.env)]).toEqual([1, true]);
    at.end("echo x > a");
    expect([readKept(at.folder).length, hasOpenCalls(at.env)]).toEqual([0, false]);
  });

  test("where it is known only in which folder, is all of the folder, and after the call what it has changed", () => {
    const at = project({ "src/a": "a", "src/b": "b", other: "c", "src/node_modules/x": "x" });
    const command = 'rm "src/$X"';
    expect(at.quietly(command)).toMatchObject({ kind: "kept", call: { unclear: true, quiet: true } });
    expect(at.last().files.filter(({ kind }) => kind === "file")).toHaveLength(2);
    rmSync(at.path("src/a"));
    at.end(command);
    expect(at.last().files.filter(({ kind }) => kind === "file")).toHaveLength(1);
    at.undo(at.last());
    expect(at.read("src/a")).toBe("a");
  });

  test("where not all of it can be kept, is what is sure to be lost", () => {
    const at = project({ "src/a": "aaaa", "src/b": "b", c: "c" }, { call: 3 });
    expect(at.quietly('rm c; rm "src/$X"')).toMatchObject({ kind: "not kept", isRemoval: true });
    expect(at.last().files).toHaveLength(1);
    expect(at.quietly('echo x > "src/$X"')).toMatchObject({ kind: "not kept", isRemoval: false });
  });
});

test.each([
  [1023, "1023 bytes"],
  [1024, "1 KiB"],
  [1536, "1.5 KiB"],
  [10 * 1024, "10 KiB"],
  [5 * 1024 ** 2, "5 MiB"],
  [3 * 1024 ** 4, "3 TiB"],
  [2048 * 1024 ** 4, "2048 TiB"],
])("%i bytes are told as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test("what is no file, folder or symlink is not kept", () => {
  const at = project({ "src/a": "a" });
  expect(lstatSync(at.path("src")).isDirectory()).toBe(true);
  rmSync(at.path("src/a"));
  symlinkSync("/dev/null", at.path("src/null"));
  expect(at.keep("rm -rf src").files.map(({ kind }) => kind)).toEqual(["folder", "symlink"]);
});

test("a call without an input is told from others by its tool alone, and one with an id by that", () => {
  const at = project({ a: "one" });
  const event = (data: object) => new HookEvent({ type: "tool:post_execute", toolName: "Bash", sessionId: "s", data });
  at.keep("rm a");
  noteEnd(event({ tool_args: { command: "other" } }), at.env);
  expect(hasOpenCalls(at.env)).toBe(true);
  noteEnd(event({}), at.env);
  expect(hasOpenCalls(at.env)).toBe(false);
});

test.runIf(process.geteuid?.() === 0)("a file of another user is that user's again", () => {
  const at = project({ a: "one", b: "two" });
  lchownSync(at.path("a"), 1234, process.getegid?.() ?? 0);
  lchownSync(at.path("b"), 0, 1234);
  const kept = at.keep("rm a b");
  rmSync(at.path("a"));
  rmSync(at.path("b"));
  at.undo(kept);
  expect([statSync(at.path("a")).uid, statSync(at.path("b")).gid]).toEqual([1234, 1234]);
});
