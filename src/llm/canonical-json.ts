import { toJsonText } from "../event/json.ts";

/** The same text for the same data, in whichever order its keys came. */
export function canonicalJson(data: unknown): string {
  return JSON.stringify(sorted(JSON.parse(toJsonText(data))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // A list of pairs: as an object, keys that look like numbers would move to the front whatever we do.
  return { pairs: entries.map(([key, item]) => [key, sorted(item)]) };
}
