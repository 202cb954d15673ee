import { isObject } from "../event/json.ts";
import type { Decoded, FittedDecision, Reply } from "./adapter.ts";
import { withContext } from "./claude-family.ts";
import { changedOutside, needList, needText, objectAt, type Payload, textAt, without } from "./payload.ts";
import { ourInput, theirInput, withOurPath, withTheirPath } from "./shell-input.ts";

/** A tool call, before or after. */
export function decodeTool(payload: Payload): Decoded {
  const input = objectAt(payload, "input");
  const output = outputOf(payload);
  const toolName = needText(input, "tool");
  return {
    ...where(payload),
    toolName,
    data: {
      ...without(input, "tool", "sessionID", "args", "callID"),
      tool_use_id: input.callID,
      tool_args: withOurPath(ourInput(toolName, output.args ?? input.args) ?? {}),
      ...(output.output === undefined ? {} : { tool_result: output.output, ...without(output, "output", "args") }),
    },
  };
}

/** A message of the user, as far as the user wrote it. */
export function decodePrompt(payload: Payload): Decoded {
  needList(outputOf(payload), "parts");
  return {
    ...where(payload),
    data: { ...objectAt(payload, "input"), ...outputOf(payload), prompt: promptIn(partsOf(payload)) },
  };
}

/** A command that becomes a prompt. */
export function decodeCommand(payload: Payload): Decoded {
  const input = objectAt(payload, "input");
  const prompt = `/${needText(input, "command")} ${textAt(input, "arguments") ?? ""}`.trim();
  return { ...where(payload), data: { ...input, prompt } };
}

/** A question of permission. */
export function decodePermission(payload: Payload): Decoded {
  const input = objectAt(payload, "input");
  const toolName = textAt(input, "permission") ?? needText(input, "type");
  return {
    ...where(payload),
    toolName,
    data: { ...input, tool_args: ourInput(toolName, objectAt(input, "metadata")) },
  };
}

/** A request to the model, without the keys that OpenCode hands over with it. */
export function decodeRequest(payload: Payload): Decoded {
  const input = objectAt(payload, "input");
  const model = objectAt(input, "model");
  return {
    ...where(payload),
    data: {
      llm_model: textAt(model, "id"),
      provider: textAt(model, "providerID"),
      agent: input.agent,
      parameters: outputOf(payload),
    },
  };
}

/** An answer of the model. */
export function decodeText(payload: Payload): Decoded {
  return { ...where(payload), data: { ...objectAt(payload, "input"), text: outputOf(payload).text } };
}

/** A hook whose input is all there is to it. */
export function decodeHook(payload: Payload): Decoded {
  return { ...where(payload), data: { ...objectAt(payload, "input") } };
}

/** An event of the bus. */
export function decodeEvent(payload: Payload): Decoded {
  const { properties } = eventIn(payload);
  const file = textAt(properties, "file");
  return { ...where(payload), data: { ...properties, ...(file === undefined ? {} : { file_path: file }) } };
}

/** A failed session, in the format of our own errors. */
export function decodeError(payload: Payload): Decoded {
  const { data, ...rest } = decodeEvent(payload);
  const error = objectAt(data, "error");
  const words = textAt(objectAt(error, "data"), "message") ?? textAt(error, "message") ?? "the session failed";
  return { ...rest, data: { ...data, error_type: textAt(error, "name") ?? "error", error_message: words } };
}

function where(payload: Payload): Pick<Decoded, "sessionId" | "cwd"> {
  const { properties } = eventIn(payload);
  const info = objectAt(properties, "info");
  return {
    sessionId: textAt(objectAt(payload, "input"), "sessionID") ?? textAt(properties, "sessionID") ?? textAt(info, "id"),
    cwd: textAt(payload, "cwd") ?? textAt(info, "directory"),
  };
}

/** The event inside a payload of the bus. */
export function eventIn(payload: Payload): { type: string | undefined; properties: Payload } {
  const input = objectAt(payload, "input");
  const event = isObject(input.event) ? input.event : input;
  return { type: textAt(event, "type"), properties: objectAt(event, "properties") };
}

/** What the plugin may change. */
function outputOf(payload: Payload): Payload {
  return objectAt(payload, "output");
}

/** The parts of a message. */
function partsOf(payload: Payload): readonly Payload[] {
  const { parts } = outputOf(payload);
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

/** The text that the user wrote, without what OpenCode added. */
function promptIn(parts: readonly Payload[]): string {
  return parts
    .filter(isWritten)
    .map(({ text }) => text)
    .join("\n");
}

/** Whether a part of a message is the user's own text. */
function isWritten(part: Payload): boolean {
  return part.type === "text" && typeof part.text === "string" && part.synthetic !== true;
}

/** Other arguments for a tool, in the agent's own format. */
export function newArguments(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny") return denied(outcome);
  return outcome.input === undefined ? answer() : answer({ args: theirs(outputOf(payload).args, outcome.input) });
}

/** Another result of a tool, or the same one followed by a message for the model. */
export function newResult({ output, context }: FittedDecision, payload: Payload): Reply {
  if (output === undefined && context === "") return answer();
  const result = output ?? outputOf(payload).output ?? "";
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return answer({ output: context === "" ? text : `${text}\n\n${context}` });
}

/** The message goes into the first part that the user wrote; what OpenCode added to it stays. */
export function newPrompt(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny") return denied(outcome);
  if (outcome.input === undefined && outcome.context === "") return answer();
  const parts = partsOf(payload);
  const first = parts.find(isWritten);
  if (first === undefined && outcome.input !== undefined) return denied(outcome);
  const text = [String(outcome.input ?? promptIn(parts)), outcome.context].filter(Boolean).join("\n\n");
  const kept = parts.filter((part) => part === first || !isWritten(part));
  return answer({ parts: kept.map((part) => (part === first ? { ...part, text } : part)) });
}

/** Nothing can be changed here. */
export function denyOnly(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? denied(outcome) : answer();
}

/** A request for permission is answered by a single status. */
export function status(outcome: FittedDecision): Reply {
  if (outcome.action === "deny") return denied(outcome, { status: "deny" });
  if (outcome.action === "ask") return answer({ status: "ask" });
  return outcome.approved ? answer({ status: "allow" }) : answer();
}

/** Nothing of a request but its parameters can be changed. */
export function beyondParameters({ input }: FittedDecision, payload: Payload): string | undefined {
  const others = changedOutside(["parameters"], decodeRequest(payload).data, input);
  const isWhole = isObject(input) && isObject(input.parameters) && others.length === 0;
  return isWhole ? undefined : "OpenCode takes other `parameters`, and nothing else";
}

/** Other settings for a request to the model. */
export function newParameters(outcome: FittedDecision): Reply {
  if (outcome.action === "deny") return denied(outcome);
  return isObject(outcome.input) ? answer(objectAt(outcome.input, "parameters")) : answer();
}

/** Another answer of the model. */
export function newText({ output }: FittedDecision): Reply {
  return isObject(output) && typeof output.text === "string" ? answer({ text: output.text }) : answer();
}

/** Words that the summary of a conversation has to keep. */
export function moreContext({ context }: FittedDecision, payload: Payload): Reply {
  const old = outputOf(payload).context;
  return context === "" ? answer() : answer({ context: [...(Array.isArray(old) ? old : []), context] });
}

/** What the plugin does: throw on a denial, else change its output. */
export function answer(output?: object): Reply {
  return { stdout: output === undefined ? { action: "continue" } : { action: "modify", output } };
}

function denied(outcome: FittedDecision, output?: object): Reply {
  const reason = withContext(outcome);
  return {
    stdout: { action: "deny", reason, ...(output === undefined ? {} : { output }) },
    stderr: reason,
    exitCode: 2,
  };
}

function theirs(original: unknown, changed: unknown): unknown {
  return theirInput(original, withTheirPath(original, changed));
}
