import type { McpRecipe } from "./recipe.ts";

/** The name under which agents know our MCP server; hooks tell our own tools by it. */
export const MCP_SERVER = "sluice";

/** The shape that most agents share: a command and its arguments under `mcpServers`. */
export function mcpServers(files: McpRecipe["files"], more: Readonly<Record<string, unknown>> = {}): McpRecipe {
  return { files, at: ["mcpServers"], server: ([command, ...args]) => ({ ...more, command, args }) };
}
