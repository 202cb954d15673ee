import type { Message, Spoken } from "./message.ts";
import { isObject, textAt, valueAt } from "./payload.ts";
import { named, speaker } from "./transcript-line.ts";

type Line = Readonly<Record<string, unknown>>;

/** Whether a line is of a rollout file, where everything lies in `payload`. */
export function isRollout(line: Line): boolean {
  return isObject(line.payload) && typeof line.type === "string";
}

/** Reads a line of a rollout file. What it tells as an event is told as an item too, so only items count. */
export function fromRollout({ type, payload, timestamp }: Line): Spoken {
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

function summary(item: Line, timestamp: string | undefined): Message {
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
function call(item: Line): Item {
  const name = textAt(item, "name") ?? (item.type === "local_shell_call" ? "local_shell" : undefined);
  const input = valueAt(item, "arguments", "input", "action") ?? {};
  return { speaks: "assistant", name, content: [{ type: "tool_use", id: textAt(item, "call_id"), name, input }] };
}

function result(item: Line): Item {
  const output = isObject(item.output) ? (valueAt(item.output, "content") ?? item.output) : (item.output ?? "");
  const block = { type: "tool_result", tool_use_id: textAt(item, "call_id"), content: output };
  return { speaks: "user", content: [block], isResult: true };
}

const ITEMS: Readonly<Record<string, (item: Line) => Item>> = {
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

/** What the agent puts before the user's own words. */
const INJECTED = /^\s*(?:<(?:environment_context|user_instructions|turn_aborted)>|# AGENTS\.md instructions)/;
