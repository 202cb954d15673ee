import { fileURLToPath } from "node:url";
import { loadLayers } from "../config/load.ts";
import { attempt } from "../event/attempt.ts";
import { MODE_MEANS } from "../policies/intent/mode-means.ts";
import { RPC_CODES, RpcError } from "./protocol.ts";
import { MCP_TOOLS, type McpClient, type McpTool, type ToolSurroundings } from "./tools.ts";

/** What a server knows about itself. */
export interface ServerOptions extends ToolSurroundings {
  readonly version: string;
}

/** Answers the requests of the Model Context Protocol that a server of tools gets. */
export function mcpHandler(options: ServerOptions) {
  return (method: string, params: Readonly<Record<string, unknown>>): unknown => {
    switch (method) {
      case "initialize":
        named(params.clientInfo, options.client);
        return {
          protocolVersion: agreed(params.protocolVersion, options.client),
          capabilities: { tools: {} },
          serverInfo: { name: "sluice", title: "Sluice", version: options.version },
          instructions: instructionsFor(options.root),
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
        throw new RpcError(RPC_CODES.method, `unknown method ${method}`);
    }
  };
}

/** The client is known later by the name that it gave first. */
function named(about: unknown, client: McpClient | undefined): void {
  const { title, name } = Object(about) as { readonly title?: unknown; readonly name?: unknown };
  const known = [title, name].find((text) => typeof text === "string" && text.trim() !== "");
  if (client !== undefined && typeof known === "string") client.name = known.trim().slice(0, LONGEST_NAME);
}

function agreed(asked: unknown, client: McpClient | undefined): string {
  const version = VERSIONS.find((known) => known === asked) ?? VERSIONS[0];
  if (client !== undefined) client.protocol = version;
  return version;
}

/** Whether several messages may be on one line: until 2025-06-18 they might, and before a version is agreed on. */
export function takesBatches({ protocol }: McpClient): boolean {
  return protocol === undefined || protocol < WITHOUT_BATCHES;
}

function instructionsFor(root: string): string {
  const { mode } = loadLayers(root).settings.intents;
  return `${FIRST} ${MODE_MEANS[mode]} ${MORE}`;
}

function listed({ name, means, input, required, isReading }: McpTool): object {
  return {
    name,
    description: means,
    inputSchema: { type: "object", properties: input, required, additionalProperties: false },
    annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false },
  };
}

/** An error in a tool is reported to the model, which can react to it. */
function called({ name, arguments: given }: Readonly<Record<string, unknown>>, around: ToolSurroundings): object {
  const tool = MCP_TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new RpcError(RPC_CODES.params, `unknown tool ${String(name)}`);
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
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const WITHOUT_BATCHES = "2025-06-18";
const FIRST =
  "Call list_intents, then select_active_intent with the intent that you work on, before you change any file.";
const MORE = "request_scope asks a person for more.";
const LONGEST_NAME = 100;

/** What a line of a client means for the question which folders it works on. */
export type AboutRoots =
  /** It can answer, once it has reported that it is ready. */
  | { readonly kind: "can answer" }
  /** It is ready, or works on other folders now. */
  | { readonly kind: "ask now" }
  | { readonly kind: "told"; readonly folders: readonly string[] };

/** The question, as a line; its answer is known by the id. */
export const ROOTS_QUESTION = JSON.stringify({ jsonrpc: "2.0", id: "sluice-roots", method: "roots/list" });

/** Reads a line as far as it is about folders; nothing for every other line. */
export function aboutRoots(line: string): AboutRoots | undefined {
  if (!TELLING.test(line)) return undefined;
  const { id, method, params, result } = objectIn(line);
  if (method === "initialize") {
    const { roots } = Object(Object(params).capabilities) as { readonly roots?: unknown };
    return roots === undefined ? undefined : { kind: "can answer" };
  }
  if (method === "notifications/initialized" || method === "notifications/roots/list_changed")
    return { kind: "ask now" };
  const { roots } = Object(result) as { readonly roots?: unknown };
  if (id !== "sluice-roots" || !Array.isArray(roots)) return undefined;
  return { kind: "told", folders: roots.flatMap((root) => folderIn(Object(root).uri)) };
}

function folderIn(uri: unknown): string[] {
  return attempt(() => (typeof uri === "string" && uri.startsWith("file:") ? [fileURLToPath(uri)] : [])) ?? [];
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Most lines are about something else, and are read once. */
const TELLING = /"(?:initialize|notifications\/(?:initialized|roots\/list_changed)|sluice-roots)"/;
