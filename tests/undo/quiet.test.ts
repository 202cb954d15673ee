import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answer } from "../../src/decide/answer.ts";
import { decideInProject } from "../../src/decide/in-project.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { configurationAt } from "../../src/decide/project.ts";
import type { Decision } from "../../src/decision/decision.ts";
import { HookEvent } from "../../src/event/event.ts";
import { readKept, undoFolder } from "../../src/policies/undo/kept-call.ts";
import { undoCall } from "../../src/policies/undo/restore.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-quiet-"));
  root = join(base, "project");
  vi.stubEnv("HOME", join(base, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", join(base, "config"));
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  put(join(base, "config/sluice/hooks.yaml"), "guards: standard\n");
  put(join(root, "notes.md"), "old notes\n");
  put(join(root, "a.txt"), "a\n");
  put(join(root, "b.txt"), "b\n");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function decided(event: HookEvent): Promise<Decision> {
  const configuration = configurationAt(root, { env: process.env, layers: readLayers });
  return (await decideInProject(event, configuration, { env: process.env })).decision;
}

const before = (tool: string, args: object, id = "1") =>
  decided(new HookEvent({ type: "PreToolUse", toolName: tool, data: { tool_args: args, tool_use_id: id }, ...here() }));
const after = (tool: string, args: object, id = "1") =>
  decided(
    new HookEvent({
      type: "PostToolUse",
      toolName: tool,
      data: { tool_args: args, tool_result: "", tool_use_id: id },
      ...here(),
    }),
  );
const here = () => ({ cwd: root, sessionId: "s", agent: "claude-code" });
const kept = () => readKept(undoFolder(process.env));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("a daemon answers first, and notes then what a call has left", async () => {
  const args = { command: "echo new > notes.md" };
  await before("Bash", args);
  put(join(root, "notes.md"), "new\n");
  const acts: (() => void)[] = [];
  const begin = vi.fn(async () => {});
  const daemon = {
    layers: (folder: string) => readLayers(folder),
    afterwards: (act: () => void) => void acts.push(act),
  };
  const call = { session_id: "s", cwd: root, tool_name: "Bash", tool_input: args, tool_use_id: "1" };
  const text = JSON.stringify({ ...call, hook_event_name: "PostToolUse", tool_response: "" });
  await answer({ text, agent: "claude-code" }, { cwd: root, env: process.env, begin, daemon });
  expect([kept()[0]?.after, begin.mock.calls.length]).toEqual([undefined, 0]);
  for (const act of acts) act();
  expect(Object.keys(kept()[0]?.after ?? {})).toEqual(["0"]);
});

describe("a daemon keeps what a call writes over before its answer, and asks its client only where that takes long", () => {
  const asked = async (command: string) => {
    const lost: (() => void)[] = [];
    const begin = vi.fn(async () => {});
    const daemon = {
      layers: (folder: string) => readLayers(folder),
      afterwards: () => {},
      unlessArrives: (act: () => void) => void lost.push(act),
    };
    const call = { session_id: "s", cwd: root, hook_event_name: "PreToolUse", tool_name: "Bash" };
    const text = JSON.stringify({ ...call, tool_input: { command } });
    await answer({ text, agent: "claude-code" }, { cwd: root, env: process.env, begin, daemon });
    return { begin, lost };
  };

  test("a small file is kept without a question, and forgotten if the answer never arrives", async () => {
    const { begin, lost } = await asked("echo new > notes.md");
    expect([kept().length, begin.mock.calls.length]).toEqual([1, 0]);
    for (const act of lost) act();
    expect(kept()).toEqual([]);
  });

  test("what is large, or has to be looked for, is kept after the question", async () => {
    put(join(root, "large.bin"), "x".repeat(2 * 1024 ** 2));
    for (const command of ["echo new > large.bin", "rm *.txt"]) {
      const { begin, lost } = await asked(command);
      expect([begin.mock.calls.length, lost]).toEqual([1, []]);
    }
    expect(kept().map(({ files }) => files.length)).toEqual([1, 2]);
  });
});

describe("what a call writes over is kept, though no rule would stop it", () => {
  test.each([
    ["Write", { file_path: "notes.md", content: "new" }, ["notes.md"]],
    ["Edit", { file_path: "notes.md", old_string: "old", new_string: "new" }, ["notes.md"]],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+x\n*** Delete File: b.txt\n*** End Patch" },
      ["a.txt", "b.txt"],
    ],
    ["mcp__filesystem__write_file", { path: "notes.md", content: "new" }, ["notes.md"]],
    ["Bash", { command: "rm notes.md" }, ["notes.md"]],
    ["Bash", { command: "echo new > notes.md" }, ["notes.md"]],
    ["Bash", { command: "mv a.txt b.txt" }, ["a.txt", "b.txt"]],
    ["Bash", { command: "sed -i s/old/new/ notes.md && make $TARGET > $LOG" }, ["notes.md", "", "a.txt", "b.txt"]],
    ["Bash", { command: "cp a.txt b.txt" }, ["b.txt"]],
    ["Bash", { command: "cd missing; rm notes.md" }, ["notes.md"]],
    ["mcp__serena__replace_content", { relative_path: "notes.md", needle: "old", repl: "new" }, ["notes.md"]],
  ])("%s %j", async (tool, args, files) => {
    const { action, contexts, kept: told } = await before(tool, args);
    expect([action, contexts, told]).toEqual(["continue", [], undefined]);
    expect(kept().flatMap((call) => call.files.map(({ path }) => path))).toEqual(files.map((file) => join(root, file)));
  });
});

test.each([
  ["Write", { file_path: "new.md", content: "new" }],
  ["Read", { file_path: "notes.md" }],
  ["Bash", { command: "cat notes.md | grep old > /dev/null" }],
  ["Write", { file_path: "/etc/motd", content: "x" }],
])("a call that destroys nothing of the project keeps nothing: %s %j", async (tool, args) => {
  await before(tool, args);
  expect(kept()).toEqual([]);
});

test("edits are undone one by one, and a file that was changed since is left alone", async () => {
  const write = async (content: string, id: string) => {
    const args = { file_path: join(root, "notes.md"), content };
    await before("Write", args, id);
    put(join(root, "notes.md"), content);
    await after("Write", args, id);
  };
  await write("one\n", "1");
  await write("two\n", "2");
  await write("two\n", "3");
  expect(kept().map(({ quiet, call_id }) => [quiet, call_id])).toEqual([
    [true, "1"],
    [true, "2"],
  ]);
  const [first, second] = kept();
  if (first === undefined || second === undefined) throw new Error("nothing kept");
  expect(undoCall(undoFolder(process.env), second).left).toEqual([]);
  expect(read("notes.md")).toBe("one\n");
  put(join(root, "notes.md"), "by hand\n");
  expect(undoCall(undoFolder(process.env), first).left).toMatchObject([{ why: "it has changed since" }]);
  expect(read("notes.md")).toBe("by hand\n");
});

test("what git holds in the same bytes is named and not copied; what tools make again is neither", async () => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...words], { cwd: root });
  put(join(root, "package.json"), "{}");
  put(join(root, "dist/a.js"), "made");
  git("init", "-q");
  git("add", "notes.md", "package.json");
  git("commit", "-qm", "first");
  await before("Write", { file_path: "notes.md", content: "new" });
  await before("Write", { file_path: "dist/a.js", content: "new" });
  expect(kept()).toMatchObject([{ files: [{ git: expect.any(String) }], grown: 0 }]);
  expect(kept()[0]?.files[0]).not.toHaveProperty("hash");
  put(join(root, "notes.md"), "not committed\n");
  await before("Edit", { file_path: "notes.md", old_string: "not", new_string: "now" });
  expect(kept()[1]).toMatchObject({ files: [{ hash: expect.any(String) }], grown: 14 });
});

test("git clean of the whole project is kept as well", async () => {
  execFileSync("git", ["init", "-q"], { cwd: root });
  const { action, kept: told } = await before("Bash", { command: "git clean -fdx" });
  expect([action, told?.files]).toEqual(["continue", 3]);
});

test("a tag is kept before git removes it", async () => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...words], { cwd: root, encoding: "utf8" });
  git("init", "-q");
  git("commit", "-qm", "first", "--allow-empty");
  git("tag", "v1");
  expect((await before("Bash", { command: "git tag -d v1" })).action).toBe("continue");
  git("tag", "-d", "v1");
  await after("Bash", { command: "git tag -d v1" });
  const [call] = kept();
  if (call === undefined) throw new Error("nothing kept");
  expect(undoCall(undoFolder(process.env), call).restored).toEqual([expect.stringContaining("tag v1")]);
  expect(git("tag").trim()).toBe("v1");
});

test("a mode that a call has changed comes back, though the file holds what it held", async () => {
  const command = "install -m 600 a.txt b.txt";
  put(join(root, "b.txt"), "a\n");
  await before("Bash", { command });
  chmodSync(join(root, "b.txt"), 0o600);
  await after("Bash", { command });
  const [call] = kept();
  if (call === undefined) throw new Error("nothing kept");
  undoCall(undoFolder(process.env), call);
  expect(statSync(join(root, "b.txt")).mode & 0o777).toBe(0o644);
});

test("a line that a tool for shells runs is a loss like any other", async () => {
  const { action, kept: told } = await before("mcp__terminal__run_command", {
    command: "rm -rf ../project/a.txt b.txt",
  });
  expect([action, told?.files ?? kept()[0]?.files.length]).toEqual(["continue", 2]);
});

test("what git is told to ignore is kept without a word before git removes it", async () => {
  put(join(root, ".gitignore"), "*.md\nnode_modules\n");
  put(join(root, "node_modules/x/index.js"), "x");
  execFileSync("git", ["init", "-q"], { cwd: root });
  const { action, kept: told } = await before("Bash", { command: "git clean -fdX" });
  expect([action, told]).toEqual(["continue", undefined]);
  expect(kept().flatMap((call) => call.files.map(({ path }) => path))).toEqual([join(root, "notes.md")]);
});

test("without guards, and with `undo: off`, nothing is kept", async () => {
  for (const text of ["guards: standard\nundo: off\n", "hooks: []\n"]) {
    put(join(base, "config/sluice/hooks.yaml"), text);
    await before("Write", { file_path: "notes.md", content: "new" });
  }
  expect(existsSync(undoFolder(process.env))).toBe(false);
});

test("an ignored file that a tool removes is kept, whatever the folders above the project are called", async () => {
  root = join(base, "build/project");
  put(join(root, ".gitignore"), "*.tmp\n");
  put(join(root, "scratch.tmp"), "scratch\n");
  execFileSync("git", ["init", "-q"], { cwd: root });
  await before("mcp__files__delete_file", { path: join(root, "scratch.tmp") });
  expect(kept().flatMap(({ files }) => files.map(({ path }) => path))).toContain(join(root, "scratch.tmp"));
});
