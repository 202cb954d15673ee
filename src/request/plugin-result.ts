import type { Answer } from "../decision/result.ts";
import { toJsonText } from "../event/json.ts";

/** What a plugin may return beyond a verdict and a text; `allow` also approves what the agent would ask its user about. */
export interface HookAnswer {
  readonly action: Answer["action"];
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
}

/** What a plugin's method gives back: a verdict with a text or without, an answer, or nothing for no opinion. */
export type PluginResult = readonly ["allow" | "block", (string | null | undefined)?] | HookAnswer | null | undefined;

/** Reads what a plugin gave back; what cannot be understood is a failure, and never an allow. */
export function readResult(said: unknown): { readonly answer: Answer } | { readonly unclear: string } {
  if (said === null || said === undefined) return { answer: { action: "continue" } };
  if (Array.isArray(said)) return readPair(said);
  return typeof said === "object" ? readObject(said as Readonly<Record<string, unknown>>) : unclear(said);
}

/** The text of an allow is context and approves nothing; every other text is a reason. */
function readPair(said: readonly unknown[]): ReturnType<typeof readResult> {
  const [verdict, text] = said;
  const action = typeof verdict === "string" && Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict] : undefined;
  if (action === undefined || action === "modify") return unclear(said);
  const words = text === null || text === undefined ? undefined : asText(text);
  if (action === "continue" || action === "allow") return { answer: { action: "continue", context: words } };
  return { answer: { action, reason: words } };
}

function readObject(said: Readonly<Record<string, unknown>>): ReturnType<typeof readResult> {
  const changes = said.modifiedData ?? said.modified_data;
  const modifiedData =
    typeof changes === "object" && changes !== null ? (changes as Record<string, unknown>) : undefined;
  const implied = modifiedData === undefined ? (said.context === undefined ? "" : "continue") : "modify";
  const verdict = said.action ?? said.decision ?? implied;
  const action = typeof verdict === "string" && Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict] : undefined;
  if (action === undefined) return unclear(said);
  const [reason, context] = [said.reason, said.context].map((text) => (text == null ? undefined : asText(text)));
  return { answer: { action, reason, context, modifiedData } };
}

/** Every verdict that a plugin may return, and what it means. */
const VERDICTS: Readonly<Record<string, Answer["action"]>> = {
  allow: "allow",
  continue: "continue",
  block: "deny",
  deny: "deny",
  ask: "ask",
  modify: "modify",
};

function unclear(said: unknown): { unclear: string } {
  const text = asText(said);
  const shown = text.length > 100 ? `${text.slice(0, 99)}…` : text;
  return {
    unclear: `${shown} is not an answer; a plugin gives ["allow", text], ["block", reason], null or { action }`,
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : toJsonText(value);
}
