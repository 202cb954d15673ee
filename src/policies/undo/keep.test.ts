import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { type KeepContext, keepLosses, keepPresent, keepQuietly } from "./keep.ts";
import { readKept, removeKept, undoFolder, writeKept } from "./kept-call.ts";
import { noteEnd } from "./recover.ts";
import { undoCall } from "./restore.ts";

/** A project without a repository, and what becomes of its files. */
function project(files: readonly string[], settings: Partial<typeof UNDO_DEFAULTS> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-keep-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "before");
  }
  const env = { HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
  const context = { root, env, settings: { ...UNDO_DEFAULTS, ...settings }, lookups: diskLookups };
  const around = { cwd: root, sessionId: "s" };
  const event = (command: string) => HookEvent.toolPreExecute("Bash", { command }, around);
  return {
    path: (name: string) => join(root, name),
    folder: undoFolder(env),
    keep: (command: string) => {
      const kept = keepLosses(event(command), context);
      if (kept.kind !== "kept") throw new Error(kept.kind);
      return kept.call;
    },
    quietly: (command: string, more: Partial<KeepContext> = {}) => keepQuietly(event(command), { ...context, ...more }),
    tried: (command: string, more: Partial<KeepContext> = {}) => keepLosses(event(command), { ...context, ...more }),
    end: (command: string) => noteEnd(HookEvent.toolPostExecute("Bash", { command }, "", around), env),
  };
}

test.each([
  ["rm ~/thesis.md", () => undefined],
  ["echo x > ~/thesis.md", () => "x\n"],
  ["mv ~/thesis.md /tmp/", () => undefined],
  ["cp a ~/thesis.md", () => "before"],
  ["sed -i s/own/x/ ~/thesis.md", () => "x"],
])("a single file of the home is kept, and comes back: %s", (command, left) => {
  const { path, folder, keep, quietly, end } = project(["a", "../home/thesis.md", "../home/docs/x"]);
  const file = path("../home/thesis.md");
  writeFileSync(file, "own");
  vi.stubEnv("HOME", dirname(file));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(quietly(command)).toMatchObject({ kind: "kept", call: { files: [{ path: file }] } });
  const kept = keep(command);
  const now = left();
  if (now === undefined) rmSync(file);
  else writeFileSync(file, now);
  end(command);
  expect(undoCall(folder, kept, { isForced: true })).toMatchObject({ restored: [file], left: [] });
  expect(readFileSync(file, "utf8")).toBe("own");
});

test.each([
  ["rm -r ~/docs", /docs is a folder outside of the project/],
  ["rm ~/docs/*", /everything in a folder outside of the project/],
  ["rm ~/app/.git/HEAD", /outside of the project/],
])("what is more than a single file of the home is not kept: %s", (command, why) => {
  const { path, tried } = project(["a", "../home/docs/x", "../home/app/.git/HEAD"]);
  vi.stubEnv("HOME", path("../home"));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(tried(command)).toMatchObject({ kind: "not kept", why: expect.stringMatching(why) });
});

test("a file of the home is left alone if a folder above it has become a symlink", () => {
  const { path, folder, keep } = project(["../home/docs/x", "../away/x"]);
  const docs = path("../home/docs");
  vi.stubEnv("HOME", dirname(docs));
  onTestFinished(() => void vi.unstubAllEnvs());
  const kept = keep("rm ~/docs/x");
  rmSync(docs, { recursive: true });
  symlinkSync(path("../away"), docs);
  writeFileSync(path("../away/x"), "other");
  expect(undoCall(folder, kept, {}).left).toMatchObject([
    { path: join(docs, "x"), why: expect.stringContaining("symlink") },
  ]);
  expect(readFileSync(path("../away/x"), "utf8")).toBe("other");
});

test("an undo that only shows what it would do leaves every file as it is", () => {
  const { path, folder, keep, end } = project(["src/x", "a"]);
  const command = "rm -rf src; touch src; echo x > a";
  const { id } = keep(command);
  rmSync(path("src"), { recursive: true });
  writeFileSync(path("src"), "");
  utimesSync(path("a"), 1000, 1000);
  end(command);
  const [kept] = readKept(folder);
  if (kept?.id !== id) throw new Error(id);
  const shown = undoCall(folder, kept, { isDry: true });
  expect(shown).toMatchObject({ restored: [path("src"), path("src/x")], same: [path("a")], left: [] });
  expect([statSync(path("src")).isFile(), statSync(path("a")).mtimeMs]).toEqual([true, 1_000_000]);
  expect(undoCall(folder, kept).left).toEqual([]);
  expect(existsSync(path("src/x"))).toBe(true);
  expect(statSync(path("a")).mtimeMs).not.toBe(1_000_000);
});

test("a call whose end was never seen: undo leaves a new file in place of a removed one, and restores a file that the call wrote over", () => {
  const { path, folder, keep } = project(["a", "b"]);
  const kept = keep("rm a; echo x > b");
  for (const name of ["a", "b"]) writeFileSync(path(name), "");
  const { restored, left } = undoCall(folder, kept);
  expect(left).toEqual([{ path: path("a"), why: "it has changed since" }]);
  expect(restored).toEqual([path("b")]);
});

test("what is there before an undo by force is kept in the name of the same agent and session", () => {
  const { path, folder, keep } = project(["a"]);
  const { agent: _, session_id: __, ...kept } = keep("rm a");
  const present = (more: object) => keepPresent([path("a")], { ...kept, ...more }, folder, UNDO_DEFAULTS);
  expect(present({ agent: "claude", session_id: "s" })).toMatchObject({
    agent: "claude",
    session_id: "s",
    tool: "sluice undo",
    command: `sluice undo ${kept.id} --force`,
  });
  expect(Object.keys(present({}))).not.toContain("agent");
  expect(Object.keys(present({}))).not.toContain("session_id");
  for (const [limit, why] of [
    [{ call: 5 }, "more than 5 bytes"],
    [{ files: 0 }, "more than 0 files"],
  ] as const)
    expect(() => keepPresent([path("a")], kept, folder, { ...UNDO_DEFAULTS, ...limit })).toThrow(why);
});

test("where a call may destroy more than is kept, it is told whether it removes something", () => {
  const { quietly, folder } = project(["a", "b", "c"], { files: 2 });
  const why = "there is more than 2 files that it may destroy";
  expect(quietly('rm "$X"')).toEqual({ kind: "not kept", why, isRemoval: true });
  expect(quietly('echo x > "$X"')).toEqual({ kind: "not kept", why, isRemoval: false });
  expect(quietly("echo x > new").kind).toBe("nothing");
  const known = quietly("rm a");
  expect(known).toMatchObject({ kind: "kept", call: { quiet: true } });
  expect(known.kind === "kept" && known.call.unclear).toBe(undefined);
  expect(readKept(folder)).toHaveLength(1);
  expect(quietly('rm a "$X"')).toEqual({ kind: "not kept", why, isRemoval: true });
  expect(readKept(folder).map(({ quiet, unclear, files }) => [quiet, unclear, files.length])).toEqual([
    [true, undefined, 1],
    [true, undefined, 1],
  ]);
  expect(quietly("rm a b c")).toEqual({ kind: "not kept", why: "it destroys more than 2 files" });
});

test.each([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["EIO", "it broke"],
])("what breaks while a call is kept is told: %s: %s", (code, why) => {
  const { tried, quietly } = project(["a"]);
  const afterwards = () => {
    throw Object.assign(new Error("it broke"), { code });
  };
  expect([tried("rm a", { afterwards }), quietly("rm a", { afterwards })]).toEqual(
    Array.from({ length: 2 }, () => ({ kind: "not kept", why })),
  );
});

test("beside what is sure to be lost, the project is kept where code on the same line may write more, unless it is too large", () => {
  const command = "python3 -c 'open(x).write(y)'; rm a";
  const kept = (files: number) => {
    const found = project(["a", "b", "c"], { files }).tried(command);
    return found.kind === "kept" && [found.call.unclear, found.call.files.length];
  };
  expect([kept(4), kept(3)]).toEqual([
    [true, 4],
    [undefined, 1],
  ]);
});

test("a call whose kept files are forgotten, or that was never kept, ends without a word", () => {
  const { keep, end, folder } = project(["a"]);
  const kept = keep("rm a");
  removeKept(folder, kept);
  for (let times = 0; times < 2; times++) expect(() => end("rm a")).not.toThrow();
});

test("of more than sixteen files, and of what code or scripts do, nothing is looked at while the answer is waited for", () => {
  const { quietly, path } = project(["sub/c", "run.py"]);
  const kind = (command: string) => quietly(command, { unlessArrives: () => {} }).kind;
  expect(["python3 run.py", "python3 -c 'open(x).write(y)'"].map(kind)).toEqual(["later", "later"]);
  expect([kind("rm missing"), kind("ls")]).toEqual(["nothing", "nothing"]);
  for (let at = 0; at < 15; at++) writeFileSync(path(`sub/${at}`), "");
  expect(kind("rm -r sub")).toBe("later");
  rmSync(path("sub/0"));
  expect(kind("rm -r sub")).toBe("kept");
});

test("an undo that was interrupted gives files that are back already their time again", () => {
  const { keep, folder, path } = project(["a"]);
  utimesSync(path("a"), 1000, 1000);
  const kept = keep("rm a");
  const mtimeAfter = (call: typeof kept) => {
    utimesSync(path("a"), 2000, 2000);
    writeKept(folder, call);
    expect(undoCall(folder, call).same).toEqual([path("a")]);
    return statSync(path("a")).mtimeMs;
  };
  expect(mtimeAfter(kept)).toBe(2_000_000);
  expect(mtimeAfter({ ...kept, undoing: new Date().toISOString() })).toBe(1_000_000);
});

test("an undo that only shows what it would do needs no place to write, and reports content that is gone", () => {
  const { keep, folder, path } = project(["a"]);
  const kept = keep("rm a");
  rmSync(path("a"));
  expect(undoCall(join(folder, "nowhere"), kept, { isDry: true })).toEqual({
    restored: [],
    same: [],
    left: [{ path: path("a"), why: "what was kept of it is gone" }],
  });
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
});

test("a name that a file was given since the call keeps what it holds", () => {
  const { keep, folder, path } = project(["a"]);
  const kept = keep("echo x > a");
  writeFileSync(path("a"), "");
  linkSync(path("a"), path("b"));
  expect(undoCall(folder, kept).restored).toEqual([path("a")]);
  expect([readFileSync(path("a"), "utf8"), readFileSync(path("b"), "utf8")]).toEqual(["before", ""]);
});
