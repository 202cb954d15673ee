import { claudeAgentSdk } from "./claude-agent-sdk.mjs";
import { claudeCode } from "./claude-code.mjs";
import { cline } from "./cline.mjs";
import { codex } from "./codex.mjs";
import { copilot } from "./copilot.mjs";
import { droid } from "./droid.mjs";
import { geminiCli } from "./gemini-cli.mjs";
import { grok } from "./grok.mjs";
import { opencode } from "./opencode.mjs";
import { qwenCode, qwenCodeOld } from "./qwen-code.mjs";

/** The agents that are proven, in the order of the table. */
export const AGENTS = [
  claudeCode,
  claudeAgentSdk,
  codex,
  geminiCli,
  opencode,
  qwenCode,
  qwenCodeOld,
  copilot,
  droid,
  cline,
  grok,
];

/** The agents that nothing here can run, and why: their adapters are from documentation. */
export const NOT_RUN = {
  amp: "its command (0.0.1790142911 on npm) works only with an account and its own server, not with a model of one's own",
  auggie: "its command (0.36.0 on npm) works only with an account and its own server, not with a model of one's own",
  cursor: "an editor, and a command that is not on npm",
  kiro: "an editor, and a command that is not on npm",
  vscode: "an editor; its agent needs an account",
  windsurf: "an editor",
};
