import { expect, test } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { intentCall, mayConcernIntents, selectedId } from "./handshake.ts";

const input = { intent_id: "INT-001" };
const carried = { server_name: "sluice", tool_name: "select_active_intent", arguments: input };

test.each<[tool: string, args: unknown, id: string | undefined]>([
  ["select_active_intent", input, "INT-001"],
  ["select_active_intent", { intentId: " INT-001 " }, "INT-001"],
  ["select_active_intent", JSON.stringify(input), "INT-001"],
  ["select_active_intent", {}, ""],
  ["mcp__sluice__select_active_intent", input, "INT-001"],
  ["mcp_sluice_select_active_intent", input, "INT-001"],
  ["sluice_select_active_intent", input, "INT-001"],
  ["sluice__select_active_intent", input, "INT-001"],
  ["sluice___select_active_intent", input, "INT-001"],
  ["sluice-select_active_intent", input, "INT-001"],
  ["select_active_intent_sluice", input, "INT-001"],
  ["MCP:select_active_intent", input, "INT-001"],
  ["mcp__plugin_a-b_sluice__select_active_intent", input, "INT-001"],
  ["mcp__sluice_select_active_intent", input, "INT-001"],
  ["mcp_sluice__select_active_intent", input, "INT-001"],
  ["mcp___sluice__select_active_intent", input, undefined],
  ["MCP:sluice:select_active_intent", input, "INT-001"],
  ["MCP:sluice/select_active_intent", input, "INT-001"],
  ["MCP:evil:select_active_intent", input, undefined],
  ["mcp:sluice:select_active_intent", input, "INT-001"],
  ["mcp:sluice.select_active_intent", input, "INT-001"],
  ["mcp:select_active_intent", input, undefined],
  ["@sluice/select_active_intent", input, "INT-001"],
  ["sluice.select_active_intent", input, "INT-001"],
  ["sluice____select_active_intent", input, undefined],
  ["select_active_intent-sluice", input, "INT-001"],
  ["xselect_active_intent", input, undefined],
  ["x:MCP:select_active_intent", input, undefined],
  ["select_active_intent sluice", input, undefined],
  ["use_mcp_tool", { server_name: "sluice", arguments: input }, undefined],
  ["use_mcp_tool", { tool_name: "select_active_intent", arguments: input }, undefined],
  ["use_mcp_tool", { ...carried, arguments: 5 }, ""],
  ["select_active_intent", { intent_id: 5, id: "B" }, "B"],
  ["select_active_intent", [], ""],
  ["use_mcp_tool", carried, "INT-001"],
  ["use_mcp_tool", { ...carried, arguments: JSON.stringify(input) }, "INT-001"],
  ["call_mcp_tool", { serverName: "sluice", toolName: "select_active_intent", args: input }, "INT-001"],
  ["CallMcpTool", { server: "sluice", tool: "select_active_intent", input: { id: "INT-001" } }, "INT-001"],
  ["mcp_tool_use", { server: "sluice", tool: "select_active_intent" }, ""],
  ["use_mcp_tool", "no JSON", undefined],
  ["select_active_intent", "no JSON", ""],
  ["select_active_intent", null, ""],
  ["use_mcp_tools", carried, undefined],
  ["constructor", input, undefined],
  ["use_mcp_tool", { ...carried, server_name: "evil" }, undefined],
  ["use_mcp_tool", { ...carried, tool_name: "write_file" }, undefined],
  ["mcp__evil__select_active_intent", input, undefined],
  ["mcp__sluice_evil__select_active_intent", input, undefined],
  ["deselect_active_intent", input, undefined],
  ["select_active_intent_evil", input, undefined],
  ["Bash", { command: "select_active_intent INT-001" }, undefined],
])("%s %j selects %s", (toolName, args, id) => {
  const call = intentCall(HookEvent.toolPreExecute(toolName, args));
  expect(call && selectedId(call)).toBe(id);
  if (id !== undefined) expect(mayConcernIntents(toolName)).toBe(true);
});

test.each(["Bash", "mcp__sluice__request_scope", "select_active_intent_x", "use_mcp_tools", "my_use_mcp_tool"])(
  "the name %s alone concerns no selection",
  (name) => {
    expect(mayConcernIntents(name)).toBe(false);
  },
);

test("the other tools are known under their names too", () => {
  expect(intentCall(HookEvent.toolPreExecute("mcp__sluice__request_scope", {}))).toMatchObject({
    tool: "request_scope",
  });
});

test("a call without a name is none of ours", () => {
  expect(intentCall({ type: "tool:pre_execute", data: {} } as unknown as HookEvent)).toBe(undefined);
});
