import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { toolLines } from "./tool-lines.ts";

const cwd = mkdtempSync(join(tmpdir(), "sluice-lines-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
mkdirSync(join(cwd, "out"));

const lines = (tool: string, args: Readonly<Record<string, unknown>>) =>
  toolLines(HookEvent.toolPreExecute(tool, args, { cwd }));

describe("the input of a tool is converted to an equivalent command line", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["mcp__git__git_checkout", { branch_name: "x" }, ["git checkout 'x'"]],
    ["mcp__git__git_reset", { mode: "hard", target: "HEAD~1" }, ["git reset --hard 'HEAD~1'"]],
    ["mcp__git__git-cherry-pick", { commit: "abc" }, ["git cherry-pick 'abc'"]],
    ["mcp__git__git_stash_pop", {}, ["git stash pop"]],
    ["mcp__git__gitcheckout", { ref: "x" }, ["git checkout 'x'"]],
    ["mcp__git__gitStash", {}, ["git Stash"]],
    ["mcp__git__git_merge", { other: "x" }, ["git merge"]],
    ["mcp__fs__sync", { from: "a", to: "b" }, ["cp -r 'a'/. 'b'"]],
    ["mcp__fs__synchronized", { from: "a", to: "b" }, []],
    ["mcp__fs__sync", { wherefrom: "a", to: "b" }, []],
    ["mcp__fs__sync", { from: "a", auto: "b" }, [`cp -r 'a'/. '${cwd}'`]],
    ["mcp__fs__mirror", { src: "a", target: "b" }, ["cp -r 'a'/. 'b'"]],
    ["mcp__fs__copytree", { source: "a", dest: "b" }, ["cp -r 'a'/. 'b'"]],
    ["mcp__term__run_tty", { program: "rm", argsx: "a", args: "b" }, ["'rm' 'b'"]],
    ["mcp__term__run_tty", { xprogram: "rm" }, []],
    ["mcp__term__run_tty", { executable: "rm", argv: ["a"] }, ["'rm' 'a' 'a'"]],
    ["mcp__git__git_restore", { source: "x", other: "y" }, ["git restore --source='x' ."]],
    ["mcp__git__git_apply", { patch: "it's" }, ["git apply 'it'\\''s'"]],
    ["mcp__os__kill_process", { pid: 4711 }, ["kill 4711"]],
    ["mcp__os__terminate", { name: "sluice" }, ["pkill -f 'sluice'"]],
    ["mcp__os__kill", { id: "12a" }, ["pkill -f '12a'"]],
    ["mcp__os__kill", { id: "a12" }, ["pkill -f 'a12'"]],
    ["mcp__os__stopprocess", { pid: 1 }, ["kill 1"]],
    ["mcp__os__stop_service", { name: "a" }, ["pkill -f 'a'"]],
    ["mcp__os__endprocess", { pid: 1 }, ["kill 1"]],
    ["mcp__os__send_signal", { pid: 1 }, ["kill 1"]],
    ["mcp__npm__uninstall_package", { name: "a" }, ["npm uninstall 'a'"]],
    ["mcp__npm__remove_package", { package: "a" }, ["npm uninstall 'a'"]],
    ["mcp__npm__addpackage", { name: "a" }, ["npm install 'a'"]],
    ["mcp__npm__update_dependency", { name: "a" }, ["npm install 'a'"]],
    ["mcp__npm__packageremove", { name: "a" }, ["npm uninstall 'a'"]],
    ["mcp__npm__install", { packages: ["a"], flag: "x" }, ["npm install 'a'", "npm install 'a'"]],
    ["mcp__zip__extract", { archive: "a.tgz", dest: "out" }, ["tar xf 'a.tgz' -C 'out'"]],
    ["mcp__zip__unzip", { file: "a.zip" }, [`tar xf 'a.zip' -C '${cwd}'`]],
    ["mcp__zip__unpack", { target: "~/x", from: "a" }, ["tar xf 'a' -C ~/'x'"]],
    ["mcp__fs__copy_dir", { source: "a", to: "b" }, ["cp -r 'a'/. 'b'"]],
    ["mcp__fs__sync", { src: "a", destination: "b" }, ["cp -r 'a'/. 'b'"]],
    ["mcp__db__query", { sql: "ATTACH DATABASE 'x.db' AS y; COPY t TO 'a'" }, [": > 'x.db'", ": > 'a'"]],
    ["mcp__db__query", { sql: "ATTACH 'x.db' AS y" }, [": > 'x.db'"]],
    [
      "mcp__db__query",
      { sql: "ATTACH\n  DATABASE'x.db' AS y; VACUUM INTO \"it's\"" },
      [": > 'x.db'", ": > 'it'\\''s'"],
    ],
    ["mcp__db__query", { sql: "SELECT 'x' FROM t" }, []],
    ["mcp__x__diff", { text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" }, [": > 'x'"]],
    ["mcp__x__docker", { volumes: ["/:/h"], cmd: "ls" }, ["docker run -v '/:/h' -v '/:/h' image sh -c 'ls'"]],
    ["mcp__fs__trash", { glob: ".s*; x" }, ["rm -rf .s*??x"]],
    ["mcp__fs__clean", { include: "{a,b}/[c]?/~-" }, ["rm -rf {a,b}/[c]?/~-"]],
    ["mcp__jupyter__run_cell", { code: "x", other: "y" }, ["python3 -c 'x'"]],
    ["mcp__x__eval", { expression: "x" }, ["node -e 'x'", "deno eval 'x'"]],
    ["mcp__tmux__press", { keys: "ls" }, ["ls"]],
    ["mcp__tmux__press", { keys: ["l", "s"] }, ["ls", "l", "s"]],
    ["mcp__x__send_key", { text: "ls" }, ["ls"]],
    ["mcp__x__pty", { program: "rm", args: ["-r"], input: "y" }, ["'rm' '-r' '-r'", "y"]],
  ])("%s %j", (tool, args, expected) => {
    expect(lines(tool, args)).toEqual(expected);
  });
});

it("keys are found at any depth, and in JSON within a text", () => {
  expect(lines("mcp__tmux__press", { a: [{ keys: "ls" }] })).toEqual(["ls"]);
  expect(lines("mcp__os__kill", { a: { b: [{ pid: 4711 }] } })).toEqual(["kill 4711"]);
  expect(lines("mcp__os__kill", { a: null, b: true, c: undefined, pid: 4711 })).toEqual(["kill 4711"]);
  const nested = (depth: number): object => (depth === 0 ? { pid: 4711 } : { a: nested(depth - 1) });
  expect([6, 7].map((depth) => lines("mcp__os__kill", { ...nested(depth) }))).toEqual([["kill 4711"], []]);
});

it("only the first of many texts are used", () => {
  const nine = Array.from("abcdefghi");
  expect(lines("mcp__fs__sync", { from: nine, to: nine.map((one) => `to-${one}`) })).toHaveLength(64);
});

it("a text with `~` in the middle is not a path of the home directory", () => {
  expect(lines("mcp__git__git_checkout", { ref: "a~/b" })).toEqual(["git checkout 'a~/b'"]);
});

it("lines that are too long to be read are left out", () => {
  expect(lines("mcp__tmux__press", { keys: "a".repeat(20_000) })).toEqual([]);
  expect(lines("mcp__tmux__press", { keys: "a".repeat(19_999) })).toHaveLength(1);
});

it.each(["Bash", "Read", "Write", "WebFetch", "mcp__weather__forecast", ""])(
  "a tool whose kind is known, or whose name says nothing, has no lines: %s",
  (tool) => {
    expect(lines(tool, { command: "ls", keys: "ls", code: "x", folder: "out", name: "a" })).toEqual([]);
  },
);
