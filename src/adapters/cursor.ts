import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Power, Reply } from "./adapter.ts";
import { withContext } from "./claude-family.ts";
import { needObject, needString, needText, type Payload, parsed, textAt, without } from "./payload.ts";
import { inVariable, mcpServers } from "./recipe.ts";
import { ourInput, theirInput } from "./shell-input.ts";

const TWICE = "it would be reported twice: preToolUse or postToolUse fire for it as well";
const LIMITS = { maxContext: 10_000 } as const;

const HOOK_EVENTS = once(
  () =>
    ({
      sessionStart: note("session:start", ["context"], context, LIMITS),
      sessionEnd: note("session:end"),
      beforeSubmitPrompt: note("user:prompt_submit", ["deny", "context"], prompt, { ...LIMITS, decode: decodePrompt }),
      preToolUse: {
        ...tool("tool:pre_execute", ["deny", "modify", "context"], preToolUse, LIMITS),
        matcher: "^(?!Shell$|MCP:)",
        note: "shell commands and MCP tools have hook events of their own, where the user can be asked",
      },
      beforeShellExecution: {
        ...tool("tool:pre_execute", ["deny", "ask", "approve"], permission),
        decode: (payload) =>
          call(payload, "Shell", { command: needText(payload, "command"), ...picked(payload, "cwd", "sandbox") }),
      },
      beforeMCPExecution: {
        ...tool("tool:pre_execute", ["deny", "ask", "approve"], permission),
        decode: (payload) => call(payload, mcpName(payload), mcpInput(payload)),
      },
      beforeReadFile: { ...readGate(), installed: "never", note: TWICE },
      beforeTabFileRead: { ...readGate(), installed: "if matched", note: "completions read files without an agent" },
      postToolUse: tool("tool:post_execute", ["context"], context, LIMITS),
      postToolUseFailure: tool("tool:error", ["context"], context, LIMITS),
      afterShellExecution: {
        ...tool("tool:post_execute", [], nothing, { installed: "never", note: TWICE }),
        decode: (payload) =>
          call(payload, "Shell", { command: needText(payload, "command"), ...picked(payload, "cwd") }, payload.output),
      },
      afterMCPExecution: {
        ...tool("tool:post_execute", [], nothing, { installed: "never", note: TWICE }),
        decode: (payload) => call(payload, mcpName(payload), mcpInput(payload), parsed(payload.result_json)),
      },
      afterFileEdit: note("file:changed", [], nothing, { installed: "if matched" }),
      afterTabFileEdit: note("file:changed", [], nothing, { installed: "if matched" }),
      afterAgentResponse: note("llm:post_response", [], nothing, { installed: "if matched" }),
      afterAgentThought: note("llm:thought", [], nothing, { installed: "if matched" }),
      stop: note("session:stop", ["deny"], followUp, { note: "after five denials in a row the turn ends anyway" }),
      "stop.error": {
        ...note("session:error", [], nothing, { installed: "never", note: "it comes as stop, with a status" }),
        decode: (payload) => {
          const { data, ...where } = decode(payload);
          const words = textAt(payload, "error_message") ?? "the turn ended with an error";
          return { ...where, data: { ...data, error_type: "error", error_message: words } };
        },
      },
      "stop.aborted": note("user:interrupt", [], nothing, {
        installed: "never",
        note: "it comes as stop, with a status",
      }),
      subagentStart: note("subagent:start", ["deny", "ask"], permission),
      subagentStop: note("subagent:stop", ["deny"], followUp),
      preCompact: note("session:pre_compact", [], (outcome) => ({ stdout: messages(outcome, ["user_message"]) })),
      workspaceOpen: note("session:setup", [], nothing, { installed: "if matched" }),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Cursor: its gates are shut when a hook breaks, so every answer is JSON, even an empty one. */
export const cursor: Adapter = {
  id: "cursor",
  title: "Cursor",
  docs: "https://cursor.com/docs/agent/hooks",
  version: "1.0.32",
  program: "cursor-agent",
  recognises: (payload) => "cursor_version" in payload || OWN_NAMES().test(textAt(payload, "hook_event_name") ?? ""),
  hookEventOf: (payload) => {
    const name = textAt(payload, "hook_event_name");
    const ended = name === "stop" ? `stop.${payload.status}` : "";
    return Object.hasOwn(HOOK_EVENTS(), ended) ? ended : name;
  },
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  projectVariables: ["CURSOR_PROJECT_DIR"],
  projectOf: firstRoot,
  recipe: {
    kind: "entries",
    files: { user: ".cursor/hooks.json", project: ".cursor/hooks.json" },
    needs: { version: 1 },
    entry: ({ hookEvent, command, seconds, matcher }) => ({
      at: ["hooks", hookEvent],
      value: {
        command,
        timeout: seconds,
        ...(matcher === undefined ? {} : { matcher }),
        ...(isShut(hookEvent) ? { failClosed: true } : {}),
      },
    }),
    mcp: mcpServers({ user: ".cursor/mcp.json", project: ".cursor/mcp.json" }, {}, "${workspaceFolder}"),
    traces: [".cursor"],
    projectDir: inVariable("CURSOR_PROJECT_DIR"),
    anyShell: true,
    afterwards: { project: "Cursor runs a project's hooks in trusted workspaces only." },
  },
  alsoReads: [".claude/settings.json"],
  canary: {
    hookEvent: "beforeShellExecution",
    payload: (command, cwd) => ({
      conversation_id: "sluice-doctor",
      hook_event_name: "beforeShellExecution",
      cursor_version: "0",
      workspace_roots: [cwd],
      command,
      cwd,
    }),
  },
  escapes: { machine: ["/etc/cursor", "/Library/Application Support/Cursor"] },
  marks: ["CURSOR_AGENT"],
  limits: [
    "A changed shell command or MCP input is denied: Cursor takes neither.",
    "The user cannot be asked about tools other than the shell, MCP tools and sub-agents; `ask` is a denial there.",
    "A message for the model before a shell command or an MCP tool is not accepted; it comes with a denial only.",
    "Cursor loads Claude Code's settings too: where Sluice is installed for both, each hook fires twice.",
    "Compaction cannot be stopped.",
  ],
  quirks: [
    {
      behaviour: "`ask` from preToolUse is accepted and ignored",
      answer: "it becomes a denial; the shell and MCP tools have hook events where `ask` works",
    },
    {
      behaviour: "one unknown name or entry in hooks.json switches the whole file off",
      answer: "only hook events of this table are written, and `version` is always there",
    },
    {
      behaviour: "a matcher that is not a regular expression matches everything",
      answer: "one matcher is written, and it is one",
    },
    {
      behaviour: "an empty answer is a failure if failClosed is set",
      answer: "every answer is an object, `{}` if there is nothing to report",
    },
  ],
};

function note(
  as: AgentHookEvent["as"],
  can: readonly Power[] = [],
  encode = nothing,
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode, encode, ...more };
}

function tool(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode: decodeTool, encode, ...more };
}

/** Before a file is read there are only yes and no. */
function readGate(): AgentHookEvent {
  return {
    ...tool("tool:pre_execute", ["deny"], permission),
    decode: (payload) =>
      call(payload, "Read", { file_path: needText(payload, "file_path"), ...picked(payload, "content") }),
  };
}

function nothing(_said: FittedDecision, _payload: Payload): Reply {
  return { stdout: {} };
}

function permission(outcome: FittedDecision): Reply {
  const { action, reason, approved } = outcome;
  if (action !== "deny" && action !== "ask") return { stdout: approved ? { permission: "allow" } : {} };
  return { stdout: { permission: action, ...messages(outcome, ["user_message", "agent_message"]) }, stderr: reason };
}

function preToolUse(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny") return permission(outcome);
  const { input } = outcome;
  const updated = input === undefined ? {} : { updated_input: theirInput(payload.tool_input, input) };
  return { stdout: { ...updated, ...Object(context(outcome, payload).stdout) } };
}

function prompt(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action !== "deny") return context(outcome, payload);
  return { stdout: { continue: false, ...messages(outcome, ["user_message"]) }, stderr: outcome.reason };
}

/** What is submitted for the user keeps the agent working. */
function followUp(outcome: FittedDecision): Reply {
  return outcome.action === "deny"
    ? { stdout: { followup_message: withContext(outcome) }, stderr: outcome.reason }
    : nothing(outcome, {});
}

function context({ context }: FittedDecision, _payload: Payload): Reply {
  return { stdout: context === "" ? {} : { additional_context: context } };
}

function messages(outcome: FittedDecision, keys: readonly string[]): object {
  const words = outcome.action === "deny" || outcome.action === "ask" ? withContext(outcome) : outcome.context;
  return words === "" ? {} : Object.fromEntries(keys.map((key) => [key, words]));
}

function decode(payload: Payload): Decoded {
  return {
    sessionId: textAt(payload, "session_id", "conversation_id"),
    cwd: textAt(payload, "cwd") ?? firstRoot(payload),
    data: without(payload, "hook_event_name", "session_id", "cwd"),
  };
}

function decodePrompt(payload: Payload): Decoded {
  needString(payload, "prompt");
  return decode(payload);
}

function decodeTool(payload: Payload): Decoded {
  const output = parsed(payload.tool_output);
  return call(payload, needText(payload, "tool_name"), parsed(payload.tool_input), output);
}

function call(payload: Payload, toolName: string, input: unknown, result?: unknown): Decoded {
  const { data, ...where } = decode(payload);
  // The command of an MCP server is not that of a call.
  const own = toolName === "Shell" ? ["command"] : [];
  const rest = without(data, "tool_name", "tool_input", "tool_output", "output", "result_json", "content", ...own);
  return {
    ...where,
    toolName,
    data: {
      ...rest,
      tool_args: ourInput(toolName, input ?? {}),
      ...(result === undefined ? {} : { tool_result: result }),
      ...(textAt(payload, "error_message") === undefined ? {} : { error: textAt(payload, "error_message") }),
    },
  };
}

/** The server is in a field of its own, and the tool's own name does not show that it belongs to an MCP server. */
function mcpName(payload: Payload): string {
  const name = needText(payload, "tool_name").replace(/^MCP:/, "");
  const server = textAt(payload, "mcp_server_name");
  return server === undefined ? `MCP:${name}` : `mcp__${server}__${name}`;
}

/** It comes as JSON text; what is none cannot be judged. */
function mcpInput(payload: Payload): Payload {
  const input = parsed(payload.tool_input || {});
  return needObject({ tool_input: input }, "tool_input");
}

function picked(payload: Payload, ...keys: readonly string[]): object {
  return Object.fromEntries(keys.filter((key) => payload[key] !== undefined).map((key) => [key, payload[key]]));
}

function firstRoot(payload: Payload): string | undefined {
  const roots: readonly unknown[] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  return roots.find((root): root is string => typeof root === "string" && root !== "");
}

/** Whether a gate stays shut when a hook breaks; at the end of a turn that would keep the agent working for ever. */
function isShut(hookEvent: string): boolean {
  return Object.entries<AgentHookEvent>(HOOK_EVENTS()).some(
    ([name, { can, as }]) => name === hookEvent && can.includes("deny") && !as.endsWith(":stop"),
  );
}

const OWN_NAMES = () =>
  /^(?:before(?:SubmitPrompt|ShellExecution|MCPExecution|ReadFile|TabFileRead)|after(?:ShellExecution|MCPExecution|FileEdit|TabFileEdit|AgentResponse|AgentThought)|workspaceOpen)$/;
