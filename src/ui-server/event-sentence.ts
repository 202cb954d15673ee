import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { isObject } from "../event/json.ts";
import type { DecisionRecord } from "../trace/record.ts";

type Data = Readonly<Record<string, unknown>>;

/** What happened, in a sentence: for events that are not about a tool. Undefined for those that are. */
export function eventSentence(record: DecisionRecord): string | undefined {
  const name = eventNamed(record.event);
  if (record.tool !== undefined || name === undefined || name.startsWith("tool:")) return undefined;
  const own = SENTENCES[name];
  if (own !== undefined) return own(dataOf(record));
  const { when } = eventSpec(name);
  return `${when.charAt(0).toUpperCase()}${when.slice(1).replace(/;.*/, "")}`;
}

const SENTENCES: Readonly<Record<string, (data: Data) => string>> = {
  "session:start": (data) => `Session started${about(data, "source", "llm_model", "model")}`,
  "session:end": (data) => `Session ended${about(data, "reason")}`,
  "session:stop": (data) => `The agent finished its turn${quoted(data, "last_assistant_message")}`,
  "session:message": (data) => `Message${quoted(data, "message", "content")}`,
  "session:error": (data) => `The agent reported an error${quoted(data, "error", "message")}`,
  "session:notification": (data) => `Notification${quoted(data, "message")}`,
  "session:pre_compact": (data) => `The conversation is about to be compacted${about(data, "trigger")}`,
  "session:post_compact": (data) => `The conversation was compacted${about(data, "trigger")}`,
  "session:cwd_changed": (data) => `The agent changed its folder${about(data, "new_cwd", "cwd")}`,
  "llm:pre_request": (data) => `Request to the model${about(data, "llm_model", "model")}`,
  "llm:post_response": (data) => `Answer of the model${about(data, "llm_model", "model")}`,
  "llm:model_switch": (data) => `The model is about to change${about(data, "to_model", "llm_model", "model")}`,
  "llm:model_switched": (data) => `The model changed${about(data, "to_model", "llm_model", "model")}`,
  "subagent:start": (data) => `A sub-agent is about to start${about(data, "agent_type", "subagent_type")}`,
  "subagent:stop": (data) => `A sub-agent finished${about(data, "agent_type", "subagent_type")}`,
  "user:prompt_submit": (data) => text(data, "prompt") ?? "The user sent a prompt",
  "permission:check": (data) => `The agent asks for permission${about(data, "perm_level")}`,
  "file:changed": (data) => `A file changed${about(data, "file_path", "path")}`,
};

/** The first of these fields, in brackets. */
function about(data: Data, ...keys: readonly string[]): string {
  const found = keys.map((key) => text(data, key)).find((value) => value !== undefined);
  return found === undefined ? "" : ` (${found})`;
}

/** The first of these fields, after a colon. */
function quoted(data: Data, ...keys: readonly string[]): string {
  const found = keys.map((key) => text(data, key)).find((value) => value !== undefined);
  return found === undefined ? "" : `: ${found}`;
}

function text(data: Data, key: string): string | undefined {
  const value = data[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The data of a recorded event. */
export function dataOf({ event_json: recorded }: DecisionRecord): Data {
  const { data } = Object(recorded) as { readonly data?: unknown };
  return isObject(data) ? data : {};
}

/** What the agent reports that a call or an answer has cost, in US dollars, and how many tokens it took. */
export function reportedCost(record: DecisionRecord): { readonly cost?: number; readonly tokens?: number } {
  const data = dataOf(record);
  const usage = isObject(data.usage) ? data.usage : isObject(data.llm_tokens) ? data.llm_tokens : {};
  const cost = number(data, "cost_usd") ?? number(data, "total_cost_usd");
  const counted = (number(usage, "input_tokens") ?? 0) + (number(usage, "output_tokens") ?? 0);
  const tokens = number(data, "llm_tokens") ?? number(usage, "total") ?? (counted > 0 ? counted : undefined);
  return { ...(cost !== undefined && { cost }), ...(tokens !== undefined && { tokens }) };
}

function number(data: Data, key: string): number | undefined {
  const value = data[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
