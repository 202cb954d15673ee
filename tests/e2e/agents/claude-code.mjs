import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";

/** Claude Code, headless, in a trusted project. */
export const claudeCode = {
  id: "claude-code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  bin: "claude",
  scope: "project",
  posts: true,
  calls: {
    shell: () => ({ name: "Bash", input: { command: "touch shell.txt", description: "make a file" } }),
    write: ({ project }) => ({ name: "Write", input: { file_path: join(project, "write.txt"), content: "written" } }),
    look: ({ project }) => ({ name: "Read", input: { file_path: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "Edit",
      input: { file_path: join(project, "edit.txt"), old_string: "before", new_string: "after" },
    }),
    read: ({ project }) => ({ name: "Read", input: { file_path: join(project, "read.txt") } }),
    monitor: () => ({
      name: "Monitor",
      input: { command: "touch monitor.txt", description: "watch a file", timeout_ms: 5000, persistent: false },
    }),
    failing: () => ({ name: "Bash", input: { command: "exit 3", description: "fail" } }),
    agent: () => ({
      name: "Agent",
      input: {
        description: "a small task",
        prompt: "help out",
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
    mcp: () => ({ name: "mcp__marker__mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "Write", input: { file_path: join(project, file), content: "written" } }),
      (tool, input) => ({ name: `mcp__sluice__${tool}`, input }),
    ),
  },
  cannot: {},
  prepare({ home, project, mcp }) {
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    writeFiles({
      [join(home, ".claude.json")]: { hasCompletedOnboarding: true, projects: { [project]: trusted } },
      // What it writes when its user agrees to a server of the project.
      [join(home, ".claude", "settings.json")]: { enabledMcpjsonServers: ["sluice"] },
      [join(home, "mcp.json")]: { mcpServers: { marker: mcp } },
    });
  },
  start({ home }, { url, prompt }) {
    const tools = "Bash,Monitor,Read,Write,Edit,Agent,mcp__marker__mark,mcp__sluice";
    return {
      args: [
        "-p",
        prompt,
        "--model",
        "claude-sonnet-4-5",
        "--allowedTools",
        tools,
        "--mcp-config",
        join(home, "mcp.json"),
      ],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "dummy",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    };
  },
};
