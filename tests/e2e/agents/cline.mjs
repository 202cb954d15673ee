import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../place.mjs";

/** Cline's command, headless, with a model that speaks OpenAI's chat completions. A denial ends its task. */
export const cline = {
  id: "cline",
  package: "cline",
  version: "3.0.65",
  bin: "cline",
  scope: "user",
  endsAtDenial: true,
  calls: {
    shell: () => ({ name: "run_commands", input: { commands: ["touch shell.txt"] } }),
    write: ({ project }) => ({ name: "editor", input: { path: join(project, "write.txt"), new_text: "written" } }),
    look: ({ project }) => ({ name: "read_files", input: { files: [{ path: join(project, "edit.txt") }] } }),
    edit: ({ project }) => ({
      name: "editor",
      input: { path: join(project, "edit.txt"), old_text: "before", new_text: "after" },
    }),
    read: ({ project }) => ({ name: "read_files", input: { files: [{ path: join(project, "read.txt") }] } }),
    failing: () => ({ name: "run_commands", input: { commands: ["exit 3"] } }),
    mcp: () => ({ name: "marker__mark", input: {} }),
  },
  cannot: {
    "receives one prompt": "its command does not send its first prompt to hooks",
    "context of the session reaches the model": "its command reads no answer of a hook there",
    "context of the prompt reaches the model": "its command reads no answer of a hook there",
    "a denied prompt never reaches the model": "its command reads no answer of a hook there",
    "a denied stop keeps the agent working": "its command reads no answer of a hook there",
    "context after a failed call reaches the model": "a command that fails is an ordinary result to it",
    "its history has every call once": "Sluice does not read its history",
    "a call that never arrived is told by doctor": "Sluice does not read its history",
  },
  prepare({ home, mcp }, { url }) {
    writeFiles({
      [join(home, ".cline/data/settings/providers.json")]: {
        version: 1,
        lastUsedProvider: "openai-compatible",
        providers: {
          "openai-compatible": {
            settings: { provider: "openai-compatible", apiKey: "dummy", model: "scripted", baseUrl: `${url}/v1` },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      },
      [join(home, ".cline/data/settings/cline_mcp_settings.json")]: { mcpServers: { marker: mcp } },
    });
  },
  /** It leaves a daemon of its own running, whose command line has the project. */
  async finish({ project }) {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const line = commandLine(pid);
      if (line.includes("--cline-hub-daemon") && line.includes(project)) process.kill(Number(pid), "SIGKILL");
    }
  },
  /** Its standard error is a file, as in a log: what a program writes there through its own path is then seen. */
  start({ root }, { prompt, folder }) {
    const cline = join(folder, "node_modules", ".bin", "cline");
    const line = '"$@" 2>"$0"; code=$?; cat "$0" >&2; exit $code';
    return {
      program: "sh",
      args: ["-c", line, join(root, "stderr.txt"), cline, prompt],
      env: { HTTP_PROXY: "", HTTPS_PROXY: "" },
    };
  },
};

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
