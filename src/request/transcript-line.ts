import { isObject } from "../event/json.ts";
import type { Message, Spoken } from "./message.ts";
import { textAt, valueAt } from "./payload.ts";

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

/** The three roles of messages. */
function speaker(role: unknown): Message["type"] | undefined {
  return typeof role === "string" && Object.hasOwn(SPEAKERS, role) ? SPEAKERS[role] : undefined;
}

/** Keys without a value are left out. */
function named<T extends Record<string, string | undefined>>(fields: T): { [Key in keyof T]?: string } {
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

type RolloutLine = Readonly<Record<string, unknown>>;

/** Whether a line is of a rollout file, where everything is in `payload`. */
export function isRollout(line: RolloutLine): boolean {
  return isObject(line.payload) && typeof line.type === "string";
}

/** Reads a line of a rollout file. Events are repeated as items, so only items are read. */
export function fromRollout({ type, payload, timestamp }: RolloutLine): Spoken {
  const item = isObject(payload) ? payload : {};
  if (type === "session_meta") return { sessionId: textAt(item, "id", "session_id") };
  const when = typeof timestamp === "string" ? timestamp : undefined;
  if (type === "compacted") return { message: summary(item, when) };
  const read = type === "response_item" && typeof item.type === "string" ? ITEMS[item.type] : undefined;
  if (read === undefined) return {};
  const { speaks, content, name, isResult = false } = read(item);
  if (speaks === undefined) return {};
  const message: Message = {
    type: speaks,
    content,
    ...named({ tool_name: name, tool_use_id: textAt(item, "call_id") }),
    is_meta: speaks === "user" && INJECTED.test(firstText(content)),
    is_compact_summary: false,
    is_sidechain: false,
    ...named({ timestamp: when }),
  };
  return { message, isResult };
}

function summary(item: RolloutLine, timestamp: string | undefined): Message {
  const content = textAt(item, "message") ?? "";
  const flags = { is_meta: false, is_compact_summary: true, is_sidechain: false };
  return { type: "system", content, ...flags, ...named({ timestamp }) };
}

interface Item {
  readonly speaks: Message["type"] | undefined;
  readonly content: unknown;
  readonly name?: string | undefined;
  readonly isResult?: boolean;
}

/** A call keeps its input as the one block that other transcripts have. */
function call(item: RolloutLine): Item {
  const name = textAt(item, "name") ?? (item.type === "local_shell_call" ? "local_shell" : undefined);
  const input = valueAt(item, "arguments", "input", "action") ?? {};
  return { speaks: "assistant", name, content: [{ type: "tool_use", id: textAt(item, "call_id"), name, input }] };
}

function result(item: RolloutLine): Item {
  const output = isObject(item.output) ? (valueAt(item.output, "content") ?? item.output) : (item.output ?? "");
  const block = { type: "tool_result", tool_use_id: textAt(item, "call_id"), content: output };
  return { speaks: "user", content: [block], isResult: true };
}

const ITEMS: Readonly<Record<string, (item: RolloutLine) => Item>> = {
  message: (item) => ({ speaks: speaker(item.role), content: valueAt(item, "content") ?? "" }),
  function_call: call,
  custom_tool_call: call,
  local_shell_call: call,
  function_call_output: result,
  custom_tool_call_output: result,
};

function firstText(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : content;
  return typeof first === "string" ? first : ((isObject(first) ? textAt(first, "text") : undefined) ?? "");
}

/** What the agent puts before the user's own text. */
const INJECTED = /^\s*(?:<(?:environment_context|user_instructions|turn_aborted)>|# AGENTS\.md instructions)/;
