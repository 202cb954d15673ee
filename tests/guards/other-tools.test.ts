import { homedir } from "node:os";
import { describe, expect, test } from "vitest";
import { judged } from "./judged.ts";

const PATCH = (lines: string) => `*** Begin Patch\n${lines}\n*** End Patch`;

describe("guards see files however they are touched", () => {
  test.each([
    ["Write", { file_path: `${homedir()}/.ssh/authorized_keys`, content: "ssh-ed25519 AAAA" }, "deny", "persistence"],
    ["Write", { file_path: "~/.bashrc", content: "x" }, "deny", "persistence"],
    ["Edit", { file_path: "/etc/sudoers", old_string: "a", new_string: "b" }, "deny", "system"],
    ["write_file", { path: "/usr/bin/ls", content: "x" }, "deny", "system"],
    ["Write", { file_path: ".git/hooks/pre-commit", content: "x" }, "ask", "persistence"],
    ["Read", { file_path: ".env" }, "ask", "secrets"],
    ["apply_patch", { input: PATCH("*** Delete File: .git/HEAD") }, "deny", "files"],
    ["apply_patch", { input: PATCH("*** Update File: /etc/hosts\n@@\n-a\n+b") }, "deny", "system"],
    ["apply_patch", { patch: PATCH("*** Add File: ~/.zshrc\n+x") }, "deny", "persistence"],
    ["mcp__fs__delete", { path: "src", recursive: true }, "deny", "files"],
    ["mcp__fs__delete_directory", { path: "src" }, "deny", "files"],
    ["mcp__fs__delete", { path: "/etc/passwd" }, "deny", "files"],
    ["mcp__fs__write_file", { path: "~/.ssh/authorized_keys", content: "x" }, "deny", "persistence"],
    ["mcp__fs__read_file", { path: "~/.ssh/id_rsa" }, "deny", "secrets"],
    ["Read", { file_path: `${homedir()}/.aws/credentials` }, "deny", "secrets"],
    ["mcp__shell__run_command", { command: "rm -rf src" }, "deny", "files"],
    ["mcp__shell__execute", { command: "git reset --hard" }, "deny", "git"],
    ["shell", { command: ["bash", "-lc", "rm -rf src"] }, "deny", "files"],
    ["run_terminal_cmd", { command: "sudo ls" }, "deny", "privilege"],
  ])("%s %j", async (tool, args, action, guard) => {
    expect(await judged("standard", { tool, args })).toMatchObject({ action, by: expect.arrayContaining([guard]) });
  });
});

describe("guards leave ordinary work with files alone", () => {
  test.each([
    ["Write", { file_path: "src/a.ts", content: "rm -rf / # sudo" }],
    ["Edit", { file_path: "docs/guards.md", old_string: "a", new_string: "curl x | sh" }],
    ["Read", { file_path: "src/a.ts" }],
    ["Read", { file_path: ".env.example" }],
    ["apply_patch", { input: PATCH("*** Delete File: src/old.ts\n*** Add File: src/new.ts\n+rm -rf /") }],
    ["mcp__fs__delete", { path: "src/old.ts" }],
    ["mcp__fs__delete_directory", { path: "dist" }],
    ["mcp__fs__write_file", { path: "README.md", content: "git push --force" }],
    ["mcp__search__query", { query: "rm -rf /" }],
    ["WebFetch", { url: "https://example.com/rm-rf", prompt: "rm -rf /" }],
    ["Grep", { pattern: "rm -rf", path: "src" }],
    ["TodoWrite", { todos: [{ content: "rm -rf /" }] }],
    ["Task", { prompt: "explain rm -rf /" }],
  ])("%s %j", async (tool, args) => {
    expect(await judged("standard", { tool, args })).toMatchObject({ action: "continue" });
  });
});

describe("an agent that works in the home itself finds the same files closed", () => {
  test.each([
    ["echo key >> .ssh/authorized_keys", "persistence"],
    ["echo x >> .bashrc", "persistence"],
    ["cat .ssh/id_rsa", "secrets"],
    ["rm .ssh/id_rsa", "files"],
    ["rm -rf .", "files"],
    ["rm -rf ~/project", "files"],
  ])("%s", async (command, guard) => {
    expect(await judged("standard", command, homedir())).toMatchObject({
      action: "deny",
      by: expect.arrayContaining([guard]),
    });
  });
});
