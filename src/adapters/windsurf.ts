import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Reply } from "./adapter.ts";
import { withContext } from "./claude-family.ts";
import { needObject, needText, objectAt, type Payload, textAt, without } from "./payload.ts";
import { aroundFile, mcpServers } from "./recipe.ts";
import { ourInput } from "./shell-input.ts";

const HOOK_EVENTS = once(
  () =>
    ({
      pre_user_prompt: {
        ...gate("user:prompt_submit"),
        decode: (payload) => where(payload, { prompt: needText(needObject(payload, "tool_info"), "user_prompt") }),
      },
      pre_read_code: { ...gate("tool:pre_execute"), decode: (payload) => call(payload, "read_code", "file_path") },
      pre_write_code: { ...gate("tool:pre_execute"), decode: (payload) => call(payload, "write_code", "file_path") },
      pre_run_command: {
        ...gate("tool:pre_execute"),
        decode: (payload) => call(payload, "run_command", "command_line"),
      },
      pre_mcp_tool_use: { ...gate("tool:pre_execute"), decode: mcpCall },
      post_read_code: { ...note("tool:post_execute"), decode: (payload) => call(payload, "read_code", "file_path") },
      post_write_code: { ...note("tool:post_execute"), decode: (payload) => call(payload, "write_code", "file_path") },
      post_run_command: {
        ...note("tool:post_execute"),
        decode: (payload) => call(payload, "run_command", "command_line"),
      },
      post_mcp_tool_use: { ...note("tool:post_execute"), decode: mcpCall },
      post_cascade_response: note("session:stop"),
      post_cascade_response_with_transcript: {
        ...note("session:stop"),
        installed: "never",
        note: "it would be reported twice: post_cascade_response fires for it as well",
      },
      post_setup_worktree: { ...note("session:setup"), installed: "if matched" },
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Windsurf's Cascade: one exit code, and nothing else is ever read. */
export const windsurf: Adapter = {
  id: "windsurf",
  title: "Windsurf",
  docs: "https://docs.windsurf.com/windsurf/cascade/hooks",
  version: "2026-11",
  recognises: (payload) => "agent_action_name" in payload,
  hookEventOf: (payload) => textAt(payload, "agent_action_name"),
  nameKeys: ["agent_action_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 60,
  recipe: {
    kind: "entries",
    files: { user: ".codeium/windsurf/hooks.json", project: ".windsurf/hooks.json" },
    entry: ({ hookEvent, command }) => ({ at: ["hooks", hookEvent], value: { command, show_output: true } }),
    mcp: mcpServers({ user: ".codeium/windsurf/mcp_config.json" }),
    traces: [".codeium/windsurf", ".windsurf"],
    projectDir: aroundFile(".windsurf/hooks.json"),
    anyShell: true,
  },
  canary: {
    hookEvent: "pre_run_command",
    payload: (command, cwd) => ({
      agent_action_name: "pre_run_command",
      trajectory_id: "sluice-doctor",
      tool_info: { command_line: command, cwd },
    }),
  },
  limits: [
    "The user cannot be asked and no input can be changed: both are denials.",
    "A message for the model is not accepted; it comes with a denial only.",
    "The end of a turn cannot be stopped.",
    "A hook that crashes lets the call pass, and no time limit can be set.",
    "Results of commands and edits are not reported to hooks.",
  ],
  quirks: [
    {
      behaviour: "standard output is shown and never read",
      answer: "a denial is exit code 2 with its reason on standard error",
    },
  ],
};

function gate(as: AgentHookEvent["as"]): Pick<AgentHookEvent, "as" | "can" | "encode"> {
  return { as, can: ["deny"], encode: exitTwo };
}

function note(as: AgentHookEvent["as"]): AgentHookEvent {
  return { as, can: [], encode: () => ({}), decode: (payload) => where(payload, objectAt(payload, "tool_info")) };
}

/** What is printed is shown to the user; the agent reads none of it. */
function exitTwo(outcome: FittedDecision): Reply {
  if (outcome.action === "deny") return { exitCode: 2, stderr: withContext(outcome) };
  return outcome.context === "" ? {} : { stdout: outcome.context };
}

/** What a tool was given, without what it gave back. */
function call(payload: Payload, toolName: string, needed: string): Decoded {
  const info = needObject(payload, "tool_info");
  needText(info, needed);
  return { ...where(payload, { tool_args: ourInput(toolName, info) }), toolName };
}

function mcpCall(payload: Payload): Decoded {
  const info = needObject(payload, "tool_info");
  const toolName = `mcp__${textAt(info, "mcp_server_name") ?? ""}__${needText(info, "mcp_tool_name")}`;
  const result = info.mcp_result === undefined ? {} : { tool_result: info.mcp_result };
  return { ...where(payload, { tool_args: info.mcp_tool_arguments ?? {}, ...result }), toolName };
}

function where(payload: Payload, data: Payload): Decoded {
  return {
    sessionId: textAt(payload, "trajectory_id"),
    cwd: textAt(objectAt(payload, "tool_info"), "cwd"),
    data: { ...without(payload, "agent_action_name", "trajectory_id", "tool_info"), ...data },
  };
}
