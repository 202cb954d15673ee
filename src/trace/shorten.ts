/** How much of an event is kept. */
export interface Limits {
  /** Characters of one text. */
  readonly text: number;
  /** Characters of everything together. */
  readonly total: number;
}

/** What a record keeps. */
export const KEPT: Limits = { text: 8 * 1024, total: 64 * 1024 };

/** What is looked at for secrets: more than is kept, so that no secret is cut where it can still be seen. */
export const LOOKED_AT: Limits = { text: 2 * KEPT.text, total: 2 * KEPT.total };

/**
 * A copy of any value that JSON can express: long texts are cut with a mark, and when the total is used up the rest is left
 * out. Circles end with the total, or where it gets too deep.
 */
export function shortened(value: unknown, limits: Limits): unknown {
  let left = limits.total;
  const take = (size: number) => {
    left -= size;
    return left >= 0;
  };
  const copy = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return text(item);
    if (typeof item === "bigint") return String(item);
    if (typeof item !== "object" || item === null) return take(8) ? item : LEFT_OUT;
    if (depth > DEEPEST) return TOO_DEEP;
    if (!take(2)) return LEFT_OUT;
    if ("toJSON" in item && typeof item.toJSON === "function") return copy(item.toJSON(), depth + 1);
    return Array.isArray(item) ? list(item, depth) : record(item, depth);
  };
  const text = (item: string): string => {
    const room = Math.min(limits.text, Math.max(0, left));
    const cut = item.lastIndexOf(CUT);
    const whole = cut < 0 ? item.length : cut - TORN;
    left -= Math.min(whole, room) + 2;
    if (cut >= 0) return `${item.slice(0, Math.max(0, Math.min(whole, room)))}${item.slice(cut, cut + LONGEST_MARK)}`;
    return item.length <= room ? item : `${item.slice(0, room)}${CUT} ${item.length} characters]`;
  };
  const list = (items: readonly unknown[], depth: number): unknown[] => {
    const kept: unknown[] = [];
    for (const item of items) {
      if (left <= 0) return [...kept, LEFT_OUT];
      kept.push(copy(item, depth + 1));
    }
    return kept;
  };
  const record = (item: object, depth: number): object => {
    const kept = {};
    for (const key of Object.keys(item)) {
      if (left <= 0) return withField(kept, LEFT_OUT, true);
      const inner = item[key as keyof typeof item] as unknown;
      if (inner !== undefined && typeof inner !== "function") withField(kept, text(key), copy(inner, depth + 1));
    }
    return kept;
  };
  try {
    return copy(value, 0);
  } catch {
    return UNREADABLE;
  }
}

/** Whether a value that JSON can express would stay unchanged; then it needs no copy. */
export function fits(value: unknown, limits: Limits): boolean {
  let left = limits.total;
  const isShort = (text: string) => {
    left -= text.length + 2;
    return text.length <= limits.text && !text.includes(CUT);
  };
  const isWhole = (item: unknown): boolean => {
    if (typeof item === "string") return isShort(item) && left > 0;
    left -= 8;
    if (typeof item !== "object" || item === null || left <= 0) return left > 0;
    if (Array.isArray(item)) return item.every(isWhole);
    for (const key of Object.keys(item)) if (!isShort(key) || !isWhole(item[key as keyof typeof item])) return false;
    return true;
  };
  return isWhole(value);
}

/** Adds a field of any name to an object of ours: `__proto__` is one like all others. */
export function withField(object: object, name: string, value: unknown): object {
  if (name === "__proto__")
    return Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  (object as Record<string, unknown>)[name] = value;
  return object;
}

/** Whether something was left out of this text. */
export function isShortened(text: string): boolean {
  return text.includes(CUT) || text.includes(LEFT_OUT);
}

/** Written where a text was cut. */
export const CUT = "…[shortened from";
/** Right before a cut a secret may have lost its end, and with it its shape: so much is left out when a text is cut again. */
const TORN = 512;
const LONGEST_MARK = 60;
/** Written in place of what was left out. */
export const LEFT_OUT = "[left out]";
const TOO_DEEP = "[too deep]";
const UNREADABLE = "[unreadable]";
/** Every mark of something that is not there any more. */
export const CUT_MARKS: readonly string[] = [CUT, LEFT_OUT, TOO_DEEP, UNREADABLE];
const DEEPEST = 60;
