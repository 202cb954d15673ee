import type { EventFacts } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { pastOfEvent } from "./recent.ts";

/** The fields that read it: `session.untrusted`, `session.private.source`. */
const FIELD = /^session\.(untrusted|private)(?:(?:\.(?:\*|\d+))?\.(call|source))?$/;

/** Compiles a field of the session's data flow; undefined for any other field. */
export function compileFlow(path: string): ((event: EventFacts) => readonly unknown[]) | undefined {
  const [, kind, part] = FIELD.exec(path) ?? [];
  if (kind === undefined) return undefined;
  return (event) => {
    const labels = pastOfEvent(event)?.flow?.()[kind === "private" ? "private" : "untrusted"] ?? [];
    if (part === undefined) return labels;
    return [...new Set(labels.map((label) => (part === "call" ? label.call : label.source)))];
  };
}

/** Whether the rules of a hook depend on the session's data flow. */
export function asksAboutFlow({ rules = "", inlineRules = [] }: Pick<Hook, "rules" | "inlineRules">): boolean {
  return ASKS.test(rules) || inlineRules.some(({ field }) => FIELD.test(String(field)));
}

const ASKS = /\bsession\.(?:untrusted|private)\b/;
