import type { Message, Spoken } from "./message.ts";
import { isObject, textAt, valueAt } from "./payload.ts";

type Line = Readonly<Record<string, unknown>>;

/** Reads a line that wraps a message (`{type, message: {role, content}}`) or is one (`{role, content}`). */
export function fromTranscript(line: Line): Spoken {
  const sessionId = textAt(line, "sessionId", "session_id");
  const inner = isObject(line.message) ? line.message : line;
  const type = speaker(line.type) ?? speaker(inner.role) ?? speaker(line.role);
  if (type === undefined) return { sessionId };
  const content = valueAt(inner, "content", "text", "parts") ?? (typeof line.message === "string" ? line.message : "");
  const block = toolBlock(content);
  const id = textAt(block, "tool_use_id", "id") ?? textAt(inner, "tool_call_id", "tool_use_id", "toolUseID");
  const name = textAt(block, "name") ?? textAt(inner, "tool_name") ?? calledFunction(inner);
  const message: Message = {
    type,
    content,
    ...named({ tool_name: name, tool_use_id: id }),
    is_meta: line.isMeta === true || line.is_meta === true,
    is_compact_summary: line.isCompactSummary === true || line.is_compact_summary === true,
    is_sidechain: line.isSidechain === true || line.is_sidechain === true,
    ...named({
      uuid: textAt(line, "uuid"),
      parent_uuid: textAt(line, "parentUuid", "parent_uuid"),
      timestamp: textAt(line, "timestamp"),
      session_id: sessionId,
      model: textAt(inner, "model"),
    }),
  };
  return { message, sessionId, isResult: name === undefined && id !== undefined };
}

/** Who speaks, in the three words that messages know. */
export function speaker(role: unknown): Message["type"] | undefined {
  return typeof role === "string" && Object.hasOwn(SPEAKERS, role) ? SPEAKERS[role] : undefined;
}

/** Only what is there; a key that holds nothing is left out. */
export function named<T extends Record<string, string | undefined>>(fields: T): { [Key in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: string;
  };
}

function toolBlock(content: unknown): Line {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const found = blocks.find((block) => isObject(block) && /tool_(?:use|result)$/.test(String(block.type)));
  return isObject(found) ? found : {};
}

/** `tool_calls: [{ function: { name } }]`, as chat transcripts have it. */
function calledFunction({ tool_calls: calls }: Line): string | undefined {
  const call: unknown = Array.isArray(calls) ? calls[0] : undefined;
  return isObject(call) && isObject(call.function) ? textAt(call.function, "name") : undefined;
}

const SPEAKERS: Readonly<Record<string, Message["type"]>> = {
  assistant: "assistant",
  model: "assistant",
  user: "user",
  human: "user",
  tool: "user",
  system: "system",
  developer: "system",
};
