/** Reads `5`, `"500ms"`, `"5s"`, `"2m"` as seconds; `undefined` for anything else. */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === "number") return inRange(value);
  if (typeof value !== "string") return undefined;
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s|m)$/.exec(value.trim());
  if (found === null) return undefined;
  const [, amount, unit] = found;
  return inRange(Number(amount) * (UNITS[unit ?? "s"] ?? 1));
}

/** A deadline is always there and always finite: a timer of node holds 24 days. */
function inRange(seconds: number): number | undefined {
  return seconds > 0 && seconds <= LONGEST ? seconds : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };
/** The longest time that anything may take, in seconds. */
export const LONGEST = 24 * 60 * 60;
