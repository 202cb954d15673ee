import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";

/** Grok's command, headless, with a model of one's own that speaks OpenAI's chat completions. */
export const grok = {
  id: "grok",
  package: "@xai-official/grok",
  version: "1.0.41",
  bin: "grok",
  scope: "project",
  calls: {
    shell: () => run("touch shell.txt"),
    monitor: () => ({ name: "monitor", input: { command: "touch monitor.txt", description: "watch a file" } }),
    write: ({ project }) => writeFile(join(project, "write.txt")),
    look: ({ project }) => ({ name: "read_file", input: { target_file: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "search_replace",
      input: { file_path: join(project, "edit.txt"), old_string: "before", new_string: "after" },
    }),
    read: ({ project }) => ({ name: "read_file", input: { target_file: join(project, "read.txt") } }),
    failing: () => run("exit 3"),
    mcp: () => useTool("marker__mark", {}),
    agent: () => ({
      name: "spawn_subagent",
      input: {
        prompt: "do what the sub-agent does",
        description: "sub",
        subagent_type: "general-purpose",
        background: false,
      },
    }),
    ...handshakeCalls(
      ({ project }, file) => writeFile(join(project, file)),
      (tool, input) => useTool(`sluice__${tool}`, input),
    ),
  },
  cannot: {
    "a denied sub-agent is told to stop": "the answer of a hook at the start of a sub-agent is not read",
    "context of the session reaches the model": "the answer of a hook at the start of a session is not read",
    "context of the prompt reaches the model": "words with a prompt are dropped",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
    "its history has every call once": "Sluice does not read its history",
    "a call that never arrived is told by doctor": "Sluice does not read its history",
  },
  /** It reads the hooks of a project only in a git repository. */
  prepare({ home, project, mcp }, { url }) {
    spawnSync("git", ["init", "--quiet", project]);
    const model = { model: "scripted", base_url: `${url}/v1`, api_key: "dummy", api_backend: "chat_completions" };
    writeFiles({
      [join(home, ".grok", "config.toml")]: [
        "[models]",
        'default = "scripted"',
        "[model.scripted]",
        ...Object.entries(model).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
        "[mcp_servers.marker]",
        `command = ${JSON.stringify(mcp.command)}`,
        `args = ${JSON.stringify(mcp.args)}`,
        "",
      ].join("\n"),
    });
  },
  /** `--trust` is what its user answers when a project has hooks of its own. */
  start(_, { prompt }) {
    return { args: ["-p", prompt, "-m", "scripted", "--always-approve", "--trust"], env: {} };
  },
};

function run(command) {
  return { name: "run_terminal_command", input: { command, description: "make a file" } };
}

function writeFile(path) {
  return { name: "write", input: { file_path: path, content: "written" } };
}

function useTool(name, input) {
  return { name: "use_tool", input: { tool_name: name, tool_input: input } };
}
