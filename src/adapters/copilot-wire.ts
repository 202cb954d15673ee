import { isObject } from "../event/json.ts";
import type { Decoded, Reply, Said } from "./adapter.ts";
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

/** A hook event of a tool call; which tool it is has to be told. */
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
export function gate(said: Said, payload: Payload): Reply {
  const { action, approved } = said;
  const objects = action === "deny" || action === "ask";
  const verdict = {
    ...(objects ? { permissionDecision: action, permissionDecisionReason: withContext(said) } : {}),
    ...(approved ? { permissionDecision: "allow" } : {}),
  };
  if (said.input === undefined) return answer(said, payload, verdict);
  const input = changedInput(said, payload);
  return answer(said, payload, { ...verdict, modifiedArgs: input }, { ...verdict, updatedInput: input });
}

/** The editor that runs one of the dialects ignores an input of another shape, and runs the original. */
export function ofAnotherShape(said: Said, payload: Payload): string | undefined {
  const fits = hookEventName(payload) === undefined || keepsShape(inputOf(payload), changedInput(said, payload));
  return fits ? undefined : "an input of another shape may be ignored";
}

function changedInput({ input }: Said, payload: Payload): unknown {
  const original = inputOf(payload);
  return theirInput(original, withTheirPath(original, input));
}

/** The user is about to be asked, so `ask` needs no word. */
export function permission(said: Said, payload: Payload): Reply {
  const { action, approved } = said;
  if (action !== "deny" && !approved) return {};
  const decision = action === "deny" ? { behavior: "deny", message: withContext(said) } : { behavior: "allow" };
  return answer(said, payload, decision, { decision });
}

/** After a tool has run: words for the model, or another result. */
export function result(said: Said, payload: Payload): Reply {
  const modified = said.output === undefined ? {} : { modifiedResult: theirResult(said.output) };
  return answer(said, payload, { ...modified, ...additionalContext(said) }, additionalContext(said));
}

/** Nothing can be stopped here; words reach the model. */
export function words(said: Said, payload: Payload): Reply {
  return answer(said, payload, additionalContext(said));
}

/** A denied sub-agent is told to end, and starts all the same. */
export function toldToStop(said: Said, payload: Payload): Reply {
  return words({ ...said, context: said.action === "deny" ? stopAtOnce(said) : said.context }, payload);
}

/** A denial keeps the agent working. */
export function keepWorking(said: Said, payload: Payload): Reply {
  return said.action === "deny" ? answer(said, payload, { decision: "block", reason: withContext(said) }) : {};
}

/** The answer is dropped in one dialect; the other dialect obeys the exit code. */
export function dropped(said: Said, payload: Payload): Reply {
  const isRead = hookEventName(payload) !== undefined && said.action === "deny";
  return isRead ? { exitCode: 2, stderr: withContext(said) } : {};
}

/** What the command-line agent reads is on the top level; what an editor with the same hooks reads, lies below. */
function answer(said: Said, payload: Payload, own: object, editors: object = own): Reply {
  if (Object.keys(own).length === 0) return {};
  const name = hookEventName(payload);
  const below = name === undefined ? {} : { hookSpecificOutput: { hookEventName: name, ...editors } };
  return { stdout: { ...own, ...below }, ...(said.action === "deny" ? { stderr: said.reason } : {}) };
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
