import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { callContents } from "./call-content.ts";

const contents = (tool: string, args: unknown) => callContents(HookEvent.toolPreExecute(tool, args, { cwd: "/p" }));

describe("the text that a call would write is known by every way to write it", () => {
  const rows: [tool: string, args: unknown, texts: string[]][] = [
    ["Write", { file_path: "a", content: "KEY" }, ["KEY"]],
    ["create", { path: "a", file_text: "KEY" }, ["KEY"]],
    ["Edit", { file_path: "a", old_string: "x", new_string: "KEY" }, ["KEY"]],
    ["edit", { filePath: "a", oldString: "x", newString: "KEY" }, ["KEY"]],
    [
      "MultiEdit",
      { file_path: "a", edits: [{ old_string: "x", new_string: "K1" }, { new_string: "K2" }] },
      ["K1", "K2"],
    ],
    ["multi_replace_string_in_file", { replacements: [{ filePath: "a", newString: "KEY" }] }, ["KEY"]],
    ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "KEY" }, ["KEY"]],
    ["edit_notebook_file", { filePath: "a.ipynb", newCode: ["a", "KEY"] }, ["a\nKEY"]],
    ["str-replace-editor", { path: "a", new_str_1: "KEY" }, ["KEY"]],
    ["mcp__files__write_file", { path: "a", content: "KEY" }, ["KEY"]],
    ["write_file", '{"path":"a","content":"KEY"}', ["KEY"]],
    ["apply_patch", { command: "*** Begin Patch\n*** Add File: a\n+K1\n+K2\n*** End Patch" }, ["K1\nK2"]],
    [
      "apply_patch",
      {
        input:
          "*** Begin Patch\n*** Update File: a\n@@ x\n-old\n context\n+++K1\n*** Update File: b\n@@\n+K2\n*** End Patch",
      },
      ["++K1", "K2"],
    ],
    [
      "apply_patch",
      { patch: "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+K1\n y\n--- a/b\n+++ b/b\n@@ -0,0 +1 @@\n+K2\n" },
      ["K1", "K2"],
    ],
    ["replace_in_file", { path: "a", diff: "<<<<<<< SEARCH\nx\n=======\nKEY\n>>>>>>> REPLACE" }, ["KEY\n"]],
    ["Bash", { command: "echo KEY > a" }, ["KEY\n"]],
    ["Bash", { command: "printf '%s' KEY >> a" }, ["KEY"]],
    ["Bash", { command: "cat > a <<'EOF'\nK1\nK2\nEOF" }, ["K1\nK2\n"]],
    ["Bash", { command: "cat <<EOF | tee a\nKEY\nEOF" }, ["KEY\n"]],
    ["Bash", { command: "tee -a a <<< KEY" }, ["KEY\n"]],
    ["Bash", { command: "bash -c 'echo KEY > a'" }, ["KEY\n"]],
    ["Bash", { command: "echo S0VZ | base64 -d > a" }, ["KEY"]],
    ["Bash", { command: 'echo "KEY $unknown" > a' }, ["KEY \n"]],
    ["Bash", { command: "echo KEY" }, []],
    ["Bash", { command: "curl -o a https://example.com" }, []],
    ["Read", { file_path: "a", text: "x" }, []],
    ["Grep", { pattern: "KEY", path: "." }, []],
    ["mcp__tracker__create_issue", { title: "x" }, []],
  ];
  test.each(rows)("%s %j", (tool, args, texts) => {
    expect(contents(tool, args)).toEqual(texts);
  });
});

test("the patch that a command line carries counts", () => {
  const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+KEY\n*** End Patch\nEOF";
  expect(contents("Bash", { command })).toEqual(["KEY"]);
});

test("an event that is no call writes nothing", () => {
  expect(callContents(new HookEvent({ type: "session:message", data: { content: "x" } }))).toEqual([]);
});
