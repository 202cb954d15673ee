import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";

/** OpenCode, headless; hooks reach it through a plugin that Sluice writes. */
export const opencode = {
  id: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  bin: "opencode",
  scope: "project",
  calls: {
    shell: () => ({ name: "bash", input: { command: "touch shell.txt", description: "make a file" } }),
    write: ({ project }) => ({ name: "write", input: { filePath: join(project, "write.txt"), content: "written" } }),
    look: ({ project }) => ({ name: "read", input: { filePath: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "edit",
      input: { filePath: join(project, "edit.txt"), oldString: "before", newString: "after" },
    }),
    read: ({ project }) => ({ name: "read", input: { filePath: join(project, "read.txt") } }),
    failing: () => ({ name: "bash", input: { command: "exit 3", description: "fail" } }),
    agent: () => ({
      name: "task",
      input: { description: "a small task", prompt: "help out", subagent_type: "general" },
    }),
    mcp: () => ({ name: "marker_mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "write", input: { filePath: join(project, file), content: "written" } }),
      (tool, input) => ({ name: `sluice_${tool}`, input }),
    ),
  },
  cannot: {
    "@mcp names an MCP tool": "the names of its MCP tools look like those of its own",
    "a denied sub-agent is told to stop": "hooks only hear of a sub-agent",
    "context of the session reaches the model": "hooks only hear of a session's start",
    "context before a tool reaches the model": "it has no place for words there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
    "a denied stop keeps the agent working": "hooks only hear of the end of a turn",
  },
  prepare() {},
  start({ mcp }, { url, prompt }) {
    const config = {
      model: "scripted/model",
      autoupdate: false,
      share: "disabled",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: "dummy" },
          models: { model: { name: "model", tool_call: true } },
        },
      },
      mcp: { marker: { type: "local", command: [mcp.command, ...mcp.args], enabled: true } },
    };
    return {
      args: ["run", "--print-logs", "--log-level", "WARN", prompt],
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_AUTOUPDATE: "1" },
    };
  },
};
