import { jsonSafe } from "./json.ts";

/**
 * A copy to hand out: changing it changes nothing of the original. Functions stay what they are, and what
 * cannot be copied as it is comes as its JSON would read.
 */
export function deepCopy<T>(value: T): T {
  try {
    return copied(value, new Map()) as T;
  } catch {
    return jsonSafe(value) as T;
  }
}

function copied(value: unknown, made: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = made.get(value);
  if (known !== undefined) return known;
  const kind = kindOf(value);
  if (kind !== LIST && kind !== OBJECT) return special(value, kind);
  const copy: Record<string, unknown> = kind === LIST ? [] : Object.create(Object.getPrototypeOf(value));
  made.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    const own = copied(item, made);
    // Setting this one would change what the copy is.
    if (key === "__proto__") Object.defineProperty(copy, key, { ...PLAIN, value: own });
    else copy[key] = own;
  }
  return copy;
}

/** Dates, maps, bytes and the like; some kinds, such as addresses, do not survive a copy. */
function special(value: object, kind: string): unknown {
  try {
    const copy: unknown = structuredClone(value);
    return kindOf(copy) === kind ? copy : jsonSafe(value);
  } catch {
    return jsonSafe(value);
  }
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

const LIST = "[object Array]";
const OBJECT = "[object Object]";
const PLAIN = { writable: true, enumerable: true, configurable: true };
