import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot, markRecorded } from "../event/field.ts";
import { isObject, toJsonText } from "../event/json.ts";
import type { DecisionRecord } from "./record.ts";

/** The event of a record, as far as it was recorded. */
export function recordedEvent({ event_json: recorded, root }: DecisionRecord): HookEvent | undefined {
  if (typeof recorded !== "object" || recorded === null) return undefined;
  const fields = recorded as Readonly<Record<string, unknown>>;
  const type = eventNamed(String(fields.type));
  if (type === undefined) return undefined;
  const text = (key: string) => (typeof fields[key] === "string" ? fields[key] : undefined);
  const event = markRecorded(
    new HookEvent({
      type,
      data: typeof fields.data === "object" && fields.data !== null ? fields.data : {},
      ...(typeof fields.timestamp === "number" ? { timestamp: fields.timestamp } : {}),
      toolName: text("tool_name"),
      sessionId: text("session_id"),
      cwd: text("cwd"),
      agent: text("agent"),
    }),
  );
  attachRoot(event, root);
  return event;
}

/** A short form of the call: the command, the file, the address, the prompt; else all of the input. */
export function recordedText(record: DecisionRecord): string {
  const input = recordedInput(record);
  if (typeof input !== "object" || input === null) return input === undefined ? "" : String(input);
  const fields = input as Readonly<Record<string, unknown>>;
  const telling = TELLING.map((key) => fields[key]).find((value) => typeof value === "string" && value !== "");
  return telling === undefined ? toJsonText(input) : String(telling);
}

/** The tool's input, the prompt, or all data of a recorded call. */
export function recordedInput({ event_json: recorded }: DecisionRecord): unknown {
  const data = (recorded as { readonly data?: Readonly<Record<string, unknown>> } | null)?.data;
  if (typeof data !== "object" || data === null) return recorded ?? undefined;
  const { tool_args, tool_input, args, prompt } = data;
  return tool_args ?? tool_input ?? args ?? prompt ?? (Object.keys(data).length > 0 ? data : undefined);
}

/** One field that differs; absent on the side that does not have it. The whole value does not have a name. */
interface ChangedField {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What hooks made of the input or the result of a call, field by field where both are objects. */
export function changedFields(record: DecisionRecord): ChangedField[] {
  const after = record.input ?? record.output;
  if (after === undefined) return [];
  const { data = {} } = Object(record.event_json) as { readonly data?: Readonly<Record<string, unknown>> };
  const before = isOutputChange(record)
    ? (data.tool_result ?? data.tool_response ?? data.result)
    : recordedInput(record);
  if (!isObject(before) || !isObject(after))
    return toJsonText(before) === toJsonText(after) ? [] : [{ field: "", before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => toJsonText(before[name]) !== toJsonText(after[name]))
    .map((name) => ({ field: name, before: before[name], after: after[name] }));
}

/** Whether a hook of this event changes the result, not the input. */
export function isOutputChange({ event }: DecisionRecord): boolean {
  const name = eventNamed(event);
  return name !== undefined && eventSpec(name).modifies === "output";
}

const TELLING = ["command", "file_path", "path", "filePath", "notebook_path", "url", "query", "pattern", "prompt"];
