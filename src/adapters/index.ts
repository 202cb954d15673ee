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
import { json } from "./json.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import type { Payload } from "./payload.ts";
import { qwenCode } from "./qwen-code.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

/** Every agent that Sluice speaks with. The order is that of recognition: the most particular payloads come first. */
export const ADAPTERS: readonly Adapter[] = [
  json,
  opencode,
  amp,
  windsurf,
  cline,
  cursor,
  geminiCli,
  copilot,
  auggie,
  codex,
  droid,
  qwenCode,
  vscode,
  kiro,
  claudeCode,
];

/** The adapter of that name, if there is one. */
export function adapterNamed(id: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.id === id);
}

/** The agent that a payload comes from, told from its fields. */
export function adapterFor(payload: Payload): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.recognises(payload));
}
