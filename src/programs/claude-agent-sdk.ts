import { type EventName, eventSpec } from "../event/catalogue.ts";
import {
  CLAUDE_MOMENTS,
  type ClaudeHookOutput,
  type ClaudeMoment,
  claudeAnswer,
  claudeRefusal,
} from "./claude-answers.ts";
import { type SessionStarts, sessionStarts } from "./claude-session-start.ts";
import type { Hooks } from "./hooks.ts";

export type { ClaudeHookOutput, ClaudeMoment, ClaudeSpecificOutput } from "./claude-answers.ts";
export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** What the SDK hands to a callback; every moment adds fields of its own. */
export interface ClaudeHookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
}

/** A callback as the SDK calls it. */
export type ClaudeHookCallback = (
  input: ClaudeHookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<ClaudeHookOutput>;

/** The `hooks` option of the SDK. A gate stays shut when its callback fails or takes too long. */
export type ClaudeHooksOption = Record<ClaudeMoment, [{ hooks: [ClaudeHookCallback]; onFailure?: "block" }]>;

/** Builds the `hooks` option of `query()`: every moment becomes an event, and every decision an answer of the SDK's kind. */
export function claudeAgentHooks(hooks: Hooks): ClaudeHooksOption {
  const moments = Object.keys(CLAUDE_MOMENTS) as ClaudeMoment[];
  const starts = sessionStarts(hooks);
  const entries = moments.map((moment) => {
    const gate = eventSpec(CLAUDE_MOMENTS[moment].as).gate;
    return [moment, [{ hooks: [callback(hooks, moment, gate, starts)], ...(gate ? { onFailure: "block" } : {}) }]];
  });
  return Object.fromEntries(entries);
}

function callback(hooks: Hooks, moment: ClaudeMoment, gate: boolean, starts: SessionStarts): ClaudeHookCallback {
  const type: EventName = CLAUDE_MOMENTS[moment].as;
  const decide: Hooks["decide"] = moment === "UserPromptSubmit" ? afterTheStart(hooks, starts) : hooks.decide;
  return async (input, _, { signal }) => {
    if (moment === "SessionStart") starts.heard(input.session_id);
    try {
      return claudeAnswer(moment, await decide({ type, ...eventOf(input) }, { signal }));
    } catch (error) {
      if (!gate) throw error;
      return claudeRefusal(moment, `the hooks broke: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** The first prompt that passes also carries what hooks say about the beginning of its session. */
function afterTheStart(hooks: Hooks, starts: SessionStarts): Hooks["decide"] {
  return async (event, options) => {
    const contexts = await starts.contexts(event, options);
    const decision = await hooks.decide(event, options);
    if (decision.action !== "continue") return decision;
    starts.told(event.sessionId ?? "");
    return { ...decision, contexts: [...contexts, ...decision.contexts] };
  };
}

/** The SDK's payload as an event: what every moment has is the event's own, the rest is its data. */
function eventOf(input: ClaudeHookInput) {
  const { hook_event_name: _, session_id, cwd, tool_name, tool_input, tool_response, ...rest } = fieldsOf(input);
  const args = tool_input === undefined ? {} : { tool_args: tool_input };
  const result = tool_response === undefined ? {} : { tool_result: tool_response };
  return {
    sessionId: text(session_id),
    cwd: text(cwd),
    toolName: text(tool_name),
    agent: "claude-agent-sdk",
    raw: input,
    data: { ...rest, ...args, ...result },
  };
}

function fieldsOf(input: ClaudeHookInput): Readonly<Record<string, unknown>> {
  return { ...input };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
