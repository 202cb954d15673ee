import type { Decoded } from "./adapter.ts";
import { isObject, needList, needText, objectAt, type Payload, textAt, without } from "./payload.ts";
import { ourInput, withOurPath } from "./shell-input.ts";

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

/** A failed session, in the words of our own errors. */
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
export function outputOf(payload: Payload): Payload {
  return objectAt(payload, "output");
}

/** The parts of a message. */
export function partsOf(payload: Payload): readonly Payload[] {
  const { parts } = outputOf(payload);
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

/** The text that the user wrote, without what OpenCode added. */
export function promptIn(parts: readonly Payload[]): string {
  return parts
    .filter(isWritten)
    .map(({ text }) => text)
    .join("\n");
}

/** Whether a part of a message is the user's own text. */
export function isWritten(part: Payload): boolean {
  return part.type === "text" && typeof part.text === "string" && part.synthetic !== true;
}
