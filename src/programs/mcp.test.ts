import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answers, denies, hooked } from "../../tests/programs/hooked.ts";
import { guardClient, guardServer } from "./mcp.ts";

const DENY = denies("tool:pre_execute", "not today");
const WROTE = { content: [{ type: "text" as const, text: "wrote" }] };

describe("hooks around MCP", () => {
  it("answer a denied call with a result that is an error", async () => {
    const server = guardServer(hooked([DENY]).hooks, new McpServer(NAMED));
    server.registerTool("write", {}, () => WROTE);
    expect(await callOf(server)).toEqual({ content: [{ type: "text", text: "not today" }], isError: true });
  });

  it("stand around a tool whose handler is replaced later", async () => {
    const server = guardServer(hooked([DENY]).hooks, new McpServer(NAMED));
    server.registerTool("write", {}, () => WROTE).update({ callback: () => WROTE });
    expect(await callOf(server)).toMatchObject({ isError: true });
  });

  it("stand around a server that handles its requests itself", async () => {
    const server = guardServer(hooked([DENY]).hooks, new Server(NAMED, { capabilities: { tools: {} } }));
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: "write", inputSchema: { type: "object" } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, () => WROTE);
    expect(await callOf(server)).toMatchObject({ isError: true });
  });

  it("have to be there first", () => {
    const server = new McpServer(NAMED);
    server.registerTool("write", {}, () => WROTE);
    expect(() => guardServer(hooked([]).hooks, server)).toThrow("already answers calls of tools");
  });

  it("cannot put past the tool's schema what does not fit it", async () => {
    const change = answers("tool:pre_execute", { action: "modify", modified_data: { args: { path: 3 } } });
    const server = guardServer(hooked([change]).hooks, new McpServer(NAMED));
    server.registerTool("write", { inputSchema: { path: z.string() } }, () => WROTE);
    expect(await callOf(server)).toMatchObject({ isError: true });
  });

  it("leave everything but calls of tools alone", async () => {
    const { hooks, heard } = hooked([DENY]);
    const server = new McpServer(NAMED);
    server.registerTool("write", {}, () => WROTE);
    const client = await connected(server, (made) => guardClient(hooks, made));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["write"]);
    expect(heard).toEqual([]);
    expect(await client.callTool({ name: "write" })).toMatchObject({ isError: true });
    expect(heard[0]).toMatchObject({ toolName: "mcp__my_scribe__write", data: { tool_args: {} } });
    await client.close();
  });
});

const NAMED = { name: "my scribe", version: "1" };

async function connected(server: McpServer | Server, guard = (client: Client) => client): Promise<Client> {
  const client = guard(new Client({ name: "tester", version: "1" }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return client;
}

async function callOf(server: McpServer | Server) {
  const client = await connected(server);
  const result = await client.callTool({ name: "write", arguments: { path: "a.txt" } });
  await client.close();
  return result;
}
