import { claudeLike, named, type Payloads, spelledTwice, TIME } from "./form.ts";

const SWITCH = { from_model: "a", to_model: "b", requested_model: "b", source: "command", context_tokens: 5 };

/** Agents that speak as Claude Code does, with accents. */
export const RELATIVES: Readonly<Record<string, Payloads>> = {
  "claude-code": claudeLike(
    { transcript_path: "/home/dev/.claude/projects/p/s-1.jsonl", permission_mode: "default" },
    {
      PermissionRequest: { tool_name: "Bash", tool_input: { command: "npm test", description: "tests" } },
      PermissionDenied: { tool_name: "Bash", tool_input: { command: "rm a" }, tool_use_id: "t", reason: "classifier" },
      "PreToolUse.mcp": {
        tool_name: "mcp__db__query",
        tool_input: { sql: "x" },
        mcp_server: { name: "db", source: "user" },
      },
      PreModelSwitch: SWITCH,
      Notification: { message: "waits", notification_type: "idle_prompt" },
      TeammateIdle: { teammate_name: "a", team_name: "b" },
      Elicitation: { mcp_server_name: "db", message: "which?", mode: "form" },
      ElicitationResult: { mcp_server_name: "db", action: "accept", content: { a: 1 } },
      WorktreeCreate: { name: "w" },
      WorktreeRemove: { worktree_path: "/home/dev/w" },
      DirectoryAdded: { directory: "/home/dev/other", source: "slash_command" },
    },
  ),
  grok: claudeLike(
    { hookEventName: "x", workspaceRoot: "/home/dev/project", permission_mode: "default", timestamp: TIME },
    {
      PermissionDenied: { tool_name: "run_terminal_command", tool_input: { command: "rm a" }, reason: "policy" },
      StopFailure: { error: "rate_limit", errorDetails: "too many requests" },
      StopCancelled: { reason: "user_interrupt" },
      PreCompact: { trigger: "auto" },
      PostCompact: { trigger: "auto" },
    },
  ),
  codex: claudeLike(
    { turn_id: "t-1", model: "gpt-5", transcript_path: null, permission_mode: "default" },
    {
      PermissionRequest: { tool_name: "Bash", tool_input: { command: "npm test" } },
      "PreToolUse.mcp": { tool_name: "mcp__db__query", tool_input: { sql: "x", limit: 3 }, tool_use_id: "c" },
      Interrupt: {},
    },
  ),
  "gemini-cli": claudeLike(
    { timestamp: TIME, transcript_path: "/home/dev/.gemini/tmp/c.jsonl" },
    {
      Notification: { notification_type: "ToolPermission", message: "may I?", details: { type: "exec" } },
    },
  ),
  "qwen-code": claudeLike(
    { timestamp: TIME, permission_mode: "default", transcript_path: "/home/dev/.qwen/c.jsonl" },
    {
      SessionStart: { source: "startup", model: "qwen3" },
      InstructionsLoaded: { file_path: "/home/dev/project/QWEN.md", memory_type: "project", load_reason: "start" },
      "UserPromptSubmit.continued": { prompt: "" },
      UserPromptExpansion: { expansion_type: "slash_command", command_name: "x", command_args: "", prompt: "/x" },
      PermissionRequest: { tool_name: "run_shell_command", tool_input: { command: "npm test" } },
      PermissionDenied: { tool_name: "run_shell_command", tool_input: { command: "npm test" }, reason: "no" },
      PostToolBatch: { tool_calls: [{ tool_name: "read_file", tool_input: {} }] },
      StopFailure: { error: "rate_limit", error_details: "wait" },
      SubagentStart: { agent_id: "a", agent_type: "general" },
      SubagentStop: { agent_id: "a", agent_type: "general", stop_hook_active: false },
      TodoCreated: { phase: "validation", todo: "write" },
      TodoCompleted: { phase: "validation", todo: "write" },
      PreCompact: { trigger: "auto" },
      PostCompact: { trigger: "auto", compact_summary: "short" },
      MessageDisplay: { displayed_text: "hello", is_final: true },
      SessionDelete: { reason: "user" },
      SessionEnd: { reason: "exit" },
    },
  ),
  droid: claudeLike(
    { permission_mode: "auto-low", transcript_path: "/home/dev/.factory/s.jsonl" },
    {
      SessionStart: { source: "startup" },
      UserPromptSubmit: { prompt: "do it", has_images: false, message_id: "m" },
      PreToolUse: { tool_name: "Execute", tool_input: { command: "rm a", timeout: 5 } },
      "PreToolUse.file": { tool_name: "Create", tool_input: { file_path: "/home/dev/project/a", content: "x" } },
      PostToolUse: { tool_name: "Execute", tool_input: { command: "ls" }, tool_response: "a" },
      Notification: { message: "waits", notification_type: "idle" },
      Stop: { stop_hook_active: false, tool_execution_count: 3, elapsed_time: 12 },
      SubagentStop: { task_name: "look", task_result: "found" },
      PreCompact: { trigger: "auto", custom_instructions: "", message_count: 3, estimated_tokens: 100 },
      SessionEnd: { reason: "exit" },
    },
  ),
  vscode: claudeLike(
    { timestamp: TIME, transcript_path: "/home/dev/.config/Code/chat.jsonl" },
    {
      SessionStart: { source: "new" },
      UserPromptSubmit: { prompt: "do it" },
      PreToolUse: {
        tool_name: "run_in_terminal",
        tool_input: { command: "rm a", isBackground: false },
        tool_use_id: "t",
      },
      "PreToolUse.file": { tool_name: "create_file", tool_input: { filePath: "/home/dev/project/a", content: "x" } },
      PostToolUse: {
        tool_name: "run_in_terminal",
        tool_input: { command: "ls" },
        tool_response: "a",
        tool_use_id: "t",
      },
      PreCompact: { trigger: "auto" },
      SubagentStart: { agent_id: "a", agent_type: "Plan" },
      SubagentStop: { agent_id: "a", agent_type: "Plan", stop_hook_active: false },
      Stop: { stop_hook_active: false },
    },
  ),
  auggie: named({ conversation_id: "c-1", workspace_roots: ["/home/dev/project"] }, "hook_event_name", {
    SessionStart: {},
    PromptSubmit: { user_prompt: "do it" },
    PreToolUse: {
      tool_name: "launch-process",
      tool_input: { command: "rm a", cwd: "/home/dev/project" },
      is_mcp_tool: false,
    },
    PostToolUse: { tool_name: "view", tool_input: { path: "a" }, tool_output: "x", file_changes: [] },
    "PostToolUse.failed": { tool_name: "view", tool_input: { path: "a" }, tool_error: "no such file" },
    Stop: { agent_stop_cause: "end_turn" },
    Notification: { notification_message: "waits", notification_type: "idle" },
    SessionEnd: { reason: "exit" },
  }),
  kiro: named({ cwd: "/home/dev/project" }, "hook_event_name", {
    ...spelledTwice({
      UserPromptSubmit: { prompt: "do it" },
      PreToolUse: { tool_name: "execute_bash", tool_input: { command: "rm a" } },
      PostToolUse: { tool_name: "fs_read", tool_input: { path: "a" }, tool_response: { success: true, result: ["x"] } },
      "PostToolUse.failed": { tool_name: "fs_read", tool_input: {}, tool_response: { success: false, result: ["no"] } },
      Stop: {},
    }),
    SessionStart: {},
    agentSpawn: {},
    "PreToolUse.mcp": { tool_name: "@git/status", tool_input: { path: "." } },
    PostFileSave: { file_path: "a" },
    PostFileCreate: { file_path: "a" },
    PostFileDelete: { file_path: "a" },
    PreTaskExec: { task: "1" },
    PostTaskExec: { task: "1" },
  }),
};
