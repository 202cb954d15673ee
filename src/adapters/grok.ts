import { isSame } from "../decision/patch.ts";
import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Reply } from "./adapter.ts";
import {
  blockOrTell,
  contextOnly,
  dated,
  decodeStopFailure,
  decodeTool,
  groupedEntry,
  hookEvent,
  hookEventName,
  postToolUse,
  preToolUse,
  promptHookEvent,
  shellCanary,
  silent,
  withContext,
} from "./claude-family.ts";
import { mcpToolName, type Payload, textAt, Unreadable } from "./payload.ts";
import { inVariable } from "./recipe.ts";

const SAME_HOOK = { installed: "never" } as const;

const HOOK_EVENTS = once(() =>
  dated({
    SessionStart: hookEvent("session:start", [], silent),
    UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny"], blockOrTell),
    "UserPromptSubmit.subagent": hookEvent("session:message", [], silent, {
      ...SAME_HOOK,
      note: "it comes as UserPromptSubmit with the type of a sub-agent: the agent's own words to it",
    }),
    PreToolUse: tool("tool:pre_execute", ["deny", "modify", "context"], gate, {
      note: "Grok cuts an input of more than 128 kB before it sends it, so such a call is denied",
    }),
    PermissionDenied: tool("permission:denied", [], silent, { installed: "if matched" }),
    PostToolUse: tool("tool:post_execute", ["feedback", "context"], postToolUse, {
      note: "a shell command that fails comes here too",
    }),
    PostToolUseFailure: tool("tool:error", ["context"], contextOnly),
    Stop: hookEvent("session:stop", ["deny"], blockOrTell),
    "Stop.session": hookEvent("session:notification", [], silent, {
      ...SAME_HOOK,
      note: "it comes as Stop a second time, when the session ends; its answer is not read",
    }),
    StopFailure: hookEvent("session:error", [], silent, { decode: decodeStopFailure }),
    StopCancelled: hookEvent("user:interrupt", [], silent),
    SubagentStart: hookEvent("subagent:start", [], silent, { note: "a denied sub-agent starts all the same" }),
    SubagentStop: hookEvent("subagent:stop", ["deny"], blockOrTell),
    Notification: hookEvent("session:notification", [], silent),
    PreCompact: hookEvent("session:pre_compact", [], silent),
    PostCompact: hookEvent("session:post_compact", [], silent),
    SessionEnd: hookEvent("session:end", [], silent),
  } as const satisfies Record<string, AgentHookEvent>),
);

/** Grok: Claude's wire, with every field in two spellings; it reads the settings of other agents as well. */
export const grok: Adapter = {
  id: "grok",
  title: "Grok",
  fileKeys: ["content", "new_string", "old_string", "file_path"],
  docs: "https://www.npmjs.com/package/@xai-official/grok",
  version: "1.0.41",
  proven: { version: "1.0.41", date: "2026-11-18" },
  program: "grok",
  recognises: (payload) => "hookEventName" in payload && "hook_event_name" in payload && "workspaceRoot" in payload,
  hookEventOf: (payload) => {
    const name = hookEventName(payload);
    if (name === "UserPromptSubmit" && textAt(payload, "subagentType") !== undefined) return `${name}.subagent`;
    // Every Stop but the one of the session's end belongs to a turn.
    return name === "Stop" && textAt(payload, "promptId") === undefined ? `${name}.session` : name;
  },
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  projectVariables: ["GROK_WORKSPACE_ROOT"],
  projectOf: (payload) => textAt(payload, "workspaceRoot"),
  alsoReads: [".claude/settings.json", ".cursor/hooks.json"],
  recipe: {
    kind: "entries",
    files: { user: ".grok/hooks/sluice.json", project: ".grok/hooks/sluice.json" },
    entry: groupedEntry,
    mcp: {
      files: { user: ".grok/config.toml", project: ".grok/config.toml" },
      at: ["mcp_servers"],
      server: ([command, ...args]) => ({ command, args }),
    },
    traces: [".grok"],
    projectDir: inVariable("GROK_WORKSPACE_ROOT"),
    afterwards: {
      project: "Grok runs a project's hooks only in a git repository that you have trusted: type `/hooks-trust` in it.",
    },
  },
  canary: shellCanary("run_terminal_command", { hookEventName: "pre_tool_use", workspaceRoot: "/" }),
  escapes: {
    variables: ["GROK_HOME"],
    files: { user: [".grok/config.toml", ".grok/disabled-hooks", ".grok/trusted_folders.toml"] },
    machine: ["/etc/grok"],
  },
  marks: ["GROK_AGENT"],
  limits: [
    "A question is answered without a person in the always-approve mode: what needs approval is denied.",
    "A hook that crashes or takes too long lets the tool run; Sluice answers before the time limit.",
    "An input of more than 128 kB is cut before hooks see it, so the call is denied.",
    "A denied sub-agent starts all the same; its tools are denied one by one.",
    "A hook can be switched off by name in `.grok/disabled-hooks`, and an administrator can allow managed hooks only.",
  ],
  quirks: [
    {
      behaviour: "a hook's `ask` is approved without a person under `--always-approve`",
      answer: "what needs approval is denied",
      fixture: "grok/Notification.permission_prompt.json",
    },
    {
      behaviour: "a tool of an MCP server is named `server__tool`, and its input is under `tool_input` of the input",
      answer: "both are translated, and a change is wrapped again",
      fixture: "grok/PreToolUse.marker__mark.json",
    },
    {
      behaviour: "a line with a variable inside of single quotes does not run, and the tool runs",
      answer: "the line is not wrapped in another shell",
    },
    {
      behaviour: "a session that ends sends a second Stop",
      answer: "it is not reported to hooks as a stop",
      fixture: "grok/Stop.shutdown.json",
    },
  ],
};

function tool(
  as: AgentHookEvent["as"],
  can: AgentHookEvent["can"],
  encode: AgentHookEvent["encode"],
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode: decodeCall, encode, ...more };
}

function decodeCall(payload: Payload): Decoded {
  if (payload.toolInputTruncated === true)
    throw new Unreadable("Grok has cut the input of this call, which is larger than 128 kB; make it in smaller parts");
  for (const [own, claudes] of [
    ["toolName", "tool_name"],
    ["toolInput", "tool_input"],
  ] as const)
    if (payload[own] !== undefined && !isSame(payload[own], payload[claudes]))
      throw new Unreadable(`\`${own}\` and \`${claudes}\` differ, and have to be the same`);
  const { toolName = "", data, ...where } = decodeTool(payload);
  const name = mcpToolName(toolName);
  if (name === toolName && toolName !== "use_tool") return { ...where, toolName, data };
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  if (input.tool_input_file !== undefined || input.file !== undefined)
    throw new Unreadable("Grok takes the input of this call from a file, which may change; give it in `tool_input`");
  return { ...where, toolName: name, data: { ...data, tool_args: innerInput(input) ?? data.tool_args } };
}

/** The input of an MCP tool, which Grok calls through a tool of its own. */
function innerInput(input: unknown): unknown {
  return isObject(input) && isObject(input.tool_input) ? input.tool_input : undefined;
}

/** A denial drops the message for the model, so it is added to the reason. */
function gate(outcome: FittedDecision, payload: Payload): Reply {
  const { tool_input: original } = payload;
  const isWrapped = outcome.input !== undefined && innerInput(original) !== undefined;
  const input = isWrapped ? { ...Object(original), tool_input: outcome.input } : outcome.input;
  const denied = outcome.action === "deny" ? { reason: withContext(outcome), context: "" } : {};
  return preToolUse({ ...outcome, ...denied, ...(input === undefined ? {} : { input }) }, payload);
}
