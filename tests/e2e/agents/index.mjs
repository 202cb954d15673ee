import { claudeAgentSdk } from "./claude-agent-sdk.mjs";
import { claudeCode } from "./claude-code.mjs";
import { copilot } from "./copilot.mjs";
import { codex } from "./codex.mjs";
import { droid } from "./droid.mjs";
import { geminiCli } from "./gemini-cli.mjs";
import { opencode } from "./opencode.mjs";
import { qwenCode, qwenCodeOld } from "./qwen-code.mjs";

/** The agents that are proven, in the order of the table. */
export const AGENTS = [claudeCode, claudeAgentSdk, codex, geminiCli, opencode, qwenCode, qwenCodeOld, copilot, droid];
