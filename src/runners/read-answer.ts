import type { Failure } from "../decision/failure.ts";
import { type Answer, CODES, type Code } from "../decision/result.ts";
import { nearest } from "../problem/nearest.ts";

/** What a hook's text came to. */
export type Read = { readonly answer: Answer } | { readonly failure: Failure };

/** Reads what a hook printed when it succeeded: JSON when it begins with `{`, else a message. */
export function readAnswer(text: string): Read {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (!trimmed.startsWith("{")) return { answer: { action: "continue" } };
  let said: unknown;
  try {
    said = JSON.parse(trimmed);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error), trimmed);
  }
  return readAnswerObject(said, trimmed);
}

/** Reads an answer that already is an object: `{action, reason, modified_data, context}` or Claude's output shape. */
export function readAnswerObject(said: unknown, text = JSON.stringify(said) ?? String(said)): Read {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return unreadable("it is no object", text);
  const answer = said as Record<string, unknown>;
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
  const wrong = wrongType(answer, TYPES) ?? wrongType(specific, SPECIFIC_TYPES) ?? misspelt(answer);
  if (wrong !== undefined) return unreadable(wrong, text);
  const verdict = verdictOf(answer, specific);
  if (verdict !== undefined && !Object.hasOwn(VERDICTS, verdict)) {
    return unreadable(`"${verdict}" is no verdict; it knows ${Object.keys(VERDICTS).join(", ")}`, text);
  }
  const modifiedData = modifiedDataOf(answer, specific);
  return {
    answer: {
      action: VERDICTS[verdict ?? ""] ?? (modifiedData ? "modify" : "continue"),
      reason: firstText(answer.reason, specific.permissionDecisionReason, answer.stopReason),
      context: joined(answer.context, answer.systemMessage, specific.additionalContext),
      modifiedData,
      code: CODES.find((code): code is Code => code === answer.code),
    },
  };
}

/** The reason inside an answer that was printed beside a denying exit code, if there is one. */
export function reasonIn(text: string): string | undefined {
  const read = readAnswer(text);
  return "answer" in read ? read.answer.reason : undefined;
}

/** Every word of every dialect, and what it means. A Claude hook that says `allow` also rewrites its input. */
const VERDICTS: Readonly<Record<string, Answer["action"]>> = {
  continue: "continue",
  allow: "allow",
  approve: "allow",
  deny: "deny",
  block: "deny",
  ask: "ask",
  modify: "modify",
};

function verdictOf(answer: Record<string, unknown>, specific: Record<string, unknown>): string | undefined {
  if (answer.continue === false) return "deny";
  const verdict = firstText(answer.action, specific.permissionDecision, answer.decision);
  const rewrites = isObject(specific.updatedInput) && (verdict === "allow" || verdict === undefined);
  return rewrites ? "modify" : verdict;
}

function modifiedDataOf(answer: Record<string, unknown>, specific: Record<string, unknown>) {
  const data = answer.modified_data ?? answer.modifiedData;
  if (isObject(data)) return data;
  return isObject(specific.updatedInput) ? { args: specific.updatedInput } : undefined;
}

const TYPES = {
  action: "string",
  decision: "string",
  reason: "string",
  stopReason: "string",
  systemMessage: "string",
  context: "string",
  continue: "boolean",
  code: "string",
  modified_data: "object",
  modifiedData: "object",
  hookSpecificOutput: "object",
} as const;

const SPECIFIC_TYPES = {
  permissionDecision: "string",
  permissionDecisionReason: "string",
  additionalContext: "string",
  updatedInput: "object",
} as const;

function wrongType(holder: Record<string, unknown>, types: Readonly<Record<string, string>>): string | undefined {
  for (const [key, type] of Object.entries(types)) {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (value === undefined || value === null) continue;
    const fits = type === "object" ? isObject(value) : typeof value === type;
    if (!fits) return `"${key}" has to be ${type === "object" ? "an object" : `a ${type}`}`;
  }
  return undefined;
}

/** An object that says nothing we know is data, unless it was plainly meant as a verdict. */
function misspelt(answer: Record<string, unknown>): string | undefined {
  if (Object.keys(answer).some((key) => Object.hasOwn(TYPES, key))) return undefined;
  for (const key of Object.keys(answer)) {
    const meant = nearest(key, ["action", "decision", "permissionDecision"], 1);
    if (meant !== undefined) return `"${key}" looks like "${meant}"`;
  }
  return undefined;
}

function unreadable(message: string, text: string): { failure: Failure } {
  return { failure: { why: "bad_json", message, got: text.length > 200 ? `${text.slice(0, 199)}…` : text } };
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string");
}

function joined(...values: readonly unknown[]): string | undefined {
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  return texts.length === 0 ? undefined : texts.join("\n");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
