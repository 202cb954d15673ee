import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { toJsonText } from "../event/json.ts";
import type { DecisionRecord } from "./record.ts";
import { recordedInput } from "./recorded-event.ts";

/** One field that differs; absent on the side that does not have it. The whole value has no name. */
export interface ChangedField {
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
