/** What a look at a text of JSON, without parsing it, tells. */
export interface JsonScan {
  /** Every bracket that was opened is closed again, and nothing follows. */
  readonly isWhole: boolean;
  /** It has more values than were asked about. */
  readonly isTooMuch: boolean;
}

/**
 * Looks through a text of JSON once: parsing a million keys takes seconds, and only their number is needed. Signs inside of strings
 * do not count.
 */
export function scanJson(text: string, mostValues: number): JsonScan {
  let [depth, values, last] = [0, 1, -1];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth++;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        if (--depth === 0) last = at;
        break;
      case COMMA:
        values++;
        break;
    }
  }
  const isWhole = depth === 0 && last !== -1 && text.slice(last + 1).trim() === "";
  return { isWhole, isTooMuch: values > mostValues };
}

/** The first key that an object of a JSON text has twice: of two, readers take one or the other. */
export function duplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === OPENING_BRACE) open.push(new Set());
    else if (sign === OPENING_BRACKET) open.push(undefined);
    else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) open.pop();
    else if (sign === QUOTE) {
      const begin = at;
      at = endOfString(text, begin);
      const keys = open.at(-1);
      if (keys === undefined || !isKey(text, at + 1)) continue;
      const key = unescaped(text.slice(begin, at + 1));
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= BLANK) at++;
  return text.charCodeAt(at) === COLON;
}

function unescaped(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** The quote that ends a string; the end of the text where none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Every value of a payload is looked at by rules, redaction and the journal: more would take longer than an agent waits. */
export const MAX_VALUES = 25_000;
/** A text that is shorter holds fewer values than are allowed. */
export const SHORTEST_SCANNED = 2 * MAX_VALUES;

const [QUOTE, BACKSLASH, COMMA, COLON, BLANK] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
