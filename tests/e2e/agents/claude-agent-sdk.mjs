import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HANDSHAKE_RUN, USER_HANDSHAKE_RUN } from "../handshake.mjs";
import { writeFiles } from "../place.mjs";
import { claudeCode } from "./claude-code.mjs";

/** The Claude Agent SDK in a program of its own, with the hooks as its `hooks` option: nothing is installed into settings. */
export const claudeAgentSdk = {
  id: "claude-agent-sdk",
  package: "@anthropic-ai/claude-agent-sdk",
  version: "0.3.327",
  scope: undefined,
  history: "claude-code",
  isSdk: true,
  calls: claudeCode.calls,
  cannot: Object.fromEntries(
    [
      "fires once, installed for the project",
      "a call that never arrived is told by doctor",
      ...[HANDSHAKE_RUN, USER_HANDSHAKE_RUN].flatMap(({ cells }) => Object.keys(cells)),
    ].map((cell) => [cell, "nothing is installed"]),
  ),
  prepare({ home }) {
    writeFiles({ [join(home, ".claude.json")]: { hasCompletedOnboarding: true } });
  },
  start({ mcp }, { url, prompt, folder }) {
    const sdk = join(folder, "node_modules", "@anthropic-ai", "claude-agent-sdk", "sdk.mjs");
    const { env } = claudeCode.start({ home: "" }, { url, prompt });
    return { program: process.execPath, args: [PROGRAM, sdk, prompt, JSON.stringify(mcp)], env };
  },
};

const PROGRAM = fileURLToPath(new URL("claude-agent-sdk-program.mjs", import.meta.url));
