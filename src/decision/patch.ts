import { isObject } from "../event/json.ts";

/** Names that reach an object's prototype; no hook may write them. */
const FORBIDDEN = new Set(["__proto__", "prototype", "constructor"]);
const DEEPEST = 64;
const PLAIN = "[object Object]";

/** A value of JSON, as deep as it may be and free of names that reach a prototype; the reason otherwise. */
export function whyRefused(value: unknown, depth = 0): string | undefined {
  if (typeof value === "function" || typeof value === "symbol") return `it holds a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value) && Object.prototype.toString.call(value) !== PLAIN) return "it holds more than JSON can";
  if (depth >= DEEPEST) return `it is nested more than ${DEEPEST} deep`;
  for (const [key, item] of Object.entries(value)) {
    if (FORBIDDEN.has(key)) return `it names "${key}"`;
    const inner = whyRefused(item, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Merges a patch into a copy: objects merge, `null` removes, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (FORBIDDEN.has(key)) continue;
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** One difference between two values: its path, and the new value. */
export interface ValueChange {
  readonly path: readonly string[];
  /** Absent when the key was removed. */
  readonly value?: unknown;
}

/** What has to be done to `before` to make it `after`; lists count as one value. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): ValueChange[] {
  if (Object.is(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? [] : [{ path, value: after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    Object.hasOwn(after, key)
      ? changesBetween(Object.hasOwn(before, key) ? before[key] : undefined, after[key], [...path, key])
      : [{ path: [...path, key] }],
  );
}

/** The first two changes that cannot both be made. */
export function conflictBetween(some: readonly ValueChange[], others: readonly ValueChange[]): ValueChange | undefined {
  return some.find((one) => others.some((other) => touches(one.path, other.path) && !isSame(one, other)));
}

/** Makes changes to a copy. */
export function applyChanges(target: unknown, changes: readonly ValueChange[]): unknown {
  return changes.reduce((value, change) => applyChange(value, change, 0), target);
}

/** Equality of JSON values. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}

function applyChange(target: unknown, change: ValueChange, depth: number): unknown {
  const key = change.path[depth];
  if (key === undefined) return change.value;
  const copy: Record<string, unknown> = isObject(target) ? { ...target } : {};
  if (depth === change.path.length - 1 && !("value" in change)) delete copy[key];
  else copy[key] = applyChange(Object.hasOwn(copy, key) ? copy[key] : undefined, change, depth + 1);
  return copy;
}

/** Two paths overlap if one contains the other. */
function touches(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((key, index) => key === other[index]);
}
