import { tool as langchainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Agent, tool as openaiTool, Runner, setTracingDisabled } from "@openai/agents-core";
import { tool as aiTool, generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import * as aiSdk from "../../src/programs/ai-sdk.ts";
import { guardFunction } from "../../src/programs/function.ts";
import type { Hooks } from "../../src/programs/hooks.ts";
import * as langchain from "../../src/programs/langchain.ts";
import * as mcp from "../../src/programs/mcp.ts";
import * as openai from "../../src/programs/openai-agents.ts";
import { generated, said, toolCall } from "./scripted-model.ts";
import { ScriptedOpenAiModel } from "./scripted-openai-model.ts";

/** What the tool of every program takes. */
export interface Input {
  readonly path: string;
}

/** A program that offers one tool, `write`, and has it called once with `{ path: "a.txt" }`. */
export interface Program {
  /** Gives back what the model, or the caller, is told in the end. */
  readonly call: (hooks: Hooks, write: (input: Input) => Promise<string>) => Promise<string>;
  /** What hooks know the tool as. */
  readonly tool: string;
  /** A text as the SDK's own result of a tool. */
  readonly result: (text: string) => unknown;
  /** What is told of a tool that fails with "disk full". */
  readonly failure: string;
}

const itself = (text: string) => text;
const INPUT = z.object({ path: z.string() });

/** Every SDK that hooks can be put around, at work. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  "a plain function": {
    call: (hooks, write) => {
      const told: string[] = [];
      const guarded = guardFunction(hooks, "write", write, { onContext: (contexts) => told.push(...contexts) });
      return guarded({ path: "a.txt" }).then((result) => [result, ...told].join("\n"), messageOf);
    },
    tool: "write",
    result: itself,
    failure: "disk full",
  },
  "the AI SDK": {
    call: async (hooks, write) => {
      const model = new MockLanguageModelV3({
        doGenerate: [generated(toolCall("write", { path: "a.txt" })), generated(said("done"))],
      });
      const tools = { write: aiTool({ inputSchema: INPUT, execute: (input) => write(input) }) };
      const guarded = aiSdk.guardTools(hooks, tools);
      await generateText({ model, tools: guarded, prompt: "write it", stopWhen: stepCountIs(3) });
      return JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
    },
    tool: "write",
    result: itself,
    failure: "disk full",
  },
  "the OpenAI Agents SDK": {
    call: async (hooks, write) => {
      setTracingDisabled(true);
      const model = new ScriptedOpenAiModel("write", { path: "a.txt" });
      const write_ = openaiTool({
        name: "write",
        description: "",
        parameters: INPUT,
        execute: (input) => write(input),
      });
      const agent = new Agent({ name: "scribe", model, tools: openai.guardTools(hooks, [write_]) });
      await new Runner().run(agent, "write it");
      return model.toldLast();
    },
    tool: "write",
    result: itself,
    failure: "An error occurred while running the tool",
  },
  LangChain: {
    call: async (hooks, write) => {
      const tool = langchainTool((input) => write(input), { name: "write", description: "writes", schema: INPUT });
      const call = { type: "tool_call" as const, id: "c1", name: "write", args: { path: "a.txt" } };
      return langchain
        .guardTool(hooks, tool)
        .invoke(call)
        .then(({ content }) => String(content), messageOf);
    },
    tool: "write",
    result: itself,
    failure: "disk full",
  },
  "a server of MCP": {
    call: (hooks, write) => callOverMcp(write, { server: (server) => mcp.guardServer(hooks, server) }),
    tool: "write",
    result: asMcp,
    failure: "disk full",
  },
  "a client of MCP": {
    call: (hooks, write) => callOverMcp(write, { client: (client) => mcp.guardClient(hooks, client) }),
    tool: "mcp__scribe__write",
    result: asMcp,
    failure: "disk full",
  },
};

/** Connects a real client with a real server, and has the tool called. */
async function callOverMcp(
  write: (input: Input) => Promise<string>,
  guard: { server?: (server: McpServer) => McpServer; client?: (client: Client) => Client },
): Promise<string> {
  const server = new McpServer({ name: "scribe", version: "1" });
  guard.server?.(server);
  server.registerTool("write", { inputSchema: INPUT.shape }, async (input) => asMcp(await write(input)));
  const client = new Client({ name: "tester", version: "1" });
  guard.client?.(client);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const result = await client.callTool({ name: "write", arguments: { path: "a.txt" } });
  await client.close();
  return JSON.stringify(result);
}

function asMcp(text: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text }] };
}

function messageOf(error: Error): string {
  return error.message;
}
