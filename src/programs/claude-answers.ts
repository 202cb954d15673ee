import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";

/** What a callback of the Claude Agent SDK answers; an empty object is no opinion. */
export interface ClaudeHookOutput {
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
  decision?: "block";
  reason?: string;
  hookSpecificOutput?: ClaudeSpecificOutput;
}

/** The part of an answer that has a shape of its own at each moment. */
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

/** One moment of the SDK: the event it is, and how a decision about it is said. */
interface Moment {
  readonly as: EventName;
  readonly answer: (decision: Said) => Answer;
}

/** An answer without the name of its moment. */
type Answer = Omit<ClaudeHookOutput, "hookSpecificOutput"> & { readonly specific?: Record<string, unknown> };

/** The moments that hooks hear, in the order of a session. */
export const CLAUDE_MOMENTS = {
  SessionStart: { as: "session:start", answer: context },
  UserPromptSubmit: { as: "user:prompt_submit", answer: prompt },
  PreToolUse: { as: "tool:pre_execute", answer: preToolUse },
  PermissionRequest: { as: "permission:check", answer: permission },
  PostToolUse: { as: "tool:post_execute", answer: postToolUse },
  PostToolUseFailure: { as: "tool:error", answer: context },
  SubagentStart: { as: "subagent:start", answer: subagentStart },
  SubagentStop: { as: "subagent:stop", answer: block },
  PreCompact: { as: "session:pre_compact", answer: compaction },
  Notification: { as: "session:notification", answer: context },
  Stop: { as: "session:stop", answer: block },
  SessionEnd: { as: "session:end", answer: () => ({}) },
} as const satisfies Record<string, Moment>;

/** A moment that hooks hear, by the SDK's name. */
export type ClaudeMoment = keyof typeof CLAUDE_MOMENTS;

/** Says a decision in the words of the SDK. */
export function claudeAnswer(moment: ClaudeMoment, decision: Said): ClaudeHookOutput {
  const { specific = {}, ...answer }: Answer = CLAUDE_MOMENTS[moment].answer(decision);
  if (Object.keys(specific).length === 0) return answer;
  // Each row of the table above says only what its own moment knows.
  return { ...answer, hookSpecificOutput: { hookEventName: moment, ...specific } as ClaudeSpecificOutput };
}

/** The strictest answer of a gate, for when there is no decision to say. */
export function claudeRefusal(moment: ClaudeMoment, reason: string): ClaudeHookOutput {
  const nothing = { contexts: [], input: undefined, output: undefined, approved: false };
  return claudeAnswer(moment, { ...nothing, action: "deny", reasons: [reason] });
}

/** The parts of a decision that an answer is made of. */
type Said = Pick<Decision, "action" | "reasons" | "contexts" | "approved"> & { input?: unknown; output?: unknown };

/** `updatedInput` works without `allow`, which would approve more than the hooks said. */
function preToolUse(decision: Said): Answer {
  const { action, input, approved } = decision;
  const objects = action === "deny" || action === "ask";
  const verdict = objects ? { permissionDecision: action, permissionDecisionReason: reasonOf(decision) } : {};
  return {
    specific: {
      ...verdict,
      ...(approved ? { permissionDecision: "allow" } : {}),
      ...(input === undefined ? {} : { updatedInput: input }),
      ...additional(decision),
    },
  };
}

/** The user is about to be asked, so `ask` needs no word; a changed input can only be given together with an approval. */
function permission(decision: Said): Answer {
  const { action, input, approved } = decision;
  if (action === "deny") return { specific: { decision: { behavior: "deny", message: reasonOf(decision) } } };
  if (approved) {
    const updated = input === undefined ? {} : { updatedInput: input };
    return { specific: { decision: { behavior: "allow", ...updated } } };
  }
  if (input === undefined) return {};
  const message = `${reasonOf(decision)} (a hook changes the input, which Claude takes only together with an approval)`;
  return { specific: { decision: { behavior: "deny", message } } };
}

/** Claude cannot be handed another prompt. */
function prompt(decision: Said): Answer {
  const { action, input } = decision;
  if (action === "continue") return context(decision);
  const instead = typeof input === "string" ? `. A hook wants this prompt instead: ${input}` : "";
  return { decision: "block", reason: `${reasonOf(decision)}${instead}` };
}

function postToolUse(decision: Said): Answer {
  const { output } = decision;
  return { specific: { ...(output === undefined ? {} : { updatedToolOutput: output }), ...additional(decision) } };
}

/** Claude starts the sub-agent all the same: it is told why it should not be, and the agent is stopped. */
function subagentStart(decision: Said): Answer {
  if (decision.action === "continue") return context(decision);
  const reason = reasonOf(decision);
  const told = [`Stop at once and do nothing: ${reason}`, ...decision.contexts].join("\n\n");
  return { continue: false, stopReason: reason, specific: { additionalContext: told } };
}

/** Nobody can be asked here; words for the agent would keep it working, so without a denial they go to the user. */
function block(decision: Said): Answer {
  const { action, contexts } = decision;
  if (action !== "continue") return { decision: "block", reason: [reasonOf(decision), ...contexts].join("\n\n") };
  return contexts.length === 0 ? {} : { systemMessage: contexts.join("\n\n") };
}

/** Whoever asked for the compaction reads the message and never the reason. */
function compaction(decision: Said): Answer {
  const answer = block(decision);
  return answer.reason === undefined ? answer : { ...answer, systemMessage: answer.reason };
}

function context(decision: Said): Answer {
  return { specific: additional(decision) };
}

function additional({ contexts }: Said): Record<string, unknown> {
  return contexts.length === 0 ? {} : { additionalContext: contexts.join("\n\n") };
}

function reasonOf({ action, reasons }: Said): string {
  const words = reasons.join("; ");
  return action === "ask" ? `needs approval${words && `: ${words}`}` : words || `a hook says ${action}`;
}
