import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Power, Reply } from "./adapter.ts";
import { decode, decodeTool, hookEventName, shellCanary, withContext } from "./claude-family.ts";
import { objectAt, type Payload, textAt } from "./payload.ts";
import { aroundFile, mcpServers } from "./recipe.ts";

const NO_STOP = "Kiro continues whatever a hook answers here";
const FAILED = "it comes as the hook event after a tool, with `success: false`";

/** Kiro's editor and the third version of its command write the names with a capital, older commands without. */
const HOOK_EVENTS = once(
  () =>
    ({
      SessionStart: row("session:start", ["context"], contextText),
      UserPromptSubmit: row("user:prompt_submit", ["context"], promptText, { note: NO_STOP }),
      PreToolUse: tool("tool:pre_execute", ["deny"], exitTwo),
      PostToolUse: tool("tool:post_execute"),
      "PostToolUse.error": { ...tool("tool:error"), decode: decodeFailed, installed: "never", note: FAILED },
      Stop: row("session:stop", [], silent, { note: NO_STOP }),
      PostFileSave: row("file:changed", [], silent, { installed: "if matched" }),
      PostFileCreate: row("file:changed", [], silent, { installed: "if matched" }),
      PostFileDelete: row("file:changed", [], silent, { installed: "if matched" }),
      PreTaskExec: row("task:start", [], silent, { installed: "if matched" }),
      PostTaskExec: row("task:completed", [], silent, { installed: "if matched", note: NO_STOP }),
      agentSpawn: row("session:start", ["context"], contextText, { installed: "never" }),
      userPromptSubmit: row("user:prompt_submit", ["context"], promptText, { installed: "never", note: NO_STOP }),
      preToolUse: tool("tool:pre_execute", ["deny"], exitTwo, { installed: "never" }),
      postToolUse: tool("tool:post_execute", [], silent, { installed: "never" }),
      "postToolUse.error": { ...tool("tool:error"), decode: decodeFailed, installed: "never", note: FAILED },
      stop: row("session:stop", [], silent, { installed: "never", note: NO_STOP }),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Kiro: an exit code stops a tool, plain text on standard output is context, and JSON is never read. */
export const kiro: Adapter = {
  id: "kiro",
  title: "Kiro",
  docs: "https://kiro.dev/docs/hooks",
  version: "1.0",
  program: "kiro-cli",
  recognises,
  hookEventOf: (payload) => {
    const name = hookEventName(payload);
    const failed = objectAt(payload, "tool_response").success === false ? `${name}.error` : "";
    return Object.hasOwn(HOOK_EVENTS(), failed) ? failed : name;
  },
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 60,
  recipe: {
    kind: "files",
    files: (_scope, wanted) => {
      const hooks = wanted.map(({ hookEvent, command, seconds, matcher }) => ({
        name: `sluice-${hookEvent}`,
        trigger: hookEvent,
        ...(matcher === undefined ? {} : { matcher }),
        action: { type: "command", command },
        timeout: seconds,
        enabled: true,
      }));
      return [{ path: ".kiro/hooks/sluice.json", text: `${JSON.stringify({ version: "v1", hooks }, null, 2)}\n` }];
    },
    mcp: mcpServers({ user: ".kiro/settings/mcp.json", project: ".kiro/settings/mcp.json" }),
    traces: [".kiro"],
    projectDir: aroundFile(".kiro/hooks/sluice.json"),
    anyShell: true,
    afterwards: {
      user: "Kiro's command before its third version reads hooks from `.kiro/agents/*.json` only; name `sluice run kiro` there.",
    },
  },
  canary: shellCanary("execute_bash"),
  limits: [
    "Only tools can be stopped: prompts, tasks and the end of a turn continue whatever a hook answers.",
    "The user cannot be asked and no input can be changed: both are denials.",
    "A hook that crashes or takes too long lets the tool run; Sluice answers before that time is over.",
    "Hooks that a person starts by hand (the trigger Manual) are not Sluice's.",
  ],
  quirks: [
    {
      behaviour: "a payload does not contain its session",
      answer: "events have no session unless a later version sends one",
    },
    {
      behaviour: "tools of MCP servers are called @server/tool",
      answer: "hooks see mcp__server__tool, because @ begins a kind of tools",
    },
  ],
};

function row(
  as: AgentHookEvent["as"],
  can: readonly Power[] = [],
  encode = silent,
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode, encode, ...more };
}

function tool(
  as: AgentHookEvent["as"],
  can: readonly Power[] = [],
  encode = silent,
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode: decodeCall, encode, ...more };
}

function silent(_said: FittedDecision): Reply {
  return {};
}

function exitTwo(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? { exitCode: 2, stderr: withContext(outcome) } : {};
}

function contextText({ context }: FittedDecision): Reply {
  return context === "" ? {} : { stdout: context };
}

/** A denied prompt continues; what Kiro does with the exit code depends on its version, but the model gets the reason. */
function promptText(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? exitTwo(outcome) : contextText(outcome);
}

function decodeCall(payload: Payload): Decoded {
  const { toolName = "", ...rest } = decodeTool(payload);
  const [, server, name] = /^@([^/]+)\/(.+)$/.exec(toolName) ?? [];
  return { ...rest, toolName: server === undefined ? toolName : `mcp__${server}__${name}` };
}

function decodeFailed(payload: Payload): Decoded {
  const { data, ...rest } = decodeCall(payload);
  const { result } = objectAt(payload, "tool_response");
  return { ...rest, data: { ...data, error: typeof result === "string" ? result : JSON.stringify(result ?? null) } };
}

/** Its older names are its own; the newer ones are Claude Code's, without a session and with other tools. */
function recognises(payload: Payload): boolean {
  const name = hookEventName(payload) ?? "";
  if (!Object.hasOwn(HOOK_EVENTS(), name)) return false;
  if (/^[a-z]|^PostFile|TaskExec$/.test(name)) return true;
  if ("session_id" in payload || "transcript_path" in payload) return false;
  const toolName = textAt(payload, "tool_name");
  return toolName === undefined ? "cwd" in payload : /^(?:@|(?!mcp__)[a-z])/.test(toolName);
}
