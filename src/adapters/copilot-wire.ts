import { isObject } from "../event/json.ts";
import type { Decoded, FittedDecision, Reply } from "./adapter.ts";
import { additionalContext, hookEventName, stopAtOnce, withContext } from "./claude-family.ts";
import { keepsShape, needText, type Payload, parsed, textAt, without } from "./payload.ts";
import { ourInput, theirInput, withOurPath, withTheirPath } from "./shell-input.ts";

/** Both dialects of the payloads, camelCase and PascalCase, and answers that each of their readers obeys. */

/** A hook event without a tool. */
export function decode(payload: Payload): Decoded {
  const transcript = textAt(payload, "transcriptPath", "transcript_path");
  return {
    sessionId: textAt(payload, "sessionId", "session_id"),
    cwd: textAt(payload, "cwd"),
    timestamp: secondsOf(payload.timestamp),
    data: {
      ...without(payload, ...ENVELOPE),
      ...(transcript === undefined ? {} : { transcript_path: transcript }),
    },
  };
}

/** A hook event of a tool call; the name of the tool is required. */
export function decodeTool(payload: Payload): Decoded {
  const toolName = textAt(payload, "toolName") ?? needText(payload, "tool_name");
  const { data, ...where } = decode(payload);
  const result = payload.toolResult ?? payload.tool_result ?? payload.tool_response;
  return {
    ...where,
    toolName,
    data: {
      ...without(data, ...TOOL_KEYS),
      tool_args: withOurPath(ourInput(toolName, inputOf(payload) ?? {})),
      ...(result === undefined ? {} : { tool_result: result }),
      ...(payload.error === undefined ? {} : { error: errorText(payload.error) }),
    },
  };
}

/** Something failed that no tool did. */
export function decodeError(payload: Payload): Decoded {
  const { data, ...where } = decode(payload);
  const type = isObject(payload.error) ? textAt(payload.error, "name") : undefined;
  return { ...where, data: { ...data, error_type: type ?? "Error", error_message: errorText(payload.error) } };
}

/** Before a tool runs. */
export function gate(outcome: FittedDecision, payload: Payload): Reply {
  const { action, approved } = outcome;
  const objects = action === "deny" || action === "ask";
  const verdict = {
    ...(objects ? { permissionDecision: action, permissionDecisionReason: withContext(outcome) } : {}),
    ...(approved ? { permissionDecision: "allow" } : {}),
  };
  if (outcome.input === undefined) return answer(outcome, payload, verdict);
  const input = changedInput(outcome, payload);
  return answer(outcome, payload, { ...verdict, modifiedArgs: input }, { ...verdict, updatedInput: input });
}

/** The editor that runs one of the dialects ignores an input of another shape, and runs the original. */
export function ofAnotherShape(outcome: FittedDecision, payload: Payload): string | undefined {
  const fits = hookEventName(payload) === undefined || keepsShape(inputOf(payload), changedInput(outcome, payload));
  return fits ? undefined : "an input of another shape may be ignored";
}

function changedInput({ input }: FittedDecision, payload: Payload): unknown {
  const original = inputOf(payload);
  return theirInput(original, withTheirPath(original, input));
}

/** The agent is about to ask the user anyway, so `ask` needs no answer. */
export function permission(outcome: FittedDecision, payload: Payload): Reply {
  const { action, approved } = outcome;
  if (action !== "deny" && !approved) return {};
  const decision = action === "deny" ? { behavior: "deny", message: withContext(outcome) } : { behavior: "allow" };
  return answer(outcome, payload, decision, { decision });
}

/** After a tool has run: a message for the model, or another result. */
export function result(outcome: FittedDecision, payload: Payload): Reply {
  const modified = outcome.output === undefined ? {} : { modifiedResult: theirResult(outcome.output) };
  return answer(outcome, payload, { ...modified, ...additionalContext(outcome) }, additionalContext(outcome));
}

/** Nothing can be stopped here; messages reach the model. */
export function words(outcome: FittedDecision, payload: Payload): Reply {
  return answer(outcome, payload, additionalContext(outcome));
}

/** A denied sub-agent is asked to end, and starts all the same. */
export function denialAsContext(outcome: FittedDecision, payload: Payload): Reply {
  return words({ ...outcome, context: outcome.action === "deny" ? stopAtOnce(outcome) : outcome.context }, payload);
}

/** A denial keeps the agent working. */
export function keepWorking(outcome: FittedDecision, payload: Payload): Reply {
  return outcome.action === "deny" ? answer(outcome, payload, { decision: "block", reason: withContext(outcome) }) : {};
}

/** The answer is dropped in one dialect; the other dialect obeys the exit code. */
export function dropped(outcome: FittedDecision, payload: Payload): Reply {
  const isRead = hookEventName(payload) !== undefined && outcome.action === "deny";
  return isRead ? { exitCode: 2, stderr: withContext(outcome) } : {};
}

/** The command-line agent reads the top level; an editor with the same hooks reads what is nested. */
function answer(outcome: FittedDecision, payload: Payload, own: object, editors: object = own): Reply {
  if (Object.keys(own).length === 0) return {};
  const name = hookEventName(payload);
  const below = name === undefined ? {} : { hookSpecificOutput: { hookEventName: name, ...editors } };
  return { stdout: { ...own, ...below }, ...(outcome.action === "deny" ? { stderr: outcome.reason } : {}) };
}

/** The input of the tool; some versions send it as JSON text. */
function inputOf(payload: Payload): unknown {
  return parsed(payload.toolArgs ?? payload.toolInput ?? payload.tool_input);
}

function theirResult(output: unknown): object {
  if (isObject(output) && typeof output.textResultForLlm === "string") return output;
  const text = isObject(output) && typeof output.text_result_for_llm === "string" ? output.text_result_for_llm : output;
  return { resultType: "success", textResultForLlm: typeof text === "string" ? text : JSON.stringify(text) };
}

function errorText(error: unknown): string {
  if (isObject(error)) return textAt(error, "message") ?? JSON.stringify(error);
  return typeof error === "string" ? error : JSON.stringify(error ?? "unknown");
}

/** Milliseconds in one dialect, text in the other. */
function secondsOf(timestamp: unknown): number | undefined {
  const milliseconds = typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
  return typeof milliseconds === "number" && Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}

const ENVELOPE = [
  ...["sessionId", "session_id", "cwd", "timestamp", "hookName", "hook_event_name"],
  ...["transcriptPath", "transcript_path"],
];
const TOOL_KEYS = [
  ...["toolName", "tool_name", "toolArgs", "toolInput", "tool_input"],
  ...["toolResult", "tool_result", "tool_response", "error"],
];
