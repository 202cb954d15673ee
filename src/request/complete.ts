import { readModification } from "../decision/modification.ts";
import type { Answer } from "../decision/result.ts";
import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { nativeName } from "./payload.ts";
import { type PluginResult, readResult } from "./plugin-result.ts";

/** The answer to an agent that called a hook: the JSON for its standard output, and the exit code. */
export interface Completed {
  /** `null` if there is no answer. */
  readonly output: Readonly<Record<string, unknown>> | null;
  /** 2 when anything blocks, else 0. */
  readonly exitCode: number;
}

/** The part of a request that an answer depends on. */
interface Asked {
  readonly hookEventName: string;
  readonly toolInput: Readonly<Record<string, unknown>>;
}

/** Combines the results of plugins, and encodes them in the format that the agent reads at this hook event. */
export function complete(results: readonly PluginResult[], asked: Asked, unreadable?: string): Completed {
  const { answers, unclear } = understood(results);
  const event = eventNamed(asked.hookEventName);
  const failures = unreadable === undefined ? unclear : [unreadable, ...unclear];
  const isGate = event === undefined || eventSpec(event).gate;
  const change = changeOf(answers, asked);
  const canAsk = event === "tool:pre_execute";
  const blocks = [
    ...answers.filter(({ action }) => action === "deny").map(({ reason }) => reason),
    ...(canAsk ? [] : answers.filter(({ action }) => action === "ask").map(({ reason = "" }) => `${ASKS}${reason}`)),
    ...(isGate ? [...failures, ...change.refused] : []),
  ];
  if (blocks.length > 0) return blocked(blocks, asked.hookEventName);
  const contexts = answers.flatMap(({ context }) => (context ? [context] : []));
  const notes = isGate ? [] : [...failures, ...change.refused];
  const asks = answers.filter(({ action }) => action === "ask" || (action === "modify" && change.made));
  return told(asked.hookEventName, { contexts, notes, change: change.made, asks });
}

function understood(results: readonly PluginResult[]) {
  const answers: Answer[] = [];
  const unclear: string[] = [];
  for (const result of Array.isArray(results) ? results : [results]) {
    const read = readResult(result);
    if ("answer" in read) answers.push(read.answer);
    else unclear.push(read.unclear);
  }
  return { answers, unclear };
}

function blocked(reasons: readonly (string | undefined)[], eventName: string): Completed {
  const words = [...new Set(reasons.filter(Boolean))].join("; ") || "blocked by a plugin that gave no reason";
  if (eventNamed(eventName) !== "tool:pre_execute")
    return { output: { decision: "block", reason: words }, exitCode: 2 };
  const hookEventName = nativeName(eventName);
  const denial = { hookEventName, permissionDecision: "deny", permissionDecisionReason: words };
  return { output: { hookSpecificOutput: denial }, exitCode: 2 };
}

interface Told {
  readonly contexts: readonly string[];
  readonly notes: readonly string[];
  readonly change: Readonly<Record<string, unknown>> | undefined;
  readonly asks: readonly Answer[];
}

/** Context is not an approval: the agent still asks its user whatever it would have asked. */
function told(eventName: string, { contexts, notes, change, asks }: Told): Completed {
  const takesContext = TAKES_CONTEXT.has(eventNamed(eventName) ?? eventName);
  const context = contexts.join("\n");
  const message = [...(takesContext || context === "" ? [] : [context]), ...notes].join("\n");
  const reasons = asks.flatMap(({ reason }) => (reason ? [reason] : [])).join("; ");
  const specific = {
    ...(asks.length > 0 && eventNamed(eventName) === "tool:pre_execute"
      ? { permissionDecision: "ask", permissionDecisionReason: reasons || "a plugin asks for approval" }
      : {}),
    ...change,
    ...(takesContext && context !== "" ? { additionalContext: context } : {}),
  };
  const output = {
    ...(Object.keys(specific).length > 0
      ? { hookSpecificOutput: { hookEventName: nativeName(eventName), ...specific } }
      : {}),
    ...(message === "" ? {} : { systemMessage: message }),
  };
  return { output: Object.keys(output).length > 0 ? output : null, exitCode: 0 };
}

/** The changes of plugins, in the agent's format. A change that cannot be carried out is never dropped silently. */
function changeOf(answers: readonly Answer[], { hookEventName, toolInput }: Asked) {
  const refused: string[] = [];
  const event = eventNamed(hookEventName);
  let input = toolInput;
  let made: Record<string, unknown> | undefined;
  for (const { action, modifiedData } of answers) {
    if (action === "deny" || modifiedData === undefined) continue;
    if (event === undefined || !Object.hasOwn(CHANGES, event)) {
      refused.push(`a plugin wants to change what cannot be changed at ${hookEventName || "this hook event"}`);
      continue;
    }
    const change = readModification(new HookEvent({ type: event, data: { tool_args: input } }), modifiedData);
    if (change.kind === "refused") refused.push(`a plugin asks for a change that cannot be made: ${change.why}`);
    if (change.kind !== "changed") continue;
    made = { [CHANGES[event] ?? ""]: change.value };
    if (event === "tool:pre_execute") input = change.value as Record<string, unknown>;
  }
  return { made, refused };
}

/** What a hook may change at a hook event, and the key for it in an answer. */
const CHANGES: Readonly<Record<string, string>> = {
  "tool:pre_execute": "updatedInput",
  "tool:post_execute": "updatedToolOutput",
};

/** Where an agent takes text to its model without taking it for a verdict; elsewhere its user reads it. */
const TAKES_CONTEXT: ReadonlySet<string> = new Set([
  "tool:pre_execute",
  "tool:post_execute",
  "tool:error",
  "user:prompt_submit",
  "session:start",
  "subagent:start",
  "session:notification",
  "PostToolBatch",
  "UserPromptExpansion",
  "PostModelSwitch",
  "Setup",
]);

const ASKS = "needs approval: ";
