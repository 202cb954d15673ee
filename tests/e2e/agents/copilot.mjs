import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";
import { PROMPT } from "../prompt.mjs";

/** GitHub Copilot CLI, headless, in a trusted folder, with a model of one's own that speaks OpenAI's chat completions. */
export const copilot = {
  id: "copilot",
  package: "@github/copilot",
  version: "1.0.102",
  bin: "copilot",
  scope: "project",
  calls: {
    shell: () => ({ name: "bash", input: { command: "touch shell.txt", description: "make a file" } }),
    write: ({ project }) => ({
      name: "create",
      input: { path: join(project, "write.txt"), file_text: "written" },
    }),
    look: ({ project }) => ({ name: "view", input: { path: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "edit",
      input: { path: join(project, "edit.txt"), old_str: "before", new_str: "after" },
    }),
    read: ({ project }) => ({ name: "view", input: { path: join(project, "read.txt") } }),
    failing: () => ({ name: "bash", input: { command: "exit 3", description: "fail" } }),
    agent: () => ({
      name: "task",
      input: {
        description: "a small task",
        prompt: "help out",
        agent_type: "general-purpose",
        name: "helper",
        mode: "sync",
      },
    }),
    mcp: () => ({ name: "marker-mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "create", input: { path: join(project, file), file_text: "written" } }),
      (tool, input) => ({ name: `sluice-${tool}`, input }),
    ),
  },
  cannot: {
    "context of the prompt reaches the model": "what a hook answers to a prompt is dropped",
    "context before a tool reaches the model": "it drops the words of a hook there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
    "a denied prompt never reaches the model": "what a hook answers to a prompt is dropped",
    "its history has every call once": "how it writes its history is not known for certain, so Sluice does not read it",
    "a call that never arrived is told by doctor": "Sluice does not read its history",
    "the model selects an intent through the registered MCP server": "a project registers no MCP server in it",
    "a write in the intent's scope runs, and the trace has it": "a project registers no MCP server in it",
  },
  prepare({ home, project, mcp }) {
    writeFiles({
      // It makes no folders for a new file.
      [join(project, "src", "auth", ".keep")]: "",
      [join(home, ".copilot", "config.json")]: { trusted_folders: [project], trustedFolders: [project] },
      [join(home, ".copilot", "mcp-config.json")]: {
        mcpServers: { marker: { type: "local", tools: ["*"], ...mcp } },
      },
    });
  },
  start({ home }, { url, prompt }) {
    return { args: ["-p", prompt, "--allow-all-tools", "--no-auto-update"], env: environment(home, url) };
  },
  terminal: {
    modes: { default: "asked", "--allow-all-tools": "asked", "--allow-all": "asked" },
    dialog: /Do you want to allow this tool call\?/,
    start: ({ home }, { url, mode }) => ({
      args: ["-i", PROMPT, "--no-auto-update", ...(mode === "default" ? [] : [mode])],
      env: environment(home, url),
    }),
  },
};

function environment(home, url) {
  return {
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "claude-sonnet-4.5",
    COPILOT_HOME: join(home, ".copilot"),
  };
}
