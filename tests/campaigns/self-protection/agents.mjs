// How six agents send a call, and whether what they were answered stops it.

const SHELL_TOOLS = { "gemini-cli": "run_shell_command", copilot: "bash", opencode: "bash" };

/** One call of each agent: `{ command }`, `{ write, content }`, `{ edit, from, to }`, `{ patch }`, `{ read }` or `{ mcp, input }`. */
export const AGENTS = {
  "claude-code": (call, at) => claude(call, at, "PreToolUse"),
  codex: (call, at) => claude(call, at, "PreToolUse"),
  "gemini-cli": (call, at) => claude(call, at, "BeforeTool", geminiTool),
  cursor: (call, at) => {
    const common = {
      conversation_id: at.session,
      session_id: at.session,
      cursor_version: "1.0.32",
      workspace_roots: [at.root],
    };
    if (call.command !== undefined)
      return { ...common, hook_event_name: "beforeShellExecution", command: call.command, cwd: at.root };
    if (call.mcp !== undefined)
      return {
        ...common,
        hook_event_name: "beforeMCPExecution",
        tool_name: call.mcp,
        mcp_server_name: "server",
        tool_input: JSON.stringify(call.input),
      };
    const [tool_name, tool_input] = claudeTool(call);
    return { ...common, hook_event_name: "preToolUse", tool_name, tool_input, cwd: at.root };
  },
  copilot: (call, at) => {
    const [toolName, toolArgs] = lowerTool(call, "copilot", "server-");
    return { sessionId: at.session, timestamp: 1794702954660, cwd: at.root, toolName, toolArgs };
  },
  opencode: (call, at) => {
    const [tool, args] = lowerTool(call, "opencode", "server_");
    return {
      hook: "tool.execute.before",
      input: { tool, sessionID: at.session, callID: "call" },
      output: { args },
      cwd: at.root,
    };
  },
};

/** What stands after `sluice run`. */
export const WORDS = { copilot: ["copilot", "--moment", "preToolUse"] };

function claude(call, at, hook_event_name, toolOf = claudeTool) {
  const [tool_name, tool_input] = toolOf(call);
  return { session_id: at.session, cwd: at.root, hook_event_name, tool_name, tool_input };
}

function claudeTool(call) {
  if (call.command !== undefined) return ["Bash", { command: call.command }];
  if (call.write !== undefined) return ["Write", { file_path: call.write, content: call.content ?? "x" }];
  if (call.edit !== undefined)
    return ["Edit", { file_path: call.edit, old_string: call.from ?? "a", new_string: call.to ?? "b" }];
  if (call.patch !== undefined) return ["apply_patch", { command: call.patch }];
  if (call.read !== undefined) return ["Read", { file_path: call.read }];
  return [`mcp__server__${call.mcp}`, call.input];
}

function geminiTool(call) {
  if (call.command !== undefined) return ["run_shell_command", { command: call.command }];
  if (call.write !== undefined) return ["write_file", { file_path: call.write, content: call.content ?? "x" }];
  if (call.edit !== undefined)
    return ["replace", { file_path: call.edit, old_string: call.from ?? "a", new_string: call.to ?? "b" }];
  if (call.patch !== undefined) return ["apply_patch", { input: call.patch }];
  if (call.read !== undefined) return ["read_file", { file_path: call.read }];
  return [`mcp_server_${call.mcp}`, call.input];
}

function lowerTool(call, agent, prefix) {
  if (call.command !== undefined) return [SHELL_TOOLS[agent], { command: call.command, description: "w" }];
  const path = agent === "copilot" ? "path" : "filePath";
  if (call.write !== undefined)
    return agent === "copilot"
      ? ["create", { path: call.write, file_text: call.content ?? "x" }]
      : ["write", { filePath: call.write, content: call.content ?? "x" }];
  if (call.edit !== undefined)
    return agent === "copilot"
      ? ["edit", { path: call.edit, old_str: call.from ?? "a", new_str: call.to ?? "b" }]
      : ["edit", { filePath: call.edit, oldString: call.from ?? "a", newString: call.to ?? "b" }];
  if (call.patch !== undefined)
    return agent === "copilot" ? ["apply_patch", { input: call.patch }] : ["patch", { patchText: call.patch }];
  if (call.read !== undefined) return [agent === "copilot" ? "view" : "read", { [path]: call.read }];
  return [`${prefix}${call.mcp}`, call.input];
}

/** Whether this answer keeps the call from running before a person said yes. */
export function isStopped({ status, stdout, stderr }) {
  if (status === 2) return true;
  if (status !== 0) throw new Error(`sluice ended with ${status}: ${stdout}${stderr}`);
  const text = stdout.trim();
  if (text === "") return false;
  const said = JSON.parse(text);
  const words = [
    said.hookSpecificOutput?.permissionDecision,
    said.permissionDecision,
    said.permission,
    said.decision,
    said.hookSpecificOutput?.decision?.behavior,
    said.action,
    said.deny !== undefined ? "deny" : undefined,
    said.continue === false ? "deny" : undefined,
  ];
  return words.some((word) => ["deny", "ask", "block"].includes(word));
}
