import { MCP_SERVER } from "../../adapters/recipe.ts";
import { dataField, type EventFacts } from "../../event/field.ts";

/** The tools that a session talks to its intents with. */
export const INTENT_TOOLS = {
  list_intents: "lists the intents of this project",
  select_active_intent: "selects the intent that this session works on",
  get_intent_context: "tells what an intent demands and owns",
  request_scope: "asks a person to let an intent own more",
  record_lesson: "writes a lesson into the project's memory file",
} as const;

export type IntentTool = keyof typeof INTENT_TOOLS;

/** A call of one of these tools, under whichever name an agent gives it. */
export interface IntentCall {
  readonly tool: IntentTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The call of a tool of ours that an event announces; nothing for every other call. */
export function intentCall(event: EventFacts): IntentCall | undefined {
  const args = objectIn(dataField(event, "tool_args"));
  const { toolName = "" } = event;
  const named = toolNamed(toolName);
  if (named !== undefined) return { tool: named, args };
  if (!CARRIERS.test(toolName)) return undefined;
  const server = textAt(args, "server_name", "serverName", "server");
  const tool = toolNamed(textAt(args, "tool_name", "toolName", "tool") ?? "");
  if (server !== MCP_SERVER || tool === undefined) return undefined;
  return { tool, args: objectIn(args.arguments ?? args.args ?? args.input) };
}

/** The intent that a call selects; empty when it names none. */
export function selectedId({ args }: IntentCall): string {
  return textAt(args, "intent_id", "intentId", "id")?.trim() ?? "";
}

/** Whether a tool's name alone may make it one of ours: cheap, for a caller that has not loaded intents. */
export function mayConcernIntents(toolName: string): boolean {
  return /select_active_intent(?:[_-]sluice)?$/.test(toolName) || CARRIERS.test(toolName);
}

function toolNamed(name: string): IntentTool | undefined {
  const own = OURS().exec(name)?.[1] ?? "";
  return Object.hasOwn(INTENT_TOOLS, own) ? (own as IntentTool) : undefined;
}

/** Agents hand arguments over as an object, or as its text. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "string") {
    try {
      return objectIn(JSON.parse(value));
    } catch {
      return {};
    }
  }
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textAt(args: Readonly<Record<string, unknown>>, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => args[key]).find((value) => typeof value === "string");
}

/** Bare, or after or before the name of the server as agents join the two. */
const OURS = () =>
  /^(?:mcp__(?:plugin_[\w-]+_)?sluice__|mcp_{1,2}sluice_{1,2}|MCP:(?:sluice[:./_-])?|mcp:sluice[:./]|@?sluice(?:_{2,3}|[_.:/-]))?([a-z_]+?)(?:[_-]sluice)?$/;
const CARRIERS = /^(?:use_mcp_tool|mcp_tool_use|call_mcp_tool|CallMcpTool)$/;
