import { tool as langchainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tool as openaiTool, RunContext } from "@openai/agents-core";
import { tool as aiTool } from "ai";
import { z } from "zod";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { main } from "../../src/cli/main.ts";
import { answer } from "../../src/decide/answer.ts";
import { ToolDeniedError } from "../../src/decision/blocked.ts";
import type { Decision } from "../../src/decision/decision.ts";
import { STRICTNESS } from "../../src/decision/result.ts";
import { createHookEngine } from "../../src/hosts/hook-engine.ts";
import { ToolExecutionHooks } from "../../src/hosts/tool-execution.ts";
import * as aiSdk from "../../src/programs/ai-sdk.ts";
import { claudeAgentHooks } from "../../src/programs/claude-agent-sdk.ts";
import { guardFunction } from "../../src/programs/function.ts";
import { type Hooks, hooksFrom } from "../../src/programs/hooks.ts";
import * as langchain from "../../src/programs/langchain.ts";
import * as mcp from "../../src/programs/mcp.ts";
import * as openai from "../../src/programs/openai-agents.ts";
import type { MadeCall } from "./calls.ts";
import { ofClaude, ofDecision, type Verdict, verdict } from "./verdict.ts";
import type { World } from "./worlds.ts";

/** Makes a call through one front. */
export type Front = (call: MadeCall, at: World, session: string) => Promise<Verdict>;

/** Every front in which a call can be decided in this process. */
export const FRONTS: Readonly<Record<string, Front>> = {
  "sluice run claude-code": async ({ tool, args }, at, session) => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: session,
      cwd: at.root,
      tool_name: tool,
      tool_input: args,
    };
    const { stdout } = await answer(
      { text: JSON.stringify(payload), agent: "claude-code" },
      { cwd: at.root, env: at.env },
    );
    return ofClaude(stdout);
  },
  "sluice run json": async ({ tool, args }, at, session) => {
    const event = {
      type: "tool:pre_execute",
      session_id: session,
      cwd: at.root,
      tool_name: tool,
      data: { tool_args: args },
    };
    const { stdout } = await answer({ text: JSON.stringify(event), agent: "json" }, { cwd: at.root, env: at.env });
    const { action, reason = "", input } = JSON.parse(stdout);
    return verdict(action, [reason], input);
  },
  "sluice fire": async (call, at, session) => {
    const { action, reasons, input } = await command(at, "fire", call, session);
    return verdict(action, reasons, input);
  },
  "HooksManager.decide": async ({ tool, args }, at, session) =>
    ofDecision(
      await at
        .manager()
        .decide({ sessionId: session }, "PreToolUse", { tool_name: tool, tool_args: args }, { canAsk: true }),
    ),
  "HooksManager.emit": async ({ tool, args }, at, session) => {
    const data = { tool_name: tool, tool_args: args };
    const results = await at.manager().emit({ sessionId: session }, "PreToolUse", data, { canAsk: true });
    const [strictest] = results.toSorted((one, other) => STRICTNESS[other.action] - STRICTNESS[one.action]);
    const reasons = results.filter(({ action }) => action === strictest?.action).map(({ reason = "" }) => reason);
    return verdict(strictest?.action ?? "continue", reasons);
  },
  createHookEngine: async ({ tool, args }, at, session) => {
    let asked = false;
    const onAsk = () => {
      asked = true;
      return false;
    };
    const engine = createHookEngine({ root: at.root, sessionId: session, onAsk });
    const said = await engine.preToolUse({ toolName: tool, toolInput: args });
    if (!said.allow) return verdict(asked ? "ask" : "deny", [said.reason]);
    const input = said.contextPatch?.tool_input;
    return verdict(input === undefined ? "continue" : "modify", [], input);
  },
  wrapToolCall: ({ tool, args }, at, session) =>
    ran(args, (run) =>
      new ToolExecutionHooks(at.manager(), { onAsk: () => false }).wrapToolCall(
        { sessionId: session },
        tool,
        args,
        run,
      ),
    ),
  guardFunction: ({ tool, args }, at, session) =>
    ran(args, (run) => guardFunction(hooksOf(at, session).hooks, tool, run)(args)),
  "the AI SDK": ({ tool, args }, at, session) =>
    ran(args, async (run) => {
      const tools = { [tool]: aiTool({ inputSchema: z.looseObject({}), execute: (input) => run(input) }) };
      const guarded = aiSdk.guardTools(hooksOf(at, session).hooks, tools)[tool];
      await guarded?.execute?.(args as never, { toolCallId: "c1", messages: [] });
    }),
  LangChain: ({ tool, args }, at, session) =>
    ran(args, async (run) => {
      const made = langchainTool(async (input) => run(input), {
        name: tool,
        description: "",
        schema: z.looseObject({}),
      });
      await langchain.guardTool(hooksOf(at, session).hooks, made).invoke(args as never);
    }),
  "the OpenAI Agents SDK": ({ tool, args }, at, session) =>
    through(at, session, args, async (hooks, run) => {
      const made = openaiTool({
        name: tool,
        description: "",
        parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
        strict: false,
        execute: (input) => run(input as object),
      });
      await openai.guardTool(hooks, made).invoke(new RunContext(), JSON.stringify(args));
    }),
  "a server of MCP": ({ tool, args }, at, session) =>
    through(at, session, args, async (hooks, run) => {
      const server = mcp.guardServer(hooks, new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } }));
      server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
        run(params.arguments ?? {});
        return { content: [] };
      });
      const client = new Client({ name: "c", version: "1" });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(there), client.connect(here)]);
      await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
      await client.close();
    }),
  "the Claude Agent SDK": async ({ tool, args }, at, session) => {
    const { hooks } = hooksOf(at, session);
    const input = {
      hook_event_name: "PreToolUse",
      session_id: session,
      cwd: at.root,
      tool_name: tool,
      tool_input: args,
    };
    const [matcher] = claudeAgentHooks(hooks).PreToolUse;
    const said = await matcher.hooks[0](input, undefined, { signal: new AbortController().signal });
    return ofClaude(JSON.stringify(said));
  },
};

/** Decides by rules alone, so that not every call can be compared; its session was made by `sluice fire`. */
export const EXPLAIN: Front = async (call, at, session) => {
  const { decision } = await command(at, "explain", call, session);
  return verdict(decision.action, decision.reasons);
};

/** A command of the command line in this process, with what it prints as JSON. */
export async function command(
  at: World,
  name: string,
  { tool, args }: MadeCall,
  session: string,
  event = "tool:pre_execute",
) {
  const printed: string[] = [];
  const io = {
    out: (text: string) => printed.push(text),
    err: () => {},
    write: () => {},
    isTerminal: false,
    hasColour: false,
    width: 100,
    cwd: at.root,
    env: at.env,
  };
  const words = [name, event, "--tool", tool, "--args", JSON.stringify(args), "--session", session, "--json"];
  await main(words, io, COMMANDS);
  return JSON.parse(printed.join("\n"));
}

function hooksOf(at: World, session: string): { hooks: Hooks; decisions: Decision[] } {
  const manager = at.manager();
  const decisions: Decision[] = [];
  const hooks = hooksFrom({ manager, session: { sessionId: session }, onAsk: () => false });
  const decide: Hooks["decide"] = async (event, options) => {
    const decision = await hooks.decide(event, options);
    decisions.push(decision);
    return decision;
  };
  return { hooks: { ...hooks, decide }, decisions };
}

/** What became of a call that throws where it is denied. */
export async function ran(args: object, call: (run: (input: object) => string) => Promise<unknown>): Promise<Verdict> {
  let given: object | undefined;
  const run = (input: object) => {
    given = input;
    return "done";
  };
  try {
    await call(run);
  } catch (error) {
    if (error instanceof ToolDeniedError) return { ...ofDecision(error.decision), ...(given && { input: given }) };
    throw error;
  }
  if (given === undefined) throw new Error("the tool was neither denied nor run");
  return JSON.stringify(given) === JSON.stringify(args) ? verdict("continue", []) : verdict("modify", [], given);
}

/** The same where the SDK tells the model of a denial instead. */
async function through(
  at: World,
  session: string,
  args: object,
  call: (hooks: Hooks, run: (input: object) => string) => Promise<unknown>,
): Promise<Verdict> {
  const { hooks, decisions } = hooksOf(at, session);
  return ran(args, async (run) => {
    let hasRun = false;
    await call(hooks, (input) => {
      hasRun = true;
      return run(input);
    });
    const [decision] = decisions;
    if (!hasRun && decision !== undefined) throw new ToolDeniedError(decision);
  });
}
