import { isObject } from "../event/json.ts";
import type { AgentHookEvent, Canary, Decoded, FittedDecision, Power, Reply } from "./adapter.ts";
import { needString, needText, type Payload, textAt, without } from "./payload.ts";
import type { Wanted } from "./recipe.ts";
import { ourInput, theirInput } from "./shell-input.ts";

/** The wire format that Claude Code introduced and other agents use with small differences. */

/** The name of the hook event, as this family writes it. */
export function hookEventName(payload: Payload): string | undefined {
  return textAt(payload, "hook_event_name");
}

/** A hook event without a tool. */
export function decode(payload: Payload): Decoded {
  return {
    sessionId: textAt(payload, "session_id"),
    cwd: textAt(payload, "cwd"),
    data: without(payload, "hook_event_name", "session_id", "cwd"),
  };
}

/** A prompt; its text is required. */
function decodePrompt(payload: Payload): Decoded {
  needString(payload, "prompt");
  return decode(payload);
}

/** A hook event of a tool call; the name of the tool is required. */
export function decodeTool(payload: Payload): Decoded {
  const toolName = needText(payload, "tool_name");
  const { tool_input: input, tool_response: result } = payload;
  const data = without(payload, "hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "tool_response");
  data.tool_args = ourInput(toolName, input ?? {});
  if (result !== undefined) data.tool_result = result;
  return { sessionId: textAt(payload, "session_id"), cwd: textAt(payload, "cwd"), toolName, data };
}

/** A gate on a tool call: `updatedInput` works without `allow`, which would approve more than the hooks did. */
export function preToolUse(outcome: FittedDecision, payload: Payload): Reply {
  const { action, reason, approved, input } = outcome;
  const objects = action === "deny" || action === "ask";
  return specific(outcome, payload, {
    ...(objects ? { permissionDecision: action, permissionDecisionReason: reason } : {}),
    ...(approved ? { permissionDecision: "allow" } : {}),
    ...(input === undefined ? {} : { updatedInput: theirInput(payload.tool_input, input) }),
    ...additionalContext(outcome),
  });
}

/** The same gate for agents that read no message for the model: it is added to the reason of a denial. */
export function wordlessPreToolUse(outcome: FittedDecision, payload: Payload): Reply {
  const objects = outcome.action === "deny" || outcome.action === "ask";
  return preToolUse({ ...outcome, reason: objects ? withContext(outcome) : outcome.reason, context: "" }, payload);
}

/** The agent is about to ask the user anyway, so `ask` needs no answer. */
export function permissionRequest(outcome: FittedDecision, payload: Payload): Reply {
  const { action, approved, input } = outcome;
  const updated = input === undefined ? {} : { updatedInput: theirInput(payload.tool_input, input) };
  if (action === "deny")
    return specific(outcome, payload, { decision: { behavior: "deny", message: withContext(outcome) } });
  return approved ? specific(outcome, payload, { decision: { behavior: "allow", ...updated } }) : {};
}

/** Where the user is about to be asked, another input can only be given together with an approval. */
export function onlyApproved({ approved }: FittedDecision): string | undefined {
  return approved ? undefined : "a changed input is taken only together with an approval";
}

/** A result of a tool: an objection of a hook blocks, so that the agent acts on it; any other text is context. */
export function postToolUse(outcome: FittedDecision, payload: Payload): Reply {
  const output = outcome.output === undefined ? {} : { updatedToolOutput: outcome.output };
  return withFeedback(outcome, specific(outcome, payload, { ...output, ...additionalContext(outcome) }));
}

/** The same where not every version reads the reason of a block: the context repeats it. */
export function postToolUseSaidTwice(outcome: FittedDecision, payload: Payload): Reply {
  const { feedback = "", context } = outcome;
  return withFeedback(
    outcome,
    contextOnly({ ...outcome, context: [feedback, context].filter(Boolean).join("\n\n") }, payload),
  );
}

function withFeedback({ feedback }: FittedDecision, { stdout }: Reply): Reply {
  if (feedback === undefined) return stdout === undefined ? {} : { stdout };
  return { stdout: { decision: "block", reason: feedback, ...Object(stdout) }, stderr: feedback };
}

/** The text for an agent that puts a hook's objection in the place of the tool's result: the model has to read both. */
export function objectionAndResult(feedback: string | undefined, result: string): string {
  const text = result.trim() === "" ? "(empty)" : result;
  return feedback === undefined ? text : `${feedback}\n\nThe tool has run. Its result:\n${text}`;
}

/** Nothing can be stopped here; messages reach the model. */
export function contextOnly(outcome: FittedDecision, payload: Payload): Reply {
  return specific(outcome, payload, additionalContext(outcome));
}

/** A denial on the top level of the answer; text without a denial is context. */
export function blockOrContext(outcome: FittedDecision, payload: Payload): Reply {
  return outcome.action === "deny" ? block(outcome) : contextOnly(outcome, payload);
}

/** A denial keeps the agent working; a message for the model would too, so without a denial it goes to the user. */
export function blockOrTell(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? block(outcome) : showUser(outcome);
}

/** A denial is the exit code, with its reason on standard error. */
export function exitTwo(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? { exitCode: 2, stderr: withContext(outcome) } : showUser(outcome);
}

/** Results of hooks have no effect here; they are shown to the user. */
export function showUser(outcome: FittedDecision): Reply {
  const words = [...(outcome.action === "deny" ? [outcome.reason] : []), ...(outcome.context ? [outcome.context] : [])];
  return words.length === 0 ? {} : { stdout: { systemMessage: words.join("\n\n") } };
}

/** A denial inside the part that names its hook event, for dialects that read it only there. */
export function nestedBlockOrTell(outcome: FittedDecision, payload: Payload): Reply {
  return outcome.action === "deny"
    ? specific(outcome, payload, { decision: "block", reason: withContext(outcome) })
    : showUser(outcome);
}

/** Nothing can be stopped here; a denied sub-agent is asked to end, and starts all the same. */
export function denialAsContext(outcome: FittedDecision, payload: Payload): Reply {
  const context = outcome.action === "deny" ? stopAtOnce(outcome) : outcome.context;
  return contextOnly({ ...outcome, context }, payload);
}

/** The message for a sub-agent that should not have started. */
export function stopAtOnce({ reason, context }: FittedDecision): string {
  return [`Stop at once and do nothing: ${reason}`, context].filter(Boolean).join("\n\n");
}

/** Nothing is read here. */
export function silent(): Reply {
  return {};
}

/** A row for a hook event without a tool. */
export function hookEvent(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  more: More = {},
): AgentHookEvent {
  return { as, can, decode, encode, ...more };
}

/** A row for a prompt that can be stopped. */
export function promptHookEvent(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  more: More = {},
): AgentHookEvent {
  return { as, can, decode: decodePrompt, encode, ...more };
}

/** A row for a hook event of a tool call. */
export function toolHookEvent(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  more: More = {},
): AgentHookEvent {
  return { as, can, decode: decodeTool, encode, ...more };
}

type More = Partial<AgentHookEvent>;

/** The same hook events where every payload carries its time as text. */
export function dated(hookEvents: Readonly<Record<string, AgentHookEvent>>): Record<string, AgentHookEvent> {
  return Object.fromEntries(
    Object.entries(hookEvents).map(([name, row]) => [
      name,
      { ...row, decode: (payload) => withTime(row.decode(payload)) },
    ]),
  );
}

function withTime({ data, ...where }: Decoded): Decoded {
  const { timestamp, ...rest } = data;
  const milliseconds = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(milliseconds) ? { ...where, data } : { ...where, data: rest, timestamp: milliseconds / 1000 };
}

/** A turn that ended by a failure, in the format of our own errors. */
export function decodeStopFailure(payload: Payload): Decoded {
  const { data, ...where } = decode(payload);
  const details = textAt(payload, "error_details", "error");
  return { ...where, data: { ...data, error_type: textAt(payload, "error"), error_message: details } };
}

/** Whether the agent keeps its transcripts below a folder of this name. */
export function keepsTranscriptsIn(payload: Payload, folder: string): boolean {
  return textAt(payload, "transcript_path")?.split(/[\\/]/).includes(folder) ?? false;
}

/** One entry of the settings: a group with a matcher around one command. */
export function groupedEntry(
  { hookEvent, command, seconds, matcher }: Wanted,
  more: object = {},
): { at: readonly string[]; value: object } {
  const hook = { type: "command", command, timeout: seconds, ...more };
  return { at: ["hooks", hookEvent], value: { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] } };
}

/** The part of an answer that names its hook event; it has to be the one that fired. */
export function specific(outcome: FittedDecision, payload: Payload, output: object): Reply {
  if (Object.keys(output).length === 0) return {};
  return {
    stdout: { hookSpecificOutput: { hookEventName: hookEventName(payload), ...output } },
    ...(outcome.action === "deny" ? { stderr: outcome.reason } : {}),
  };
}

/** A denial in the format that every agent of this family reads. */
function block(outcome: FittedDecision): Reply {
  const reason = withContext(outcome);
  return { stdout: { decision: "block", reason }, stderr: reason };
}

/** A reason together with what else the hooks wanted to be known. */
export function withContext({ reason, context }: FittedDecision): string {
  return context === "" ? reason : `${reason}\n\n${context}`;
}

/** The message for the model, if there is one. */
export function additionalContext({ context }: FittedDecision): object {
  return context === "" ? {} : { additionalContext: context };
}

/** A shell call of this family, made up. */
export function shellCanary(tool: string, more: Payload = {}): Canary {
  return {
    hookEvent: "PreToolUse",
    payload: (command, cwd) => ({
      session_id: "sluice-doctor",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: { command },
      ...more,
    }),
  };
}

/** Whether a payload has one of these event names. */
export function isNamed(payload: Payload, names: object): boolean {
  const name = hookEventName(payload);
  return name !== undefined && Object.hasOwn(names, name) && isObject(payload);
}
