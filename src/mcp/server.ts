import { RPC_CODES, RpcError } from "./protocol.ts";
import { MCP_TOOLS, type McpTool, type ToolSurroundings } from "./tools.ts";

/** What a server knows about itself. */
export interface ServerOptions extends ToolSurroundings {
  readonly version: string;
}

/** Answers the requests of the Model Context Protocol that a server of tools gets. */
export function mcpHandler(options: ServerOptions) {
  return (method: string, params: Readonly<Record<string, unknown>>): unknown => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: VERSIONS.find((version) => version === params.protocolVersion) ?? VERSIONS[0],
          capabilities: { tools: {} },
          serverInfo: { name: "sluice", title: "Sluice", version: options.version },
          instructions: INSTRUCTIONS,
        };
      case "ping":
        return {};
      case "tools/list":
        return { tools: MCP_TOOLS.map(listed) };
      case "tools/call":
        return called(params, options);
      case "resources/list":
        return { resources: [] };
      case "prompts/list":
        return { prompts: [] };
      default:
        throw new RpcError(RPC_CODES.method, `there is no method ${method}`);
    }
  };
}

function listed({ name, means, input, required, isReading }: McpTool): object {
  return {
    name,
    description: means,
    inputSchema: { type: "object", properties: input, required, additionalProperties: false },
    annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false },
  };
}

/** What goes wrong in a tool is said to the model, which can do something about it. */
function called({ name, arguments: given }: Readonly<Record<string, unknown>>, around: ToolSurroundings): object {
  const tool = MCP_TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new RpcError(RPC_CODES.params, `there is no tool ${String(name)}`);
  try {
    return said(tool.run(Object(given ?? {}) as Readonly<Record<string, unknown>>, around));
  } catch (error) {
    const { message, fix } = Object(error) as { message?: unknown; fix?: unknown };
    return {
      ...said([message ?? String(error), fix].filter((part) => typeof part === "string").join(" ")),
      isError: true,
    };
  }
}

function said(text: string): object {
  return { content: [{ type: "text", text }] };
}

/** The newest first: what a client is offered that asks for one we do not know. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const INSTRUCTIONS =
  "Call list_intents, then select_active_intent with the intent that you work on, before you change any file. Files outside of its scope cannot be changed; request_scope asks a person for more.";
