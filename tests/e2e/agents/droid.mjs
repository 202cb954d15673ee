import { join } from "node:path";
import { handshakeCalls } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";

const NATIVE = `@factory/cli-${process.platform}-${process.arch}`;

/** Factory Droid, headless, with a model of one's own that speaks OpenAI's chat completions. Its npm package is a shell around this one. */
export const droid = {
  id: "droid",
  package: NATIVE,
  version: "0.225.2",
  scope: "project",
  calls: {
    shell: () => execute("touch shell.txt"),
    write: ({ project }) => ({ name: "Create", input: { file_path: join(project, "write.txt"), content: "written" } }),
    look: ({ project }) => ({ name: "Read", input: { file_path: join(project, "edit.txt") } }),
    edit: ({ project }) => ({
      name: "Edit",
      input: { file_path: join(project, "edit.txt"), old_str: "before", new_str: "after", change_all: false },
    }),
    read: ({ project }) => ({ name: "Read", input: { file_path: join(project, "read.txt") } }),
    failing: () => execute("exit 3"),
    mcp: () => ({ name: "marker___mark", input: {} }),
    ...handshakeCalls(
      ({ project }, file) => ({ name: "Create", input: { file_path: join(project, file), content: "written" } }),
      (tool, input) => ({ name: `sluice___${tool}`, input }),
    ),
  },
  cannot: {
    ...Object.fromEntries(
      ["receives one prompt", "context of the prompt reaches the model", "a denied prompt never reaches the model"].map(
        (cell) => [cell, "`droid exec` has no hook event for its prompt"],
      ),
    ),
    "deny stops the shell of a sub-agent": "its sub-agents need its daemon, which does not start without an account",
    "a denied sub-agent is told to stop": "the start of a sub-agent reaches no hook",
    "context before a tool reaches the model": "it drops the words of a hook there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
    "its history has every call once": "Sluice does not read its history",
    "a call that never arrived is told by doctor": "Sluice does not read its history",
  },
  prepare({ home, mcp }, { url }) {
    writeFiles({
      [join(home, ".factory", "settings.json")]: {
        customModels: [
          {
            id: "custom:scripted-0",
            model: "scripted",
            displayName: "scripted",
            baseUrl: `${url}/v1`,
            apiKey: "dummy",
            provider: "generic-chat-completion-api",
            maxOutputTokens: 1000,
          },
        ],
      },
      [join(home, ".factory", "mcp.json")]: { mcpServers: { marker: { type: "stdio", ...mcp } } },
    });
  },
  start(_, { prompt, folder }) {
    return {
      program: join(folder, "node_modules", NATIVE, "bin", "droid"),
      args: ["exec", "-m", "custom:scripted-0", "--auto", "high", prompt],
      env: { FACTORY_API_KEY: "fk-dummy" },
    };
  },
};

function execute(command) {
  const risk = { riskLevelReason: "it makes one file", riskLevel: "low" };
  return { name: "Execute", input: { command, summary: "make a file", ...risk } };
}
