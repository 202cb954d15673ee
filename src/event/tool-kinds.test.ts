import { describe, expect, test } from "vitest";
import { isOfKind, isToolKind, TOOL_KINDS, type ToolKindName } from "./tool-kinds.ts";

const KINDS = Object.keys(TOOL_KINDS) as ToolKindName[];

describe("one word names the same act across agents", () => {
  const rows: [kind: ToolKindName, tool: string, is: boolean][] = [
    ["@shell", "bash", true],
    ["@shell", "Bash", true],
    ["@shell", "Shell", true],
    ["@shell", "run_shell_command", true],
    ["@shell", "execute_command", true],
    ["@shell", "Monitor", true],
    ["@shell", "monitor", true],
    ["@shell", "write_stdin", true],
    ["@shell", "write_bash", true],
    ["@shell", "write-process", true],
    ["@shell", "BASH", false],
    ["@shell", "bashful", false],
    ["@shell", "Write", false],
    ["@write", "Write", true],
    ["@write", "write_to_file", true],
    ["@write", "apply_patch", true],
    ["@write", "Read", false],
    ["@read", "Read", true],
    ["@read", "Grep", true],
    ["@network", "WebFetch", true],
    ["@mcp", "mcp__github__create_issue", true],
    ["@mcp", "mcp_server_tool", true],
    ["@mcp", "MCP:tool", true],
    ["@mcp", "notmcp__x", false],
    ["@mcp", "marker-mark", true],
    ["@mcp", "marker___mark", true],
    ["@mcp", "___mark", false],
    ["@mcp", "github-mcp-server-get_file_contents", true],
    ["@mcp", "launch-process", false],
    ["@mcp", "codebase-retrieval", false],
    ["@mcp", "write_file", false],
  ];
  test.each(rows)("%s and %s: %s", (kind, tool, is) => {
    expect(isOfKind(tool, kind)).toBe(is);
  });
});

test("there are five kinds, and nothing else is one", () => {
  expect(KINDS).toEqual(["@shell", "@write", "@read", "@network", "@mcp"]);
  for (const kind of KINDS) expect(isToolKind(kind)).toBe(true);
  for (const other of ["@Shell", "shell", "@", "toString", "__proto__"]) expect(isToolKind(other)).toBe(false);
});

test("no tool is named twice in a kind, and none writes and reads alike", () => {
  for (const kind of KINDS) expect(new Set(TOOL_KINDS[kind].names).size).toBe(TOOL_KINDS[kind].names.length);
  const reads: readonly string[] = TOOL_KINDS["@read"].names;
  expect(TOOL_KINDS["@write"].names.filter((name) => reads.includes(name))).toEqual([]);
});
