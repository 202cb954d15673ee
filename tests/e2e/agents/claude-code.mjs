import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";
import { PROMPT } from "../prompt.mjs";

const PLAN_AFTER_BYPASS = "plan, after a start in bypassPermissions";

/** Claude Code, headless, in a trusted project. */
export const claudeCode = {
  id: "claude-code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.327",
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
    const settings = ["--model", "claude-sonnet-4-5", "--allowedTools", tools, "--mcp-config", join(home, "mcp.json")];
    return { args: ["-p", prompt, ...settings], env: environment(url) };
  },
  terminal: {
    modes: {
      default: "asked",
      acceptEdits: "asked",
      auto: "asked",
      plan: "denied",
      dontAsk: "denied",
      bypassPermissions: "denied",
      [PLAN_AFTER_BYPASS]: "denied",
    },
    dialog: /Do you want to proceed\?/,
    isBesideDialog: true,
    start({ home, project }, { url, mode }) {
      const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
      const accepted = { bypassPermissionsModeAccepted: true, customApiKeyResponses: { approved: ["dummy"] } };
      writeFiles({
        [join(home, ".claude.json")]: {
          hasCompletedOnboarding: true,
          theme: "dark",
          ...accepted,
          projects: { [project]: trusted },
        },
      });
      const isLater = mode === PLAN_AFTER_BYPASS;
      return {
        args: [
          ...["--model", "claude-sonnet-4-5", "--permission-mode", isLater ? "bypassPermissions" : mode],
          ...(isLater ? [] : [PROMPT]),
        ],
        // It refuses to skip permissions for the superuser outside of a sandbox.
        env: { ...environment(url), IS_SANDBOX: "1" },
        ...(isLater ? { begin: switchToPlan } : {}),
      };
    },
  },
};

/** Shift and Tab change the mode; the line below the prompt names it. */
async function switchToPlan(terminal) {
  await terminal.until((text) => /bypass permissions on/.test(text ?? ""), 60);
  for (let presses = 0; presses < 8; presses++) {
    await terminal.press("BTab");
    if (await terminal.until((text) => /plan mode on/.test(text ?? ""), 2)) break;
  }
  await terminal.press("-l", PROMPT);
  await terminal.press("Enter");
}

function environment(url) {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
}
