import { isObject } from "../event/json.ts";
import type { AgentHookEvent, Canary, Decoded, Power, Reply, Said } from "./adapter.ts";
import { needText, needWords, type Payload, textAt, without } from "./payload.ts";
import type { Wanted } from "./recipe.ts";
import { ourInput, theirInput } from "./shell-input.ts";

/** The wire that Claude Code began and others speak with their own accents. */

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

/** A prompt, whose text has to be told. */
function decodePrompt(payload: Payload): Decoded {
  needWords(payload, "prompt");
  return decode(payload);
}

/** A hook event of a tool call; which tool it is has to be told. */
export function decodeTool(payload: Payload): Decoded {
  const toolName = needText(payload, "tool_name");
  const { tool_input: input, tool_response: result } = payload;
  const data = without(payload, "hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "tool_response");
  data.tool_args = ourInput(toolName, input ?? {});
  if (result !== undefined) data.tool_result = result;
  return { sessionId: textAt(payload, "session_id"), cwd: textAt(payload, "cwd"), toolName, data };
}

/** A gate on a tool call: `updatedInput` works without `allow`, which would approve more than the hooks said. */
export function preToolUse(said: Said, payload: Payload): Reply {
  const { action, reason, approved, input } = said;
  const objects = action === "deny" || action === "ask";
  return specific(said, payload, {
    ...(objects ? { permissionDecision: action, permissionDecisionReason: reason } : {}),
    ...(approved ? { permissionDecision: "allow" } : {}),
    ...(input === undefined ? {} : { updatedInput: theirInput(payload.tool_input, input) }),
    ...additionalContext(said),
  });
}

/** The same gate where no words for the model are read: they go with the reason of a denial. */
export function wordlessPreToolUse(said: Said, payload: Payload): Reply {
  const objects = said.action === "deny" || said.action === "ask";
  return preToolUse({ ...said, reason: objects ? withContext(said) : said.reason, context: "" }, payload);
}

/** The user is about to be asked, so `ask` needs no word. */
export function permissionRequest(said: Said, payload: Payload): Reply {
  const { action, approved, input } = said;
  const updated = input === undefined ? {} : { updatedInput: theirInput(payload.tool_input, input) };
  if (action === "deny") return specific(said, payload, { decision: { behavior: "deny", message: withContext(said) } });
  return approved ? specific(said, payload, { decision: { behavior: "allow", ...updated } }) : {};
}

/** Where the user is about to be asked, another input can only be given together with an approval. */
export function onlyApproved({ approved }: Said): string | undefined {
  return approved ? undefined : "a changed input is taken only together with an approval";
}

/** A result of a tool: what hooks object to blocks, so that the agent acts on it; other words are context. */
export function postToolUse(said: Said, payload: Payload): Reply {
  const output = said.output === undefined ? {} : { updatedToolOutput: said.output };
  return withFeedback(said, specific(said, payload, { ...output, ...additionalContext(said) }));
}

/** The same where not every version reads the reason of a block: the context repeats it. */
export function postToolUseSaidTwice(said: Said, payload: Payload): Reply {
  const { feedback = "", context } = said;
  return withFeedback(
    said,
    contextOnly({ ...said, context: [feedback, context].filter(Boolean).join("\n\n") }, payload),
  );
}

function withFeedback({ feedback }: Said, { stdout }: Reply): Reply {
  if (feedback === undefined) return stdout === undefined ? {} : { stdout };
  return { stdout: { decision: "block", reason: feedback, ...Object(stdout) }, stderr: feedback };
}

/** The text for an agent that puts a hook's objection in the place of the tool's result: the model has to read both. */
export function objectionAndResult(feedback: string | undefined, result: string): string {
  const text = result.trim() === "" ? "(empty)" : result;
  return feedback === undefined ? text : `${feedback}\n\nThe tool has run. Its result:\n${text}`;
}

/** Nothing can be stopped here; words reach the model. */
export function contextOnly(said: Said, payload: Payload): Reply {
  return specific(said, payload, additionalContext(said));
}

/** A denial on the top level of the answer; words without one are context. */
export function blockOrContext(said: Said, payload: Payload): Reply {
  return said.action === "deny" ? block(said) : contextOnly(said, payload);
}

/** A denial keeps the agent working; words for the model would too, so without a denial they go to the user. */
export function blockOrTell(said: Said): Reply {
  return said.action === "deny" ? block(said) : tell(said);
}

/** A denial is the exit code, with its reason on standard error. */
export function exitTwo(said: Said): Reply {
  return said.action === "deny" ? { exitCode: 2, stderr: withContext(said) } : tell(said);
}

/** Nothing of what hooks say has an effect here; the user is shown it. */
export function tell(said: Said): Reply {
  const words = [...(said.action === "deny" ? [said.reason] : []), ...(said.context ? [said.context] : [])];
  return words.length === 0 ? {} : { stdout: { systemMessage: words.join("\n\n") } };
}

/** A denial inside the part that names its hook event, for dialects that read it only there. */
export function nestedBlockOrTell(said: Said, payload: Payload): Reply {
  return said.action === "deny"
    ? specific(said, payload, { decision: "block", reason: withContext(said) })
    : tell(said);
}

/** Nothing can be stopped here; a denied sub-agent is told to end, and starts all the same. */
export function toldToStop(said: Said, payload: Payload): Reply {
  const context = said.action === "deny" ? stopAtOnce(said) : said.context;
  return contextOnly({ ...said, context }, payload);
}

/** The words for a sub-agent that should not have started. */
export function stopAtOnce({ reason, context }: Said): string {
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

/** A turn that ended by a failure, in the words of our own errors. */
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
export function specific(said: Said, payload: Payload, output: object): Reply {
  if (Object.keys(output).length === 0) return {};
  return {
    stdout: { hookSpecificOutput: { hookEventName: hookEventName(payload), ...output } },
    ...(said.action === "deny" ? { stderr: said.reason } : {}),
  };
}

/** A denial in the words that every agent of this family reads. */
function block(said: Said): Reply {
  const reason = withContext(said);
  return { stdout: { decision: "block", reason }, stderr: reason };
}

/** A reason together with what else the hooks wanted to be known. */
export function withContext({ reason, context }: Said): string {
  return context === "" ? reason : `${reason}\n\n${context}`;
}

/** Words for the model, where there are any. */
export function additionalContext({ context }: Said): object {
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
