import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";

/** Codex, headless, in a trusted project; it reads files with the shell only. */
export const codex = {
  id: "codex",
  package: "@openai/codex",
  version: "0.169.0",
  bin: "codex",
  scope: "project",
  calls: {
    shell: () => ({ name: "exec_command", input: { cmd: "touch shell.txt" } }),
    write: () => ({ name: "apply_patch", text: patch("*** Add File: write.txt", "+written") }),
    edit: () => ({ name: "apply_patch", text: patch("*** Update File: edit.txt", "@@", "-before", "+after") }),
    failing: () => ({ name: "exec_command", input: { cmd: "exit 3" } }),
    agent: () => ({ name: "spawn_agent", namespace: "multi_agent_v1", input: { message: "help out" } }),
    // Its sub-agents work in the background, and end with it.
    wait: () => ({ name: "list_mcp_resources", input: {}, afterSeconds: 8 }),
    mcp: () => ({ name: "mark", namespace: "mcp__marker", input: {} }),
    ...handshakeCalls(
      (_, file) => ({ name: "apply_patch", text: patch(`*** Add File: ${file}`, "+written") }),
      (tool, input) => ({ name: tool, namespace: "mcp__sluice", input }),
    ),
  },
  cannot: {
    "deny stops a read": "it reads files with its shell",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
  },
  prepare({ home, project, mcp }, { url }) {
    writeFiles({
      [join(home, ".codex", "config.toml")]: [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        `[projects."${project}"]`,
        'trust_level = "trusted"',
        "[features]",
        "multi_agent = true",
        "[mcp_servers.marker]",
        `command = ${JSON.stringify(mcp.command)}`,
        `args = ${JSON.stringify(mcp.args)}`,
        "",
      ].join("\n"),
    });
  },
  start({ home }, { prompt }) {
    return {
      args: [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        prompt,
      ],
      env: { SCRIPTED_KEY: "dummy", CODEX_HOME: join(home, ".codex") },
    };
  },
};

function patch(...lines) {
  return ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
}
