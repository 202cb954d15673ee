import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";
import { PROMPT } from "../prompt.mjs";

/** Qwen Code, headless, with a model that speaks OpenAI's chat completions. */
const common = {
  package: "@qwen-code/qwen-code",
  bin: "qwen",
  scope: "project",
  calls: {
    shell: () => ({
      name: "run_shell_command",
      input: { command: "touch shell.txt", description: "make a file", is_background: false },
    }),
    write: ({ project }) => ({
      name: "write_file",
      input: { file_path: join(project, "write.txt"), content: "written" },
    }),
    look: ({ project }) => ({ name: "read_file", input: { file_path: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "edit",
      input: { file_path: join(project, "edit.txt"), old_string: "before", new_string: "after" },
    }),
    read: ({ project }) => ({ name: "read_file", input: { file_path: join(project, "read.txt") } }),
    failing: () => ({
      name: "run_shell_command",
      input: { command: "exit 3", description: "fail", is_background: false },
    }),
    agent: () => ({
      name: "agent",
      input: { description: "a small task", prompt: "help out", subagent_type: "general-purpose" },
    }),
    mcp: () => ({ name: "mcp__marker__mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "write_file", input: { file_path: join(project, file), content: "written" } }),
      (tool, input) => ({ name: `mcp__sluice__${tool}`, input }),
    ),
  },
  cannot: {
    "a denied sub-agent is told to stop": "it drops the words of a hook there",
    "modify reaches the tool": "it drops another input; Sluice denies instead",
    "context of the session reaches the model": "it has no start of a session without a terminal",
    "receives one start of the session": "it has no start of a session without a terminal",
    "context before a tool reaches the model": "it drops the words of a hook there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
  },
  prepare({ home, mcp }) {
    writeFiles({
      [join(home, ".qwen", "settings.json")]: {
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { marker: { ...mcp, trust: true } },
      },
    });
  },
  start(_, { url, prompt }) {
    return { args: ["-p", prompt, "--auth-type", "openai", "--approval-mode", "yolo"], env: environment(url) };
  },
};

/** The newest version, which has tools and hook events more, and the last one for Node 20. */
export const qwenCode = {
  ...common,
  id: "qwen-code",
  version: "0.24.4",
  node: "22.23.3",
  calls: {
    ...common.calls,
    monitor: () => ({ name: "monitor", input: { command: "touch monitor.txt", description: "watch a file" } }),
  },
  cannot: {
    "a denied sub-agent is told to stop": "it drops the words of a hook there",
    "modify reaches the tool": "Sluice denies instead, as for the older version",
    "context before a tool reaches the model": "it drops the words of a hook there",
  },
  terminal: {
    // In its other modes it asks on its own before it calls hooks, or stops a shell call by itself.
    modes: { yolo: "asked" },
    dialog: /Do you want to proceed\?/,
    start: (_, { url, mode }) => ({
      args: ["-i", PROMPT, "--auth-type", "openai", "--approval-mode", mode],
      env: environment(url),
    }),
  },
};
export const qwenCodeOld = { ...common, id: "qwen-code-old", agent: "qwen-code", version: "0.15.10" };

/** It would ask the proxy even for the loopback. */
function environment(url) {
  const model = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "dummy", OPENAI_MODEL: "scripted" };
  return { ...model, HTTP_PROXY: "", HTTPS_PROXY: "" };
}
