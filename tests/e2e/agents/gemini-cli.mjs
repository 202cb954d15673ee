import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";
import { PROMPT } from "../prompt.mjs";

/** Gemini CLI, headless, in a trusted folder. */
export const geminiCli = {
  id: "gemini-cli",
  package: "@google/gemini-cli",
  version: "0.61.0",
  bin: "gemini",
  scope: "project",
  calls: {
    shell: () => ({ name: "run_shell_command", input: { command: "touch shell.txt", description: "make a file" } }),
    write: ({ project }) => ({
      name: "write_file",
      input: { file_path: join(project, "write.txt"), content: "written" },
    }),
    edit: ({ project }) => ({
      name: "replace",
      input: {
        file_path: join(project, "edit.txt"),
        instruction: "change it",
        old_string: "before",
        new_string: "after",
      },
    }),
    read: ({ project }) => ({ name: "read_file", input: { file_path: join(project, "read.txt") } }),
    failing: () => ({ name: "run_shell_command", input: { command: "exit 3", description: "fail" } }),
    agent: () => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt: "help out" } }),
    mcp: () => ({ name: "mcp_marker_mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "write_file", input: { file_path: join(project, file), content: "written" } }),
      (tool, input) => ({ name: `mcp_sluice_${tool}`, input }),
    ),
  },
  cannot: {
    "a denied sub-agent is told to stop": "it says nothing of a sub-agent's start",
    "context before a tool reaches the model": "it drops the words of a hook there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
  },
  prepare({ home, project, mcp }) {
    writeFiles({
      [join(home, ".gemini", "trustedFolders.json")]: { [project]: "TRUST_FOLDER" },
      [join(home, ".gemini", "settings.json")]: {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { marker: { ...mcp, trust: true } },
      },
    });
  },
  start(_, { url, prompt }) {
    return {
      args: ["-p", prompt, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"],
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "dummy" },
    };
  },
  terminal: {
    modes: { default: "asked", auto_edit: "asked", yolo: "asked" },
    dialog: /Allow execution of/,
    start: (_, { url, mode }) => ({
      args: ["-i", PROMPT, "-m", "gemini-2.5-pro", "--approval-mode", mode],
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "dummy" },
    }),
  },
};
