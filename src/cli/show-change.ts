import { toJsonText } from "../event/json.ts";

/** One field that differs; absent on the side that does not have it. The whole value has no name. */
export interface ChangedField {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What differs between two inputs, field by field where both are objects. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  if (!isObject(before) || !isObject(after))
    return toJsonText(before) === toJsonText(after) ? [] : [{ field: "", before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => toJsonText(before[name]) !== toJsonText(after[name]))
    .map((name) => ({ field: `${name}: `, before: before[name], after: after[name] }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
