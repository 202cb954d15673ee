import type { AgentHookEvent, Reply } from "../adapters/adapter.ts";
import { claudeCode } from "../adapters/claude-code.ts";
import type { Payload } from "../adapters/payload.ts";
import { canAskIn, fitFor } from "../decide/can-ask.ts";
import { patienceIn } from "../decide/patience.ts";
import { eventSpec } from "../event/catalogue.ts";
import type { EventInit } from "../event/event.ts";
import { errorText } from "../problem/problem.ts";
import type { Hooks } from "./hooks.ts";

export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** What the SDK hands to a callback; every hook event adds fields of its own. */
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

/** What a callback answers; an empty object has no effect. */
export interface ClaudeHookOutput {
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
  decision?: "block";
  reason?: string;
  hookSpecificOutput?: ClaudeSpecificOutput;
}

/** The part of an answer that has a shape of its own at each hook event. */
export type ClaudeSpecificOutput =
  | {
      hookEventName: "PreToolUse";
      permissionDecision?: "allow" | "deny" | "ask";
      permissionDecisionReason?: string;
      updatedInput?: Record<string, unknown>;
      additionalContext?: string;
    }
  | {
      hookEventName: "PermissionRequest";
      decision: { behavior: "allow"; updatedInput?: Record<string, unknown> } | { behavior: "deny"; message?: string };
    }
  | { hookEventName: "PostToolUse"; additionalContext?: string; updatedToolOutput?: unknown }
  | {
      hookEventName: "SessionStart" | "UserPromptSubmit" | "PostToolUseFailure" | "SubagentStart" | "Notification";
      additionalContext?: string;
    };

/** The hook events of the SDK that become events, in the order of a session. */
const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "Notification",
  "Stop",
  "SessionEnd",
] as const;

/** A hook event of the SDK, by its own name. */
export type ClaudeHookEvent = (typeof HOOK_EVENTS)[number];

/** The `hooks` option of the SDK. A gate stays shut when its callback fails or takes too long. */
export type ClaudeHooksOption = Record<
  ClaudeHookEvent,
  [{ hooks: [ClaudeHookCallback]; timeout: number; onFailure?: "block" }]
>;

/**
 * Builds the `hooks` option of `query()`. The SDK uses the wire format of Claude Code, so the rows of that adapter translate
 * both ways.
 */
export function claudeAgentHooks(hooks: Hooks): ClaudeHooksOption {
  const starts = sessionStarts(hooks);
  const entries = HOOK_EVENTS.map((name) => {
    const row: AgentHookEvent = claudeCode.hookEvents[name] ?? unknown(name);
    const { gate } = eventSpec(row.as);
    const timeout = row.seconds ?? claudeCode.seconds;
    return [name, [{ hooks: [callback(hooks, name, row, starts)], timeout, ...(gate ? { onFailure: "block" } : {}) }]];
  });
  return Object.fromEntries(entries);
}

function callback(hooks: Hooks, name: ClaudeHookEvent, row: AgentHookEvent, starts: SessionStarts): ClaudeHookCallback {
  const decide: Hooks["decide"] = name === "UserPromptSubmit" ? afterTheStart(hooks, starts) : hooks.decide;
  const patience = patienceIn(row.seconds ?? claudeCode.seconds);
  return async (input, _, options) => {
    // Hooks that are too slow end before the SDK gives up, so that their own `on_error` applies.
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(patience)]);
    if (name === "SessionStart") starts.started(input.session_id);
    const payload: Payload = { ...input, hook_event_name: name };
    try {
      const event = { type: row.as, agent: AGENT, raw: input, ...row.decode(payload) };
      const native = { adapter: claudeCode, hookEvent: row, payload };
      const { outcome } = fitFor(native, () => canAskIn(native, undefined))(await decide(event, { signal }));
      return outputOf(row.encode(outcome, payload));
    } catch (error) {
      if (!eventSpec(row.as).gate) throw error;
      const reason = `the hooks broke: ${errorText(error)}`;
      return outputOf(row.encode({ action: "deny", reason, context: "", approved: false }, payload));
    }
  };
}

/** The first prompt that passes also carries what hooks say about the beginning of its session. */
function afterTheStart(hooks: Hooks, starts: SessionStarts): Hooks["decide"] {
  return async (event, options) => {
    const contexts = await starts.contexts(event, options);
    const decision = await hooks.decide(event, options);
    if (decision.action !== "continue") return decision;
    starts.delivered(event.sessionId ?? "");
    return { ...decision, contexts: [...contexts, ...decision.contexts] };
  };
}

/** A callback has no exit code: what a command says with one, it says with `block`, and the user reads the message. */
function outputOf({ stdout = {}, stderr = "", exitCode = 0 }: Reply): ClaudeHookOutput {
  const output: ClaudeHookOutput = typeof stdout === "string" ? {} : stdout;
  return exitCode === 0 ? output : { decision: "block", reason: stderr, systemMessage: stderr, ...output };
}

function unknown(name: string): never {
  throw new Error(`the adapter of ${claudeCode.title} has no row for ${name}`);
}

/** What hooks say about the beginning of sessions, until the model has it. */
interface SessionStarts {
  /** The SDK has said by itself that the session starts. */
  started(sessionId: string): void;
  /** What the hooks say about the beginning of this session; they run once. */
  contexts(event: Omit<EventInit, "type">, options: Parameters<Hooks["decide"]>[1]): Promise<readonly string[]>;
  /** The model has it. */
  delivered(sessionId: string): void;
}

/**
 * Starts sessions at their first prompt. The SDK hands its callbacks over after Claude has begun, so that `SessionStart` comes to
 * them only after `/clear` and a compaction, and never for a new or resumed session.
 */
function sessionStarts(hooks: Hooks): SessionStarts {
  const waiting = new Map<string, readonly string[]>();
  return {
    started: (sessionId) => void waiting.set(sessionId, []),
    delivered: (sessionId) => void waiting.set(sessionId, []),
    async contexts({ sessionId = "", data, ...event }, options) {
      const known = waiting.get(sessionId);
      if (known) return known;
      waiting.set(sessionId, []);
      const { prompt: _, ...rest }: Record<string, unknown> = { ...data };
      const { contexts } = await hooks.decide({ ...event, sessionId, type: "session:start", data: rest }, options);
      waiting.set(sessionId, contexts);
      return contexts;
    },
  };
}

const AGENT = "claude-agent-sdk";
