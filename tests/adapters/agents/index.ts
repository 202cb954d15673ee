import type { Agent } from "./agent.ts";
import { amp } from "./amp.ts";
import { auggie } from "./auggie.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { droid } from "./droid.ts";
import { geminiCli } from "./gemini-cli.ts";
import { grok } from "./grok.ts";
import { json } from "./json.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

/** Every agent, as far as it reads answers. */
export const AGENTS: readonly Agent[] = [
  ...[amp, auggie, claudeCode, cline, codex, copilot, cursor, droid, geminiCli, grok, json, kiro, opencode, qwenCode],
  ...[vscode, windsurf],
];

/** The agent of that name. */
export function agentNamed(id: string): Agent {
  const agent = AGENTS.find((one) => one.id === id);
  if (agent === undefined) throw new Error(`there is no model of ${id}`);
  return agent;
}
