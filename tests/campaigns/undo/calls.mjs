// Calls as tools are given them, and what such a tool then does.

export const bash = (command) => ({ tool: "Bash", args: { command }, act: command });

/** Calls as tools are given them, and what such a tool then does; `$ROOT` is the project. */
export const CALLS = [
  bash("rm -rf src notes"),
  bash("> README.md"),
  bash("rm notes/todo.md && sed -i s/a/b/ README.md"),
  bash("git reset --hard HEAD~1"),
  bash("git checkout . && rm -rf notes"),
  bash("git clean -fdx"),
  bash("git branch -D topic; git tag -d v1; git stash drop"),
  { tool: "Write", args: { file_path: "$ROOT/README.md", content: "x" }, act: "printf x > README.md" },
  {
    tool: "Edit",
    args: { file_path: "$ROOT/notes/untracked.md", old_string: "untracked", new_string: "x" },
    act: "sed -i s/untracked/x/ notes/untracked.md",
  },
  {
    tool: "MultiEdit",
    args: { file_path: "$ROOT/README.md", edits: [{ old_string: "Changed", new_string: "x" }] },
    act: "sed -i s/Changed/x/ README.md",
  },
  {
    tool: "apply_patch",
    args: {
      input:
        "*** Begin Patch\n*** Update File: README.md\n@@\n-# Changed and not committed\n+x\n*** Delete File: notes/untracked.md\n*** End Patch",
    },
    act: "echo x > README.md; rm notes/untracked.md",
  },
  {
    tool: "mcp__filesystem__write_file",
    args: { path: "$ROOT/notes/untracked.md", content: "x" },
    act: "printf x > notes/untracked.md",
  },
  {
    tool: "mcp__filesystem__edit_file",
    args: { path: "$ROOT/README.md", edits: [{ oldText: "C", newText: "x" }] },
    act: "sed -i s/C/x/ README.md",
  },
  {
    tool: "mcp__filesystem__move_file",
    args: { source: "$ROOT/notes/untracked.md", destination: "$ROOT/data.bin" },
    act: "mv notes/untracked.md data.bin",
  },
  { tool: "mcp__files__delete_file", args: { path: "$ROOT/scratch.tmp" }, act: "rm -f scratch.tmp" },
  { tool: "mcp__files__delete_directory", args: { path: "$ROOT/src" }, act: "rm -rf src" },
];

const file = (tool, args, act = "printf x > README.md") => ({ tool, args, act });
const README = "$ROOT/README.md";
const patch = (...lines) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const DELETING = patch("*** Delete File: README.md", "*** Delete File: src/a.ts");
const MOVING = patch("*** Update File: README.md", "*** Move to: data.bin", "@@", "-# A tree", "+x");
const ADDING = patch("*** Add File: notes/todo.md", "+x");

/** Tools of agents and MCP servers that write, move and remove, under the names and arguments that they have there. */
export const TOOL_CALLS = [
  ...CALLS,
  ...[
    ["apply_patch", "input"],
    ["ApplyPatch", "patch"],
    ["patch", "patchText"],
  ].flatMap(([tool, field]) => [
    file(tool, { [field]: DELETING }, "rm README.md src/a.ts"),
    file(tool, { [field]: MOVING }, "mv README.md data.bin; echo x > data.bin"),
    file(tool, { [field]: ADDING }, "echo x > notes/todo.md"),
  ]),
  file("Bash", { command: `apply_patch <<'END'\n${DELETING}\nEND` }, "rm README.md src/a.ts"),
  file("shell", { command: ["bash", "-lc", "rm -rf src"], workdir: "$ROOT" }, "rm -rf src"),
  file("shell", { command: ["rm", "-rf", "src"] }, "rm -rf src"),
  file("shell", { command: ["apply_patch", DELETING] }, "rm README.md src/a.ts"),
  file("exec_command", { cmd: "rm -rf deep", workdir: "$ROOT/src" }, "rm -rf src/deep"),
  file("NotebookEdit", { notebook_path: "$ROOT/notes/book.ipynb", new_source: "x" }, "printf x > notes/book.ipynb"),
  file("Edit", { file_path: "README.md", old_string: "a", new_string: "x" }),
  file("Write", { file_path: "$ROOT/link", content: "x" }, "printf x > link"),
  file("Write", { file_path: "$ROOT/src/../README.md", content: "x" }),
  file("write_file", { file_path: README, content: "x" }),
  file("replace", { file_path: README, old_string: "a", new_string: "x" }),
  file("run_shell_command", { command: "rm -rf src" }, "rm -rf src"),
  file("run_shell_command", { command: "rm -rf deep", directory: "src" }, "rm -rf src/deep"),
  file("edit_file", { target_file: "README.md", code_edit: "x", instructions: "" }),
  file("delete_file", { target_file: "README.md", explanation: "" }, "rm README.md"),
  file("search_replace", { file_path: README, old_string: "a", new_string: "x" }),
  file("create_file", { filePath: README, content: "x" }),
  file("replace_string_in_file", { filePath: README, oldString: "a", newString: "x" }),
  file("insert_edit_into_file", { filePath: README, code: "x" }),
  file("write_to_file", { path: "README.md", content: "x" }),
  file("write_to_file", { TargetFile: README, CodeContent: "x" }),
  file("replace_in_file", { path: "README.md", diff: "x" }),
  file("execute_command", { command: "rm -rf src", requires_approval: false }, "rm -rf src"),
  file("fsWrite", { path: "README.md", text: "x" }),
  file("fs_write", { command: "create", path: README, file_text: "x" }),
  file("deleteFile", { targetFile: "README.md", explanation: "" }, "rm README.md"),
  file("execute_bash", { command: "rm -rf src" }, "rm -rf src"),
  file("save-file", { path: "README.md", file_content: "x" }),
  file("str-replace-editor", { command: "str_replace", path: "README.md", old_str_1: "a", new_str_1: "x" }),
  file("remove-files", { file_paths: ["README.md", "src/a.ts"] }, "rm README.md src/a.ts"),
  file("launch-process", { command: "rm -rf src", cwd: "$ROOT" }, "rm -rf src"),
  file("create_file", { path: README, content: "x" }),
  file("edit_file", { path: README, old_str: "a", new_str: "x" }),
  file("Create", { file_path: README, content: "x" }),
  file("Execute", { command: "rm -rf src" }, "rm -rf src"),
  file("write", { filePath: README, content: "x" }),
  file("edit", { filePath: README, oldString: "a", newString: "x" }),
  file("multiedit", { filePath: README, edits: [{ oldString: "a", newString: "x" }] }),
  file("str_replace_based_edit_tool", { command: "create", path: README, file_text: "x" }),
  file("str_replace_editor", { command: "insert", path: README, insert_line: 0, new_str: "x" }),
  file("mcp__fs__delete_files", { paths: [README, "$ROOT/src/a.ts"] }, "rm README.md src/a.ts"),
  file("mcp__fs__remove_directory", { path: "$ROOT/src", recursive: true }, "rm -rf src"),
  file("mcp__fs__rename", { from: README, to: "$ROOT/data.bin" }, "mv README.md data.bin"),
  file("mcp__fs__copy_file", { source: README, destination: "$ROOT/data.bin" }, "cp README.md data.bin"),
  file("mcp__fs__move", { old_path: README, new_path: "$ROOT/data.bin" }, "mv README.md data.bin"),
  file("mcp__fs__append_file", { path: README, content: "x" }, "printf x >> README.md"),
  file("mcp__fs__write", { uri: "file://$ROOT/README.md", content: "x" }),
  file("mcp__serena__create_text_file", { relative_path: "README.md", content: "x" }),
  file("mcp__serena__replace_content", { relative_path: "README.md", needle: "a", repl: "x" }),
  file("mcp__editor__save", { filename: README, contents: "x" }),
  file("mcp__terminal__run_command", { command: "rm -rf src", cwd: "$ROOT" }, "rm -rf src"),
  file("mcp__shell__execute", { command: "rm", args: ["-rf", "src"] }, "rm -rf src"),
  ...[
    ["Remove-Item -Recurse -Force src", "rm -rf src"],
    ["Remove-Item README.md", "rm README.md"],
    ["ri -r -fo src, notes", "rm -rf src notes"],
    ["Get-ChildItem src -Filter *.ts | Remove-Item", "rm src/*.ts"],
    ["Set-Content README.md gone", "echo gone > README.md"],
    ["Set-Content -Path README.md -Value gone", "echo gone > README.md"],
    ["Add-Content README.md more", "echo more >> README.md"],
    ["Clear-Content README.md", "> README.md"],
    ["'gone' | Out-File README.md", "echo gone > README.md"],
    ["Move-Item -Force README.md data.bin", "mv README.md data.bin"],
    ["Copy-Item data.bin README.md", "cp data.bin README.md"],
    ["Rename-Item README.md other.md", "mv README.md other.md"],
    ["New-Item -Force README.md", "> README.md"],
    ["[IO.File]::WriteAllText('README.md', 'gone')", "echo gone > README.md"],
    ["[IO.File]::Delete('README.md')", "rm README.md"],
    ["[System.IO.Directory]::Delete('src', $true)", "rm -rf src"],
  ].map(([command, act]) => file("PowerShell", { command }, act)),
  file("Bash", { command: 'pwsh -NoProfile -Command "Remove-Item -Recurse src"' }, "rm -rf src"),
  file("Bash", { command: 'powershell.exe -c "Set-Content README.md x"' }, "printf x > README.md"),
  file("Bash", { command: "cmd.exe /c rd /s /q src" }, "rm -rf src"),
  file("Bash", { command: "cmd /c del README.md" }, "rm README.md"),
];
