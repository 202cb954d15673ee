import { knowAgents } from "../event/agent-names.ts";
import type { Adapter } from "./adapter.ts";
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
import type { Payload } from "./payload.ts";
import { qwenCode } from "./qwen-code.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

/**
 * Each agent's row by its name, so that a call of one agent need not make the others'. The order is that of recognition:
 * the most particular payloads come first.
 */
const BY_ID: Readonly<Record<string, () => Adapter>> = {
  __proto__: null as never,
  json: () => json,
  opencode: () => opencode,
  amp: () => amp,
  windsurf: () => windsurf,
  cline: () => cline,
  grok: () => grok,
  cursor: () => cursor,
  "gemini-cli": () => geminiCli,
  copilot: () => copilot,
  auggie: () => auggie,
  codex: () => codex,
  droid: () => droid,
  "qwen-code": () => qwenCode,
  vscode: () => vscode,
  kiro: () => kiro,
  "claude-code": () => claudeCode,
};

knowAgents(Object.keys(BY_ID));

/** Every supported agent, in the order of recognition. */
export const ADAPTERS: readonly Adapter[] = Object.values(BY_ID).map((adapter) => adapter());

/** The adapter of that name, if there is one. */
export function adapterNamed(id: string): Adapter | undefined {
  return BY_ID[id]?.();
}

/** The agent that a payload comes from, recognised by its fields. */
export function adapterFor(payload: Payload): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.recognises(payload));
}
