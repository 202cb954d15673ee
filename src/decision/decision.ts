import type { HookEvent } from "../event/event.ts";
import type { Action, Code, HookResult } from "./result.ts";

/** What a host applies if a call continues: the input if hooks changed it, and the context for the model. */
interface ContextPatch<Input> extends Record<string, unknown> {
  /** The whole input: an object where the call had one, and a text where it had a text. */
  tool_input?: Input;
  context?: string;
}

/** The answer for a host that wants yes or no. */
export type HookDecision<Input = unknown> =
  | { allow: true; contextPatch?: ContextPatch<Input> }
  | { allow: false; code: Code; reason: string };

/** The combined result of all hooks; `Input` is the input of the tool. */
export interface Decision<Input = unknown> {
  readonly event: HookEvent;
  readonly action: Action;
  /** The reasons of every hook that took part in it. */
  readonly reasons: readonly string[];
  /** The messages of all hooks for the agent. */
  readonly contexts: readonly string[];
  /** Those of the contexts that object to what has already happened; absent if none does. */
  readonly feedback?: readonly string[];
  /** The tool's input, the prompt or the request as a whole, if a hook changed it. */
  readonly input?: Input;
  /** The tool's result, if a hook changed it. */
  readonly output?: unknown;
  /** The user's own hooks approve; the agent need not ask. */
  readonly approved: boolean;
  readonly results: readonly HookResult[];
  /** What the call destroys was kept first, under an id for `sluice undo`. */
  readonly kept?: { readonly id: string; readonly files: number; readonly bytes: number };
  /** The request under which a person can answer what is asked here, with `sluice approve`. */
  readonly request?: { readonly id: string } | undefined;
  /** The call runs in a box: the id for `sluice inside`, and how the box is made. */
  readonly contained?: { readonly id: string; readonly backend: "bubblewrap" | "namespaces" | "sandbox-runtime" };
  toHookDecision(): HookDecision<Input>;
}

/** A decision with some parts replaced. */
export function withParts({ toHookDecision: _, ...decision }: Decision, parts: Partial<Decision>): Decision {
  const whole = { ...decision, ...parts };
  return { ...whole, toHookDecision: () => hookDecision(whole) };
}

/** A decision that a host denies for another reason than its hooks'. */
export function refused({ input: _, output: __, ...decision }: Decision, reason: string, code: Code): Decision {
  const toHookDecision = () => ({ allow: false, code, reason }) as const;
  return { ...decision, action: "deny", reasons: [reason], approved: false, toHookDecision };
}

/** The answer of one hook: the result of a run, or its record. */
export interface SaidByHook {
  readonly hook: string | { readonly name: string };
  readonly action: Action;
  readonly reason?: string | undefined;
}

/**
 * Reasons as one text: one as it is, several as a list, each with the names of the hooks that give it. Nothing is repeated.
 * Of thousands the first are listed, with the number of the others: the decision and its record have them all.
 */
export function reasonText(
  action: Action,
  reasons: readonly string[],
  results: readonly SaidByHook[],
  most = MAX_LISTED,
): string {
  const given = [...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== ""))];
  const inside = new Set(given.flatMap((reason) => sentencesOf(reason).filter((sentence) => sentence !== reason)));
  const words = given.filter((reason) => !inside.has(reason));
  if (words.length < 2) return words[0] ?? "";
  const hooksOf = speakersOf(action, results);
  const said = words.map((reason) => {
    const texts = new Set([reason, ...sentencesOf(reason)]);
    return { reason, names: shortList(inOrder([...texts].flatMap((text) => hooksOf.get(text) ?? [])), most) };
  });
  // A remark of Sluice itself does not belong to a hook, and follows the hook's reason.
  if (said.filter(({ names }) => names !== "").length === 1) return words.join("\n");
  const lines = said
    .slice(0, most)
    .map(({ reason, names }) => `- ${names && `${names}: `}${reason.replaceAll("\n", "\n  ")}`);
  const more = said.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function shortList(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const MAX_LISTED = 50;

/** The lines and sentences of a text. */
function sentencesOf(text: string): string[] {
  return text.split(/[\n ](?<=\n|[.!?] )/);
}

interface Speaker {
  readonly at: number;
  readonly name: string;
}

/** The hooks that took part in an action, by their reasons. */
function speakersOf(action: Action, results: readonly SaidByHook[]): ReadonlyMap<string, readonly Speaker[]> {
  const found = new Map<string, Speaker[]>();
  for (const [at, { hook, action: own, reason }] of results.entries()) {
    if (own !== action || reason === undefined) continue;
    const text = reason.trim();
    const speaker = { at, name: typeof hook === "string" ? hook : hook.name };
    const known = found.get(text);
    if (known === undefined) found.set(text, [speaker]);
    else known.push(speaker);
  }
  return found;
}

function inOrder(speakers: Speaker[]): string[] {
  return [...new Set(speakers.sort((one, other) => one.at - other.at).map(({ name }) => name))];
}

/** Yes or no, for hosts that know nothing else. */
export function hookDecision(decision: Omit<Decision, "toHookDecision">): HookDecision {
  const { action, reasons, contexts, results, input } = decision;
  switch (action) {
    case "deny": {
      const reason = reasonText(action, reasons, results);
      return { allow: false, code: codeOf(results), reason: reason || "denied by a hook" };
    }
    case "ask":
      return {
        allow: false,
        code: askedCode(results),
        reason: `needs approval: ${reasonText(action, reasons, results) || "a hook asks"}`,
      };
    case "continue":
    case "modify": {
      const contextPatch = {
        ...(input === undefined ? {} : { tool_input: input }),
        ...(contexts.length === 0 ? {} : { context: contexts.join("\n") }),
      };
      return Object.keys(contextPatch).length === 0 ? { allow: true } : { allow: true, contextPatch };
    }
  }
}

/** The code of the hook that asks; a question without one is about something dangerous. */
function askedCode(results: readonly HookResult[]): Code {
  return results.find(({ action, code }) => action === "ask" && code !== undefined)?.code ?? "DESTRUCTIVE_BLOCKED";
}

/** The code of the denying results that is first in rank; a failure that denied is an error of the hook. */
function codeOf(results: readonly HookResult[]): Code {
  const codes = results.filter(({ action }) => action === "deny").map(ownCode);
  return CODES_BY_RANK.find((code) => codes.includes(code)) ?? "HOOK_ERROR";
}

function ownCode({ code, failure }: HookResult): Code {
  return code ?? (failure ? "HOOK_ERROR" : "DESTRUCTIVE_BLOCKED");
}

const CODES_BY_RANK: readonly Code[] = [
  "HOOK_ERROR",
  "MODIFY_CONFLICT",
  "INTENT_REQUIRED",
  "SCOPE_VIOLATION",
  "DESTRUCTIVE_BLOCKED",
  "STALE_WRITE",
];
