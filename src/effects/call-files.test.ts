import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { callFiles } from "./call-files.ts";

function filesOf(tool: string, args: unknown, where: { cwd?: string; root?: string } = { cwd: "/p" }) {
  const event = HookEvent.toolPreExecute(tool, args, { cwd: where.cwd });
  attachRoot(event, where.root);
  const { written, deleted, read } = callFiles(event);
  const paths = (files: typeof written) => files.map(({ path }) => path).join(" ");
  return { written: paths(written), deleted: paths(deleted), read: paths(read) };
}

const PATCH =
  "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: src/b.ts\n@@\n-x\n+y\n*** Delete File: c.ts\n*** End Patch";

describe("the files of a call are the same for every agent and tool", () => {
  const rows: [tool: string, args: unknown, written: string, deleted: string, read: string][] = [
    ["Write", { file_path: "/p/src/a.ts", content: "x" }, "src/a.ts", "", ""],
    ["write_file", { file_path: "src/a.ts" }, "src/a.ts", "", ""],
    ["edit", { filePath: "/p/src/../a.ts" }, "a.ts", "", ""],
    ["Read", { file_path: "/etc/hosts" }, "", "", "/etc/hosts"],
    ["apply_patch", { command: PATCH }, "a.ts src/b.ts", "c.ts", ""],
    ["apply_patch", { input: PATCH }, "a.ts src/b.ts", "c.ts", ""],
    ["apply_patch", { patch: PATCH }, "a.ts src/b.ts", "c.ts", ""],
    ["Bash", { command: "echo x > src/a.ts 2>/dev/null" }, "src/a.ts", "", ""],
    ["Bash", { command: "sed -i s/a/b/ /p/src/a.ts" }, "src/a.ts", "", "src/a.ts"],
    ["Bash", { command: "rm src/*.ts" }, "", "src/*.ts", ""],
    ["Bash", { command: "echo x > $unknown" }, "", "", ""],
    ["Bash", { command: "ls" }, "", "", ""],
    ["mcp__files__write_file", { path: "src/a.ts", content: "x" }, "src/a.ts", "", ""],
    ["NotebookEdit", { notebook_path: "/p/a.ipynb", new_source: "x" }, "a.ipynb", "", ""],
    ["multi_replace_string_in_file", { replacements: [{ filePath: "/p/a" }, { filePath: "/p/b" }] }, "a b", "", ""],
    ["read_file", { absolute_path: "/p/a" }, "", "", "a"],
    ["create", '{"path":"/p/src/a.ts"}', "src/a.ts", "", ""],
  ];
  test.each(rows)("%s %j", (tool, args, written, deleted, read) => {
    expect(filesOf(tool, args)).toEqual({ written, deleted, read });
  });
});

describe("a path is seen from the project's folder, wherever the call happens", () => {
  const rows: [args: object, where: { cwd?: string; root?: string }, path: string][] = [
    [{ file_path: "a.ts" }, { cwd: "/p/sub", root: "/p" }, "sub/a.ts"],
    [{ file_path: "../a.ts" }, { cwd: "/p/sub", root: "/p" }, "a.ts"],
    [{ file_path: "/q/a.ts" }, { cwd: "/p/sub", root: "/p" }, "/q/a.ts"],
    [{ file_path: "/pp/a.ts" }, { cwd: "/p", root: "/p" }, "/pp/a.ts"],
    [{ file_path: "a.ts" }, { root: "/p" }, "a.ts"],
    [{ file_path: "src\\a.ts" }, { cwd: "/p" }, "src/a.ts"],
    [{ file_path: "./src//a.ts" }, {}, "src/a.ts"],
  ];
  test.each(rows)("%j in %j is %s", (args, where, path) => {
    expect(filesOf("Write", args, where).written).toBe(path);
  });

  test("what hooks change of a call stays in its project", () => {
    const event = HookEvent.toolPreExecute("Write", { file_path: "a.ts" }, { cwd: "/p/sub" });
    attachRoot(event, "/p");
    const changed = event.withData({ tool_args: { file_path: "b.ts" } });
    expect(callFiles(changed).written).toEqual([{ path: "sub/b.ts", absolute: "/p/sub/b.ts", isGlob: false }]);
  });

  test("an event that is no call tells of a file that changed", () => {
    const event = new HookEvent({ type: "FileChanged", data: { path: "/p/b.md" }, cwd: "/p" });
    expect(callFiles(event).written).toEqual([{ path: "b.md", absolute: "/p/b.md", isGlob: false }]);
  });
});

test("what was found without the disk is not taken for what the disk says", () => {
  const event = HookEvent.toolPreExecute("Write", { file_path: "link/a.sql" }, { cwd: "/p" });
  expect(callFiles(event).written.map(({ path }) => path)).toEqual(["link/a.sql"]);
  const disk = () => ({ real: () => "migrations/a.sql" });
  expect(callFiles(event, disk).written.map(({ path }) => path)).toEqual(["link/a.sql", "migrations/a.sql"]);
});
