import { isSame } from "../decision/patch.ts";
import { isObject } from "./payload.ts";

/** The keys that a changed input no longer has; all of them when it is no object any more. */
export function lostKeys(original: unknown, changed: unknown): string[] {
  if (!isObject(original)) return [];
  return Object.keys(original).filter((key) => !isObject(changed) || changed[key] === undefined);
}

/** The keys outside of these to which another input gives other values; what it does not name stays. */
export function changedOutside(keys: readonly string[], original: unknown, changed: unknown): string[] {
  if (!isObject(original) || !isObject(changed)) return [];
  return Object.keys(changed).filter((key) => !keys.includes(key) && !isSame(original[key], changed[key]));
}

/** Whether a changed input has the same keys, with the same kinds of values. */
export function keepsShape(original: unknown, changed: unknown): boolean {
  if (!isObject(original) || !isObject(changed)) return kindOf(original) === kindOf(changed);
  const keys = Object.keys(original);
  return (
    Object.keys(changed).length === keys.length && keys.every((key) => kindOf(original[key]) === kindOf(changed[key]))
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
