import { loadLayers } from "../../src/config/load.ts";
import { answer } from "../../src/decide/answer.ts";
import type { FRONTS as LISTED } from "../../src/decide/fronts.ts";
import { HookBlockedError, ToolDeniedError } from "../../src/decision/blocked.ts";
import { fireEvent, HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { createHookEngine } from "../../src/hosts/hook-engine.ts";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";
import { ToolExecutor } from "../../src/hosts/tool-executor.ts";
import { guardHooks } from "../../src/policies/guards/guard-hooks.ts";
import { claudeAgentHooks } from "../../src/programs/claude-agent-sdk.ts";
import { guardFunction } from "../../src/programs/function.ts";
import { hooksFrom } from "../../src/programs/hooks.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import type { MadeCall } from "./calls.ts";
import { command, EXPLAIN, FRONTS, type Front, ran } from "./fronts.ts";
import { ofDecision, type Verdict } from "./verdict.ts";
import type { World } from "./worlds.ts";

/** One front: what it makes of a call before it runs, and the way of a call that has run. */
export interface WayIn {
  readonly before: Front;
  readonly after: (call: MadeCall, at: World, session: string) => Promise<unknown>;
  /** The front that denies and records what this one may find, where that is another one. */
  readonly first?: Front;
}

const RECORDING = frontNamed("sluice run claude-code");

/** The fronts that are tried, by their rows in the table of the docs. */
export const WAYS_IN: Readonly<Record<(typeof LISTED)[number]["name"], Readonly<Record<string, WayIn>>>> = {
  "`sluice run`": {
    "claude-code": { before: frontNamed("sluice run claude-code"), after: (...made) => run("claude-code", ...made) },
    json: { before: frontNamed("sluice run json"), after: (...made) => run("json", ...made) },
  },
  "`sluice fire`": {
    fire: {
      before: frontNamed("sluice fire"),
      after: (call, at, session) => command(at, "fire", call, session, "tool:post_execute"),
    },
  },
  "`sluice explain`": {
    explain: {
      first: frontNamed("sluice fire"),
      before: EXPLAIN,
      after: (call, at, session) => command(at, "explain", call, session, "tool:post_execute"),
    },
  },
  "`createHookEngine`": {
    createHookEngine: {
      before: frontNamed("createHookEngine"),
      after: ({ tool, args }, at, sessionId) =>
        createHookEngine({ root: at.root, sessionId }).postToolUse({ toolName: tool, toolInput: args }, "done"),
    },
  },
  "`HooksManager`, `SessionLifecycleHooks`": {
    decide: {
      before: frontNamed("HooksManager.decide"),
      after: (call, at, session) => emitted(at.manager(), call, session),
    },
    emit: {
      before: frontNamed("HooksManager.emit"),
      after: (call, at, session) => emitted(at.manager(), call, session),
    },
  },
  "`ToolExecutionHooks.wrapToolCall`": { wrapToolCall: whole(frontNamed("wrapToolCall")) },
  "the SDK adapters (`hooksFrom({ manager, session })`)": {
    guardFunction: whole(frontNamed("guardFunction")),
    "the AI SDK": whole(frontNamed("the AI SDK")),
    LangChain: whole(frontNamed("LangChain")),
    "the OpenAI Agents SDK": whole(frontNamed("the OpenAI Agents SDK")),
    "a server of MCP": whole(frontNamed("a server of MCP")),
    "the Claude Agent SDK": {
      before: frontNamed("the Claude Agent SDK"),
      after: async ({ tool, args }, at, session) => {
        const hooks = hooksFrom({ manager: at.manager(), session: { sessionId: session } });
        const [matcher] = claudeAgentHooks(hooks).PostToolUse;
        const input = {
          hook_event_name: "PostToolUse",
          session_id: session,
          cwd: at.root,
          tool_name: tool,
          tool_input: args,
          tool_response: "done",
        };
        return matcher.hooks[0](input, undefined, { signal: new AbortController().signal });
      },
    },
  },
  "`HooksManager` before `load()`, `hooksFrom({ executor })`": {
    "HooksManager before load": {
      first: RECORDING,
      before: async ({ tool, args }, at, session) => {
        const data = { tool_name: tool, tool_args: args };
        return ofDecision(await ownManager(at).decide({ sessionId: session }, "PreToolUse", data, { canAsk: true }));
      },
      after: (call, at, session) => emitted(ownManager(at), call, session),
    },
    "hooksFrom({ executor })": ofItsOwn(({ tool, args }, at, session) => {
      const hooks = hooksFrom({ executor: ownExecutor(at), sessionId: session, cwd: at.root, onAsk: () => false });
      return ran(args, (act) => guardFunction(hooks, tool, act)(args));
    }),
  },
  "`ToolExecutor`": {
    ToolExecutor: ofItsOwn(({ tool, args }, at, sessionId) =>
      ran(args, async (act) => {
        const executor = new ToolExecutor({ executor: ownExecutor(at) });
        try {
          await executor.execute({ name: tool, execute: act }, args, { sessionId, cwd: at.root });
        } catch (error) {
          throw error instanceof HookBlockedError ? new ToolDeniedError(error.decision) : error;
        }
      }),
    ),
  },
  "`HookExecutor`, `fireEvent`": {
    HookExecutor: {
      first: RECORDING,
      before: async (call, at, session) => ofDecision(await ownExecutor(at).decide(eventOf(call, at, session))),
      after: (call, at, session) => ownExecutor(at).decide(endOf(call, at, session)),
    },
    fireEvent: {
      first: RECORDING,
      before: async (call, at, session) => {
        const results = await fireEvent(eventOf(call, at, session), { executor: ownExecutor(at) });
        const denial = results.find(({ action }) => action === "deny");
        return { action: denial?.action ?? "continue", reason: denial?.reason ?? "" } as Verdict;
      },
      after: (call, at, session) => fireEvent(endOf(call, at, session), { executor: ownExecutor(at) }),
    },
  },
};

function frontNamed(name: string): Front {
  const front = FRONTS[name];
  if (front === undefined) throw new Error(`no front is called ${name}`);
  return front;
}

/** A front that runs the tool itself: a call is before and after in one. */
function whole(before: Front): WayIn {
  return { before, after: before };
}

/** The same without a configuration: it records nothing. */
function ofItsOwn(before: Front): WayIn {
  return { ...whole(before), first: RECORDING };
}

function run(agent: "claude-code" | "json", { tool, args }: MadeCall, at: World, session: string): Promise<unknown> {
  const common = { session_id: session, cwd: at.root, tool_name: tool };
  const payload =
    agent === "json"
      ? { ...common, type: "tool:post_execute", data: { tool_args: args, tool_result: "done" } }
      : { ...common, hook_event_name: "PostToolUse", tool_input: args, tool_response: "done" };
  return answer({ text: JSON.stringify(payload), agent }, { cwd: at.root, env: at.env });
}

function emitted(manager: HooksManager, { tool, args }: MadeCall, sessionId: string): Promise<unknown> {
  return manager.emit({ sessionId }, "tool:post_execute", { tool_name: tool, tool_args: args, tool_result: "done" });
}

/** A program with the hooks of the world's files, and with guards where the world has some, as hooks of its own. */
function ownHooks(at: World) {
  const { hooks } = loadLayers(at.root);
  return at.hasUndo ? [...hooks, ...guardHooks("standard")] : hooks;
}

function ownManager(at: World): HooksManager {
  const manager = new HooksManager({ root: at.root });
  manager.hooksConfig = { hooks: ownHooks(at) };
  return manager;
}

function ownExecutor(at: World): HookExecutor {
  const registry = new HookRegistry();
  registry.loadHooks(ownHooks(at));
  return new HookExecutor({ registry, workingDir: at.root });
}

function eventOf({ tool, args }: MadeCall, { root }: World, sessionId: string): HookEvent {
  return HookEvent.toolPreExecute(tool, args, { cwd: root, sessionId });
}

function endOf({ tool, args }: MadeCall, { root }: World, sessionId: string): HookEvent {
  return HookEvent.toolPostExecute(tool, args, "done", { cwd: root, sessionId });
}
