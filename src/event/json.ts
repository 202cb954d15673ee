/**
 * JSON text for any value an agent or a program may hand over: what JSON has no word for becomes text,
 * a circle is cut where it closes, and a top-level nothing is `null`.
 */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return JSON.stringify(jsonSafe(value)) ?? "null";
  }
}

/** A copy that `JSON.stringify` always takes; used only where the plain way failed. */
export function jsonSafe(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[too deep]";
  const inner = [...above, value];
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") return jsonSafe(value.toJSON(), inner);
    if (Array.isArray(value)) return value.map((item) => jsonSafe(item, inner));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonSafe(item, inner)]));
  } catch {
    return "[unreadable]";
  }
}

/** The same text for the same data, in whichever order its keys came; what is nested too deep is compared as it was written. */
export function canonicalJson(data: unknown): string {
  return JSON.stringify(sorted(JSON.parse(toJsonText(data)), 0));
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return { deep: toJsonText(value) };
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // A list of pairs: as an object, keys that look like numbers would move to the front whatever we do.
  return { pairs: entries.map(([key, item]) => [key, sorted(item, depth + 1)]) };
}

const DEEPEST = 200;

/** Whether a value is an object with named fields, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
