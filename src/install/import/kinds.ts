import { isOfKind, type ToolKindName } from "../../event/tool-kinds.ts";

/**
 * Tools by kind where an agent's names mean the same: a hook that listens to all tools with which an agent writes listens to
 * `@write`. Some of them alone are another thing, and keep their names.
 */
export function withKinds(tools: readonly string[]): readonly string[] {
  return KINDS.reduce<readonly string[]>((now, [kind, sets]) => {
    if (!sets.some((set) => set.every((tool) => now.includes(tool)))) return now;
    const others = now.filter((tool) => !isOfKind(tool, kind) && !EVERY_SERVER.has(tool));
    const at = now.findIndex((tool) => !others.includes(tool));
    const before = now.slice(0, at).filter((tool) => others.includes(tool));
    return [...before, kind, ...others.slice(before.length)];
  }, tools);
}

/** Globs that mean the tools of every MCP server. */
const EVERY_SERVER: ReadonlySet<string> = new Set(["mcp__*", "*mcp__*", "mcp_*", "MCP:*"]);

/** What agents call all their tools of a kind; each set is one agent's, or what its users write for it. */
const KINDS: readonly (readonly [ToolKindName, readonly (readonly string[])[]])[] = [
  [
    "@shell",
    [
      "Bash",
      "bash",
      "Shell",
      "shell",
      "run_shell_command",
      "Execute",
      "execute_command",
      "run_command",
      "launch-process",
    ].map((tool) => [tool]),
  ],
  [
    "@write",
    [
      ["Write", "Edit"],
      ["write_file", "replace"],
      ["write_file", "edit"],
      ["Create", "Edit"],
      ["create", "edit"],
      ["write", "edit"],
      ["write_to_file", "replace_in_file"],
      ["save-file", "str-replace-editor"],
      ["apply_patch"],
      ["fs_write"],
    ],
  ],
  ["@read", [["Read", "Grep", "Glob"], ["fs_read"]]],
  ["@network", [["WebFetch", "WebSearch"]]],
  ["@mcp", [...EVERY_SERVER].map((tool) => [tool])],
];
