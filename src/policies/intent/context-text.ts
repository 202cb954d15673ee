import type { Intent } from "./intent.ts";
import type { RecentChange } from "./recent-changes.ts";

/** What a session is told besides its own intent. */
export interface IntentContext {
  readonly recent: readonly RecentChange[];
  /** What other sessions work on, a line each. */
  readonly others: readonly string[];
}

/** What an intent demands and owns, for the model: short enough to be read whole. */
export function contextText(intent: Intent, { recent, others }: IntentContext): string {
  const { id, name, status, ownedScope, constraints, acceptanceCriteria } = intent;
  const more = `sluice intents show ${id}`;
  const parts = [
    list("owned_scope", "path", ownedScope, more),
    list("constraints", "constraint", constraints, more),
    list("acceptance_criteria", "criterion", acceptanceCriteria, more),
    list("recent_changes", "change", recent.map(changeText), more),
    list("other_sessions", "session", others, "sluice intents list"),
  ];
  const head = `<intent id="${escaped(id, 200)}" name="${escaped(name, 400)}" status="${escaped(status, 100)}">`;
  return ["<intent_context>", head, ...parts.filter(Boolean), "</intent>", "</intent_context>"].join("\n");
}

/** Each part has a share of its own, so that none pushes the others out. */
function list(part: string, item: string, texts: readonly string[], more: string): string {
  if (texts.length === 0) return part === "owned_scope" ? "<owned_scope>nothing</owned_scope>" : "";
  const lines: string[] = [];
  let length = 0;
  for (const text of texts) {
    const line = `<${item}>${escaped(text, LONGEST_ITEM)}</${item}>`;
    if (length + line.length > SHARE) break;
    lines.push(line);
    length += line.length;
  }
  const left = texts.length - lines.length;
  if (left > 0) lines.push(`<!-- ${left} more: ${escaped(more, 200).replaceAll("--", "- -")} -->`);
  return [`<${part}>`, ...lines, `</${part}>`].join("\n");
}

function changeText({ time, mutation, files }: RecentChange): string {
  return [time, mutation, files.join(", ")].filter(Boolean).join("  ");
}

function escaped(text: string, most: number): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return short.replace(HIDDEN, " ").replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const LONGEST_ITEM = 500;
const SHARE = 1500;
