// Hooks on both ends of MCP: around the tools that a server offers, and around those that a client calls.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { guardClient, guardServer, hooksFrom } from "sluice/mcp";
import { z } from "zod";
import { CALLS, exampleExecutor, show, TOOLS } from "./hooks.mjs";

const onServer = hooksFrom({ executor: exampleExecutor(), sessionId: "example" });
const onClient = hooksFrom({ executor: exampleExecutor("mcp__janitor__"), sessionId: "example" });

await session("server", { server: guardServer(onServer, newServer()), client: newClient() });
await session("client", { server: newServer(), client: guardClient(onClient, newClient()) });

async function session(end, { server, client }) {
  console.log(`hooks on the ${end}`);
  for (const [name, execute] of Object.entries(TOOLS)) {
    const run = async (input) => ({ content: [{ type: "text", text: await execute(input) }] });
    server.registerTool(name, { inputSchema: { path: z.string() } }, run);
  }
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  for (const [name, input] of CALLS) {
    const { isError, content } = await client.callTool({ name, arguments: input });
    show(name, `${isError ? "failed: " : ""}${content.map(({ text }) => text).join("\n")}`);
  }
  await client.close();
}

function newServer() {
  return new McpServer({ name: "janitor", version: "1.0.0" });
}

function newClient() {
  return new Client({ name: "example", version: "1.0.0" });
}
